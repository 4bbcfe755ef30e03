import { findTag } from "../../db/taxonomy.ts";
import { HEARD_TAGS } from "../../src/ears/tags.ts";
import type { SuggestionBasis } from "../../src/modules/library/analysis/suggest/priors.ts";
import { suggestTags } from "../../src/modules/library/analysis/suggest/suggest.ts";
import { SCENES_OF, type SceneFile } from "./judged-moods.ts";
import type { JudgedFile } from "./line-ups.ts";
import { isWrong } from "./suggested.ts";

/** An analyser: what it says of a piece, by taxonomy names. */
type Analyser = { analyser: string; says: (basis: SuggestionBasis) => readonly string[] };
const CATEGORIES = ["genres", "voices", "instruments", "moods"] as const;
type Category = (typeof CATEGORIES)[number];
type Score = { right: number; said: number; there: number };

const TAXONOMY_OF = {
  genres: "genres",
  instruments: "instruments",
  voices: "vocalTypes",
  moods: "moods",
} as const;

/** The tags of the published networks that have another name in the taxonomy. */
const NAMES: Readonly<Record<string, string>> = {
  "no vocals": "Instrumental",
  "no vocal": "Instrumental",
  "no voice": "Instrumental",
  instrumental: "Instrumental",
  "female vocal": "Female Vocals",
  "female voice": "Female Vocals",
  "female vocalist": "Female Vocals",
  "female vocalists": "Female Vocals",
  "male vocal": "Male Vocals",
  "male voice": "Male Vocals",
  "male vocalists": "Male Vocals",
  choral: "Choir",
  "Hip-Hop": "Hip Hop",
  sad: "Melancholic",
  happy: "Upbeat",
  chill: "Relaxed",
  chillout: "Relaxed",
  Mellow: "Relaxed",
};
/** How many tags of each network count, as its package has it. */
const TOP = 3;
const NETWORK_TAGS = 50;

const ANALYSERS: readonly Analyser[] = [
  { analyser: "dubplate", says: (basis) => suggestTags(basis).map(({ name }) => name) },
  {
    analyser: "dubplate without ears",
    says: (basis) => suggestTags({ ...basis, heard: null }).map(({ name }) => name),
  },
  { analyser: "musicnn, its top tags", says: ({ heard }) => topTags(heard) },
];

/** The likeliest tags of both published networks, whose log-odds are the first that is kept of what was heard. */
function topTags(heard: Float32Array | null): string[] {
  const tags = HEARD_TAGS.map((tag, i) => ({ tag, at: heard?.[i] ?? Number.NEGATIVE_INFINITY }));
  return [tags.slice(0, NETWORK_TAGS), tags.slice(NETWORK_TAGS)].flatMap((network) =>
    network
      .sort((a, b) => b.at - a.at)
      .slice(0, TOP)
      .map(({ tag }) => NAMES[tag] ?? tag),
  );
}

/** Prints precision, recall and count of what is said of pieces, by category and by name. */
export function printRows(title: string, judged: readonly (JudgedFile & { basis: SuggestionBasis })[]): void {
  console.log(`\n${title}: ${judged.length} pieces\nanalyser\twhat\tprecision\trecall\tcount`);
  const names = [...new Set(judged.flatMap(({ is }) => is))].sort();
  for (const { analyser, says } of ANALYSERS) {
    const pieces = judged.map((piece) => ({ piece, said: known(says(piece.basis)) }));
    for (const category of ["genres", "voices", "instruments"] as const)
      row(
        analyser,
        category,
        scoreOf(pieces, (name) => categoryOf(name) === category),
      );
    for (const only of names)
      row(
        analyser,
        `  ${only}`,
        scoreOf(pieces, (name) => name === only),
      );
  }
}

/**
 * Prints the same of moods, of pieces whose names say what they are for: precision counts words that fit the name or contradict it, recall
 * the pieces of which one that fits is said.
 */
export function printMoodRows(judged: readonly (SceneFile & { basis: SuggestionBasis })[]): void {
  for (const isChosen of [true, false]) {
    const pieces = judged.filter((piece) => piece.isChosen === isChosen);
    console.log(
      `\nnamed pieces ${isChosen ? "that rules were looked at with" : "that nothing was chosen on"}: ${pieces.length}`,
    );
    for (const { analyser, says } of ANALYSERS) {
      const said = pieces.map(({ basis, scene }) => {
        const moods = [...known(says(basis))].filter((name) => categoryOf(name) === "moods");
        return {
          right: moods.filter((name) => SCENES_OF[name]?.is.includes(scene)).length,
          wrong: moods.filter((name) => SCENES_OF[name]?.not.includes(scene)).length,
        };
      });
      const right = said.reduce((sum, each) => sum + each.right, 0);
      const wrong = said.reduce((sum, each) => sum + each.wrong, 0);
      const found = said.filter((each) => each.right > 0).length;
      printRow(analyser, "moods", {
        precision: right / Math.max(1, right + wrong),
        recall: found / Math.max(1, pieces.length),
        count: pieces.length,
      });
    }
  }
}

const categoryOf = (name: string) => CATEGORIES.find((category) => nameIn(category, name) !== undefined);
const nameIn = (category: Category, name: string) => findTag(TAXONOMY_OF[category], name)?.name;

/** Returns the names as the taxonomy has them, without those that it does not have. */
function known(names: readonly string[]): ReadonlySet<string> {
  return new Set(
    names.flatMap((name) => CATEGORIES.map((category) => nameIn(category, name)).find(Boolean) ?? []),
  );
}

type Said = { piece: JudgedFile; said: ReadonlySet<string> };

function scoreOf(pieces: readonly Said[], isMeant: (name: string) => boolean): Score {
  const score = { right: 0, said: 0, there: 0 };
  for (const { piece, said } of pieces) {
    const meant = [...said].filter(isMeant);
    const right = meant.filter((name) => piece.is.includes(name)).length;
    score.right += right;
    score.said += right + meant.filter((name) => isWrong(piece, name)).length;
    score.there += piece.is.filter(isMeant).length;
  }
  return score;
}

function row(analyser: string, what: string, { right, said, there }: Score): void {
  if (said + there > 0)
    printRow(analyser, what, {
      precision: right / Math.max(1, said),
      recall: right / Math.max(1, there),
      count: there,
    });
}

function printRow(
  analyser: string,
  what: string,
  { precision, recall, count }: { precision: number; recall: number; count: number },
): void {
  console.log([analyser, what, precision.toFixed(3), recall.toFixed(3), count].join("\t"));
}
