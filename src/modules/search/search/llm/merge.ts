import type { Interpretation, Wish } from "../../../../brief/interpretation.ts";
import { type Reading, tagsOfReading } from "./reading.ts";

/** The weight of a name that only the model found; a plain statement in the prose counts 0.8. */
const MODEL_WEIGHT = 0.5;

/**
 * Returns the rules' reading with a model's additions: names that the rules found neither wanted nor unwanted, and
 * energy and valence if the rules found none. Numbers, keys, voices, artists and exclusions come only from the rules,
 * so a model can neither filter nor bring back what the brief rules out.
 */
export function mergeReading(
  brief: Interpretation,
  reading: Reading,
): { brief: Interpretation; added: number; dropped: number } {
  const { tags, dropped } = tagsOfReading(reading);
  const known = new Set(
    [...brief.wanted, ...brief.unwanted].flatMap((wish) => wish.tags.map(({ entry }) => entry.id)),
  );
  const ruledOut = new Set(brief.unwanted.flatMap((wish) => wish.tags.map(({ entry }) => entry.code)));
  const isNew = ({ category, entry }: (typeof tags)[number]) =>
    !known.has(entry.id) &&
    !ruledOut.has(entry.parent ?? "") &&
    // A kind of voice asks for vocals, and "instrumental" for their absence: the rules decide that.
    !(
      category === "vocalTypes" &&
      (brief.vocalPreference === "instrumental" || entry.code === "instrumental")
    );
  const added: Wish[] = tags
    .filter(isNew)
    .map((tag) => ({ tags: [tag], weight: MODEL_WEIGHT, source: "model" }));
  const merged = {
    ...brief,
    wanted: [...brief.wanted, ...added],
    energy: brief.energy ?? reading.energy,
    valence: brief.valence ?? reading.valence,
  };
  const hasMood = merged.energy !== null || merged.valence !== null;
  return {
    brief: { ...merged, briefParsed: brief.briefParsed || added.length > 0 || hasMood },
    added: added.length,
    dropped,
  };
}
