import { join } from "node:path";
import { findFfmpeg } from "../../src/media/ffmpeg/find-ffmpeg.ts";
import type { SuggestionBasis } from "../../src/modules/library/analysis/suggest/priors.ts";
import { analyseFile } from "../eval-audio/analyse-file.ts";

const SECONDS = 120;

type Vector = "descriptors" | "heard";
/** What suggestions are made from, as it can be kept in a file. */
export type KeptBasis = Omit<SuggestionBasis, Vector> & Record<Vector, number[] | null>;

/**
 * Measures the first two minutes of a recording, without the file's own tags.
 *
 * @param folder For the excerpt.
 */
export async function measureFirstMinutes(path: string, folder: string): Promise<KeptBasis> {
  const cut = join(folder, "cut.wav");
  await Bun.$`ffmpeg -nostdin -v error -y -i ${path} -t ${SECONDS} -map_metadata -1 -ar 44100 ${cut}`.quiet();
  const { measurement } = await analyseFile(cut, findFfmpeg(undefined)?.path);
  const { features, durationSec, loudness, tempo, key, descriptors, heard } = measurement;
  const analysis = { durationSec, loudness, tempo, key };
  const vectors = { descriptors: descriptors && [...descriptors], heard: heard && [...heard] };
  return { features, analysis, embedded: {}, filename: "", ...vectors };
}

/** Returns what suggestions are made from. */
export function basisOf(kept: KeptBasis): SuggestionBasis {
  const [descriptors, heard] = [kept.descriptors, kept.heard].map(
    (values) => values && Float32Array.from(values),
  );
  return { ...kept, descriptors: descriptors ?? null, heard: heard ?? null };
}
