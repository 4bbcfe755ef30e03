import { query, useQuery } from "../../api/queries.ts";
import type { Option } from "../../ui/combobox.tsx";
import { AVAILABLE } from "./chips.ts";

/** The categories of the taxonomy that a kind takes its values from. */
const CATEGORIES = {
  Genre: ["genres", "audioTypes"],
  Mood: ["moods", "characters", "movements"],
  Instrument: ["instruments"],
  Vocals: ["vocalTypes"],
  Era: ["eras"],
  Theme: ["lyricThemes"],
} as const;
const WORDS: Readonly<Record<string, readonly string[]>> = {
  Energy: ["low", "medium", "high"],
  Vocals: ["with vocals", "instrumental"],
  Order: [
    ...["newest first", "oldest first", "longest first", "shortest first", "fastest first", "slowest first"],
    ...["loudest first", "quietest first", "highest energy first", "lowest energy first"],
  ],
  [AVAILABLE]: [
    ...["instrumental", "a cappella", "clean version", "TV mix", "stems"],
    ...["15 s edit", "30 s edit", "60 s edit"],
  ],
};
const MAX_OPTIONS = 8;

/** What a song may also be there as, in the words of a wish: "Stems available". */
const AVAILABLES = (WORDS[AVAILABLE] ?? []).map((name) => ({
  id: `available-${name.replace(/\W+/g, "-")}`,
  text: `${name.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())} available`,
  hint: AVAILABLE,
  kind: AVAILABLE,
}));

/** How music may differ from the tracks that it should be like: "Darker", than these. */
const COMPARATIVES = [
  ...["slower", "faster", "calmer", "more energetic", "darker", "brighter", "colder", "warmer"],
  ...["sparser", "fuller", "quieter", "louder", "shorter", "longer", "sadder", "happier", "in another key"],
].map((text) => ({ id: `than-${text.replace(/\W+/g, "-")}`, text, hint: "Than the track", kind: "Genre" }));

/** Returns the values of a kind that a text may mean; undefined for kinds whose values are not in a list. */
export function useValues(kind: string, text: string): Option[] | undefined {
  const { data } = useQuery(query("/app/library/taxonomy", {}, {}));
  if (!(kind in CATEGORIES) && !(kind in WORDS)) return undefined;
  const categories = CATEGORIES[kind as keyof typeof CATEGORIES] ?? [];
  const names = [
    ...(WORDS[kind] ?? []),
    ...categories.flatMap((category) => (data?.data[category] ?? []).map(({ name }) => name)),
  ];
  return optionsOf([...new Set(names)], text);
}

/**
 * Returns names of every kind that a text may mean, with their kinds. Beside tracks that the music should be like, these are
 * first of all how it may differ from them.
 */
export function useEveryValue(text: string, isBesideTracks: boolean): (Option & { kind: string })[] {
  const { data } = useQuery(query("/app/library/taxonomy", {}, {}));
  const all = Object.entries(CATEGORIES).flatMap(([kind, categories]) =>
    categories.flatMap((category) =>
      (data?.data[category] ?? []).map(({ name }) => ({
        id: `${kind}-${name}`,
        text: name,
        hint: kind,
        kind,
      })),
    ),
  );
  const moves = isBesideTracks ? COMPARATIVES : [];
  return text.trim() === "" ? moves : ranked([...moves, ...all, ...AVAILABLES], text);
}

const optionsOf = (names: readonly string[], text: string): Option[] =>
  ranked(
    names.map((name) => ({ id: name.replace(/\W+/g, "-"), text: name })),
    text,
  );

/** The names that begin with the text, then those with a word that does. */
function ranked<Named extends Option>(all: readonly Named[], text: string): Named[] {
  const wanted = text.trim().toLowerCase();
  const begins = all.filter((option) => option.text.toLowerCase().startsWith(wanted));
  const within = all.filter(
    (option) => !begins.includes(option) && option.text.toLowerCase().includes(` ${wanted}`),
  );
  return [...begins, ...within].slice(0, MAX_OPTIONS);
}
