import { readFileSync } from "node:fs";
import type { Json } from "../../support/app.ts";

/** A file of a library: which song it is, and the label of its version where that counts. */
type Bounce = { song: string; label: string | undefined; path: string };
/** Where a file landed. */
type Landed = { trackId: string; outcome: string; label: string | null };

/** How many files landed with their song, and which did not. */
export type Score = {
  files: number;
  right: number;
  /** Files that became a version of another song. */
  wrongJoins: string[];
  /** Files that became a track, or a version of a track, apart from the others of their song. */
  wrongSplits: string[];
  wrongLabels: string[];
};

/** Reads the libraries of a half, the files of each as they arrive or the last first. */
export function readLibraries(half: "train" | "held", isReversed: boolean): Map<string, Bounce[]> {
  const libraries = new Map<string, Bounce[]>();
  let files: Bounce[] = [];
  for (const line of readFileSync(new URL(`${half}.txt`, import.meta.url), "utf8").split("\n")) {
    if (line.startsWith("== ")) {
      files = [];
      libraries.set(line.slice(3), files);
    }
    const [song, label, path] = line.split(" | ");
    if (song && path) files.push({ song, label: label === "?" ? undefined : label, path });
  }
  if (isReversed) for (const each of libraries.values()) each.reverse();
  return libraries;
}

/** Offers the files of every library, each to an account of its own, and counts where they land. */
export async function scoreOf(
  libraries: ReadonlyMap<string, readonly Bounce[]>,
  newAccount: () => (path: string) => Promise<Json>,
): Promise<Score> {
  const score: Score = { files: 0, right: 0, wrongJoins: [], wrongSplits: [], wrongLabels: [] };
  for (const files of libraries.values()) {
    const take = newAccount();
    const [homes, songs] = [new Map<string, string>(), new Map<string, string>()];
    for (const bounce of files) {
      const landed = (await take(bounce.path)) as Landed;
      score.files++;
      count(score, bounce, landed, { homes, songs });
    }
  }
  return score;
}

/** The track of each song, and the song of each track. */
type Known = { homes: Map<string, string>; songs: Map<string, string> };

function count(score: Score, { song, label, path }: Bounce, landed: Landed, { homes, songs }: Known): void {
  const other = songs.get(landed.trackId);
  if (other !== undefined && other !== song) {
    score.wrongJoins.push(`${path} joins ${other}`);
    return;
  }
  songs.set(landed.trackId, song);
  const home = homes.get(song);
  if (home === undefined) homes.set(song, landed.trackId);
  if (home !== undefined && home !== landed.trackId) score.wrongSplits.push(path);
  else score.right++;
  if (label !== undefined && (landed.label ?? "-").toLowerCase() !== label)
    score.wrongLabels.push(`${path} is ${landed.label ?? "-"}`);
}
