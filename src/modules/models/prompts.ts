import { TAXONOMY, TAXONOMY_VERSION } from "../../../db/taxonomy.ts";

/** Categories that can be heard and that captions of music speak of. */
const HEARD = ["genres", "moods", "instruments", "characters"] as const;

/** What a sound is compared with. */
export type Prompt = { category: (typeof HEARD)[number]; id: string; name: string; text: string };

const WORDING: Readonly<Record<Prompt["category"], (name: string) => string>> = {
  genres: (name) => `This is ${name} music.`,
  moods: (name) => `This music sounds ${name}.`,
  instruments: (name) => `Music with ${name}.`,
  characters: (name) => `The sound of this music is ${name}.`,
};

/** Every tag of the taxonomy that is scored, in a fixed order. */
export const PROMPTS: readonly Prompt[] = HEARD.flatMap((category) =>
  TAXONOMY[category].map(({ id, name }) => ({
    category,
    id,
    name,
    text: WORDING[category](name.toLowerCase()),
  })),
);

/** Changes when scores mean something else or are of other tags. */
export const PROMPTS_VERSION = `prompts-1.${TAXONOMY_VERSION}`;
