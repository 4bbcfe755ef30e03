import { excerptOf } from "../support/recordings.ts";
import { wavBytes } from "../support/signals.ts";
import { tune } from "../support/tune.ts";
import type { createConsole } from "./console.ts";

type Desk = Awaited<ReturnType<typeof createConsole>>;

export const RATE_HZ = 16_000;
export const SECONDS = 24;
/** What the second mix lacks at its beginning. */
export const CUT_SEC = 0.5;

const shaped = (samples: Float32Array<ArrayBuffer>) =>
  samples.map((sample, i) => sample * (0.35 + 0.6 * Math.abs(Math.sin(i / (RATE_HZ * 3.4)))));

/** The first mix of a song. */
export const firstMix = (seed: number) =>
  excerptOf(seed, RATE_HZ, SECONDS) ?? shaped(tune(RATE_HZ, SECONDS, seed, { hat: 0.08 }));

/** The second mix: cut, softer, brighter. */
export const secondMix = (seed: number) =>
  brighter(seed)
    .map((sample) => sample * 0.6)
    .slice(CUT_SEC * RATE_HZ);

function brighter(seed: number): Float32Array<ArrayBuffer> {
  const recording = excerptOf(seed, RATE_HZ, SECONDS);
  if (!recording) return shaped(tune(RATE_HZ, SECONDS, seed, { hat: 0.3 }));
  return recording.map((sample, at) => sample + 0.5 * (sample - (recording[at - 1] ?? 0)));
}

export const wavOf = (samples: Float32Array<ArrayBuffer>) => wavBytes([samples], RATE_HZ, 16);

/** Uploads a song as its owner would, and has it analysed. Returns its id. */
export async function uploadSong(
  desk: Desk,
  title: string,
  artist: string,
  seed: number,
  samples = firstMix(seed),
): Promise<string> {
  const api = desk.as(desk.createKey(desk.account.accountId));
  const form = new FormData();
  form.set("files", new File([wavOf(samples)], `${title} mix 1.wav`));
  form.set("visible", "true");
  const { body } = await api("POST", "/tracks/upload", form);
  const [{ id }] = body.data.uploaded;
  await api("PATCH", `/tracks/details?id=${id}`, { title, artist });
  await desk.drainJobs();
  return id;
}

/** Adds the second mix of a song as its active version. Returns the version's id. */
export const addSecondMix = (desk: Desk, trackId: string, seed: number) =>
  addMix(desk, trackId, "v2", secondMix(seed));

/** Adds a mix of a song as its active version, or beside it, and does what is due. Returns the version's id. */
export async function addMix(
  desk: Desk,
  trackId: string,
  label: string,
  samples: Float32Array<ArrayBuffer>,
  { isActive = true } = {},
): Promise<string> {
  const api = desk.as(desk.createKey(desk.account.accountId));
  const form = new FormData();
  form.set("label", label);
  form.set("activate", String(isActive));
  form.set("file", new File([wavOf(samples)], `${label}, mixed.wav`));
  const { body } = await api("POST", `/tracks/${trackId}/versions`, form);
  await desk.drainJobs();
  return body.data.id;
}
