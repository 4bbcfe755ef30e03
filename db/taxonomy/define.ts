/** One tag of the taxonomy as the rest of the product sees it. */
export type TaxonomyEntry = {
  /** `tag_<category>_<code>`; the same on every installation. */
  id: string;
  /** Display name, unique in its category ignoring case; contains no comma, so lists of names fit in CSV. */
  name: string;
  /** Stable snake_case, unique in its category; outlives a change of `name`. */
  code: string;
  /** Display position in the category, from 0. */
  order: number;
  /** Code of the broader tag. At most one level: a parent has no parent. */
  parent?: string;
  /** Other spellings and search words, lower case. */
  aliases?: readonly string[];
  /** Codes of tags that mean nearly the same or often come together; symmetric. */
  related?: readonly string[];
  /** Codes of tags that contradict this one; symmetric. */
  opposites?: readonly string[];
  /** Typical pleasantness, -1 (unpleasant) to 1 (pleasant). */
  valence?: number;
  /** Typical activation, -1 (sleepy) to 1 (agitated). */
  arousal?: number;
  /** Typical tempo, beats per minute, low to high. */
  bpmRange?: readonly [number, number];
};

/**
 * An entry as its author writes it: short keys and lists as text with ", " between items, so that an entry
 * stays one line. `code` is written only if it cannot be derived from the name, or once a published name changes.
 */
export type Seed = {
  name: string;
  code?: string;
  /** Also known as: the aliases. */
  also?: string;
  /** Codes of related tags; one side of a pair is enough. */
  near?: string;
  /** `[valence, arousal]`, each -1 to 1. */
  feel?: readonly [number, number];
  /** Typical tempo, low to high. */
  bpm?: readonly [number, number];
  parent?: string;
};

/** Relations written separately from the entries: each line lists codes, separated by spaces. */
type Links = {
  /** Every code in a line is related to every other one in it. */
  related?: readonly string[];
  /** The first code in a line is the opposite of every other one in it. */
  opposites?: readonly string[];
};

type Graph = Map<string, Set<string>>;

const splitList = (text: string | undefined): string[] => text?.split(", ") ?? [];

/** Derives the code from a display name: "Drum & Bass" becomes "drum_and_bass". */
function codeOf(name: string): string {
  const spelled = name.toLowerCase().replaceAll("&", "and").replaceAll("'", "");
  return spelled.replace(/[^a-z0-9]+/g, "_");
}

/** Returns the seeds, with all but the first made children of the first. */
export function family([parent, ...children]: readonly [Seed, ...Seed[]]): Seed[] {
  const code = parent.code ?? codeOf(parent.name);
  return [parent, ...children.map((child) => ({ ...child, parent: code }))];
}

/** Returns a function that relates two codes in both directions. It throws on an unknown code. */
function tieIn(graph: Graph, known: ReadonlySet<string>): (left: string, right: string) => void {
  const point = (from: string, to: string) => {
    if (!known.has(from)) throw new Error(`Unknown code in a taxonomy relation: ${from} (with ${to})`);
    const ties = graph.get(from);
    if (ties) ties.add(to);
    else graph.set(from, new Set([to]));
  };
  return (left, right) => {
    point(left, right);
    point(right, left);
  };
}

function relatedGraph(seeds: readonly Seed[], codes: readonly string[], lines: readonly string[]): Graph {
  const graph: Graph = new Map();
  const tie = tieIn(graph, new Set(codes));
  for (const [index, seed] of seeds.entries()) {
    for (const other of splitList(seed.near)) tie(codes[index] ?? "", other);
  }
  for (const line of lines) {
    const members = line.split(" ");
    for (const [index, member] of members.entries()) {
      for (const other of members.slice(index + 1)) tie(member, other);
    }
  }
  return graph;
}

function oppositeGraph(codes: readonly string[], lines: readonly string[]): Graph {
  const graph: Graph = new Map();
  const tie = tieIn(graph, new Set(codes));
  for (const line of lines) {
    const [first = "", ...others] = line.split(" ");
    for (const other of others) tie(first, other);
  }
  return graph;
}

/** Returns the entry for a seed, without the fields that the seed leaves out. */
function entryOf(seed: Seed, id: string, code: string, order: number): TaxonomyEntry {
  const entry: TaxonomyEntry = { id, name: seed.name, code, order };
  if (seed.parent) entry.parent = seed.parent;
  if (seed.also) entry.aliases = splitList(seed.also);
  if (seed.feel) [entry.valence, entry.arousal] = seed.feel;
  if (seed.bpm) entry.bpmRange = seed.bpm;
  return entry;
}

/**
 * Returns the finished entries of a category, in the order given; relations become symmetric.
 *
 * @param idPrefix The word between "tag_" and the code in every id, such as "genre".
 * @throws Error when a relation names a code that is not among the seeds.
 */
export function defineCategory(
  idPrefix: string,
  seeds: readonly Seed[],
  links: Links = {},
): readonly TaxonomyEntry[] {
  const codes = seeds.map((seed) => seed.code ?? codeOf(seed.name));
  const related = relatedGraph(seeds, codes, links.related ?? []);
  const opposites = oppositeGraph(codes, links.opposites ?? []);

  return seeds.map((seed, order) => {
    const code = codes[order] ?? "";
    const entry = entryOf(seed, `tag_${idPrefix}_${code}`, code, order);
    const [relatedCodes, oppositeCodes] = [related.get(code), opposites.get(code)];
    if (relatedCodes) entry.related = [...relatedCodes];
    if (oppositeCodes) entry.opposites = [...oppositeCodes];
    return entry;
  });
}
