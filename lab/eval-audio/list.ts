import { basename, join } from "node:path";
import { findFfmpeg } from "../../src/media/ffmpeg/find-ffmpeg.ts";
import { suggestTags } from "../../src/modules/library/analysis/suggest/suggest.ts";
import { decodeMono } from "../fit/features.ts";
import { analyseFile } from "./analyse-file.ts";
import { loadEssentia } from "./essentia.ts";

const AUDIO = "**/*.{wav,aiff,aif,flac,mp3,ogg,opus,m4a}";
/** Essentia is slow, so it gets only one minute of the music. */
const OPINION_SECONDS = 60;
const OPINION_FROM_SECONDS = 30;
const SAMPLE_RATE_HZ = 44_100;

/**
 * Prints one Markdown row per file: the tempo with its alternatives, the key, the tags that a new account is shown,
 * and essentia's answer.
 */
export async function listMusic(
  folders: readonly string[],
  { withEssentia }: { withEssentia: boolean },
): Promise<void> {
  const ffmpegPath = findFfmpeg(undefined)?.path;
  const essentia = withEssentia ? await loadEssentia() : undefined;
  console.log(
    "| track | tempo | candidates | key | suggested tags | essentia tempo | essentia key |\n|---|---|---|---|---|---|---|",
  );
  for (const folder of folders)
    for (const file of (await Array.fromAsync(new Bun.Glob(AUDIO).scan(folder))).sort()) {
      const cells = await cellsOf(join(folder, file), ffmpegPath, essentia).catch((error: unknown) => [
        String(error),
      ]);
      console.log(`| ${[basename(file), ...cells].join(" | ")} |`);
    }
}

type Ask = NonNullable<Awaited<ReturnType<typeof loadEssentia>>>;

async function cellsOf(
  path: string,
  ffmpegPath: string | undefined,
  ask: Ask | undefined,
): Promise<string[]> {
  const { info, measurement } = await analyseFile(path, ffmpegPath);
  const { tempo, key, features, descriptors, heard } = measurement;
  const embedded = info?.tags ?? {};
  const tags = suggestTags({
    features,
    analysis: measurement,
    embedded,
    filename: basename(path),
    descriptors,
    heard,
  });
  const rivals = tempo.candidates.map(
    ({ bpm, confidence }) => `${bpm.toFixed(0)} (${confidence.toFixed(2)})`,
  );
  return [
    tempo.bpm === null ? "none" : tempo.bpm.toFixed(2),
    rivals.join(", "),
    key.name === null ? "none" : `${key.name} (${key.confidence.toFixed(2)})`,
    tags.map(({ name }) => name).join(", "),
    ...(ask ? opinionOf(ask, excerpt(await decodeMono(path))) : []),
  ];
}

/** Returns the middle part, or all of a shorter piece. */
function excerpt(mono: Float32Array): Float32Array {
  const from = Math.min(
    OPINION_FROM_SECONDS * SAMPLE_RATE_HZ,
    Math.max(0, mono.length - OPINION_SECONDS * SAMPLE_RATE_HZ),
  );
  return mono.slice(from, from + OPINION_SECONDS * SAMPLE_RATE_HZ);
}

function opinionOf(ask: Ask, mono: Float32Array): string[] {
  const bpm = ask(mono, "degara").bpm;
  return [bpm?.toFixed(0) ?? "", ask(mono, "bgate").key ?? ""];
}
