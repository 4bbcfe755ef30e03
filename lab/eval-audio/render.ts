import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fluidsynth } from "./fluidsynth.ts";
import { midiBytes, type Score } from "./midi-file.ts";

/** General MIDI soundfonts from Debian packages; the shared generator uses the first. */
const SOUNDFONTS = ["/usr/share/sounds/sf2/FluidR3_GM.sf2", "/usr/share/sounds/sf2/TimGM6mb.sf2"];

/** Returns the soundfonts that are installed. */
export function findSoundfonts(): string[] {
  return SOUNDFONTS.filter((path) => existsSync(path));
}

/** How a score is turned into a file. */
export type Rendering = {
  soundfont: string;
  /** Maximum length in seconds. */
  seconds: number;
  /** Of an MP3; left out: 192k. */
  bitrate?: string;
  /** An ffmpeg filter graph, such as "afade=t=out:st=30:d=12"; none when empty. */
  filter?: string;
};

/** Renders a score to a sound file; the file extension decides the encoding. Needs fluidsynth and ffmpeg on PATH. */
export async function renderScore(score: Score, path: string, rendering: Rendering): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "dubplate-eval-"));
  try {
    const midi = join(folder, "score.mid");
    await Bun.write(midi, midiBytes(score));
    await renderMidi(midi, path, rendering);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Renders a MIDI file to a sound file, like {@link renderScore}. */
export async function renderMidi(
  midi: string,
  path: string,
  { soundfont, ...encoding }: Rendering,
): Promise<void> {
  const player = Bun.spawn([...fluidsynth({ gain: 0.5, hz: 44_100 }), soundfont, midi], {
    stdout: "pipe",
    stderr: "ignore",
  });
  await encodeRaw(player.stdout, path, encoding);
  player.kill();
  await player.exited;
}

const RAW = ["-f", "s16le", "-ar", "44100", "-ac", "2"];

/** Writes raw 16-bit stereo at 44.1 kHz to a sound file. @throws Error when ffmpeg cannot. */
export async function encodeRaw(
  raw: ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer>,
  path: string,
  { seconds, filter = "", bitrate = "192k" }: Omit<Rendering, "soundfont">,
): Promise<void> {
  const coding = path.endsWith(".mp3") ? ["-b:a", bitrate] : ["-compression_level", "0"];
  const ffmpeg = Bun.spawn(
    [
      ...["ffmpeg", "-nostdin", "-v", "error", "-y", ...RAW, "-i", "-", "-t", String(seconds)],
      ...(filter === "" ? [] : ["-af", filter]),
      ...[...coding, path],
    ],
    { stdin: raw instanceof Uint8Array ? new Blob([raw]) : raw, stderr: "ignore" },
  );
  if ((await ffmpeg.exited) !== 0) throw new Error(`ffmpeg could not write ${path}`);
}
