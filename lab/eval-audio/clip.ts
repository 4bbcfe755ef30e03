import { join } from "node:path";

/** A rendered clip and what is known about it. */
export type Clip = {
  /** Path of the sound, relative to the folder of its truth file. */
  file: string;
  /** The group that its figures count in: a style or a source. */
  group: string;
  /** Beats per minute; null when the correct answer is "no beat"; undefined when unknown. */
  bpm: number | null | undefined;
  /** Multiples of `bpm` that count as equally right, because notation does not always say which level is the beat. */
  levels: readonly number[];
  /** Such as "F# minor"; null when the correct answer is "no key"; undefined when unknown. */
  key: string | null | undefined;
  /** Weights are fitted only on `fit`. */
  part: "fit" | "hold";
};

const NONE = "none";
const HEADER = "file\tgroup\tbpm\tlevels\tkey\tpart";

/** Writes the truth of a folder of clips: `FOLDER/truth.tsv`. */
export async function writeTruth(folder: string, clips: readonly Clip[]): Promise<void> {
  const told = (value: unknown) => (value === null ? NONE : (value ?? ""));
  const lines = clips.map(({ file, group, bpm, levels, key, part }) =>
    [file, group, told(bpm), levels.join(" "), told(key), part].join("\t"),
  );
  await Bun.write(join(folder, "truth.tsv"), `${[HEADER, ...lines].join("\n")}\n`);
}

/**
 * Returns the clips of a folder, from `truth.tsv` or from the shared generator's `truth.csv`. Their `file` includes
 * the folder.
 */
export async function readTruth(folder: string): Promise<Clip[]> {
  const own = Bun.file(join(folder, "truth.tsv"));
  const [table, separator, read] = (await own.exists())
    ? ([own, "\t", ownRow] as const)
    : ([Bun.file(join(folder, "truth.csv")), ",", sharedRow] as const);
  const lines = (await table.text()).trim().split("\n").slice(1);
  return lines
    .map((line) => read(line.split(separator)))
    .map((clip) => ({ ...clip, file: join(folder, clip.file) }));
}

function ownRow([file = "", group = "", bpm, levels = "1", key, part]: string[]): Clip {
  return {
    file,
    group,
    bpm: bpm === NONE ? null : numberOr(bpm),
    levels: levels.split(" ").map(Number),
    key: key === NONE ? null : key || undefined,
    part: part === "fit" ? "fit" : "hold",
  };
}

function sharedRow([file = "", bpm, key]: string[]): Clip {
  const group = /_([a-z]+)\.\w+$/.exec(file)?.[1] ?? "clips";
  return { file, group, bpm: numberOr(bpm), levels: [1], key: key || undefined, part: "hold" };
}

const numberOr = (text: string | undefined) => (text ? Number(text) : undefined);
