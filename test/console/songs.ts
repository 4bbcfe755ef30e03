import { wavBytes } from "../media/wave-bytes.ts";
import { excerptOf } from "../support/recordings.ts";
import { drumLoop, sine } from "../support/signals.ts";
import type { createConsole } from "./console.ts";

type Desk = Awaited<ReturnType<typeof createConsole>>;

/** A song of a test: its title, and its artist if it has one. */
export type Song = { title: string; artist?: string; seconds?: number; level?: number };

const RATE_HZ = 16_000;

/** Returns a song as a file; each number sounds different. */
export function songFile({ title, seconds = 20, level = 0.7 }: Song, number: number): File {
  const samples = excerptOf(number, RATE_HZ, seconds) ?? synthesised(number, seconds, level);
  const bytes = wavBytes({ depth: "s16", sampleRateHz: RATE_HZ, samples: [...samples] });
  return new File([bytes as Uint8Array<ArrayBuffer>], `${title}.wav`);
}

function synthesised(number: number, seconds: number, level: number): Float32Array {
  const tone = sine(RATE_HZ, seconds, 220 + 30 * number, level);
  return drumLoop(RATE_HZ, seconds, 96 + 8 * number).map((hit, i) => level * hit + (tone[i] ?? 0) / 4);
}

/** Uploads songs that can be heard, and analyses them. Returns their track ids. */
export async function addSongs(desk: Desk, songs: readonly Song[]): Promise<string[]> {
  const api = desk.as(desk.createKey(desk.account.accountId));
  const form = new FormData();
  for (const [index, song] of songs.entries()) form.append("files", songFile(song, index));
  const { body } = await api("POST", "/tracks/upload", form);
  const ids: string[] = body.data.uploaded.map(({ id }: { id: string }) => id);
  for (const [index, { title, artist }] of songs.entries())
    await api("PATCH", `/tracks/details?id=${ids[index]}`, { title, ...(artist && { artist }) });
  await desk.drainJobs();
  return ids;
}

/** The user agent of an ordinary browser: headless ones name themselves as machines, whose plays do not count. */
export const PERSON =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
