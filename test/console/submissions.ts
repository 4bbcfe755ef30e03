import { expect } from "bun:test";
import { wavBytes } from "../media/wave-bytes.ts";
import type { Json } from "../support/app.ts";
import { sine } from "../support/signals.ts";
import type { createConsole } from "./console.ts";
import { addSongs } from "./songs.ts";

type Desk = Awaited<ReturnType<typeof createConsole>>;

/** With more of them the tests of the inbox are its trial when it is full: INBOX_CLIPS=200. */
export const CLIPS = Number(process.env.INBOX_CLIPS ?? 12);
export const RATE_HZ = 8000;
/** So many files go into one submission. */
const PER_SUBMISSION = 20;

/** Opens a brief with a public page. */
export async function openBrief(desk: Desk): Promise<Json> {
  const brief = {
    name: "Night drive",
    description: "Dark and slow, no vocals",
    status: "open",
    publicPage: true,
  };
  return (await desk.signedIn(desk.account.token)("POST", "/app/briefs", brief)).body.data;
}

/** Shortlists two songs of the owner's own. */
export async function shortlistTwo(desk: Desk, briefId: string): Promise<void> {
  const call = desk.signedIn(desk.account.token);
  const songs = [
    { title: "Night Ferry", seconds: 6 },
    { title: "Sunday", seconds: 6 },
  ];
  for (const trackId of await addSongs(desk, songs)) {
    const { body } = await call("POST", `/app/briefs/${briefId}/submissions`, { trackId });
    await call("PATCH", `/app/submissions/${body.data.id}`, { state: "shortlisted" });
  }
}

/** A short recording; each number sounds different. */
export function clip(number: number, name = `Clip ${String(number).padStart(3, "0")}`): File {
  const samples = [...sine(RATE_HZ, 1, 200 + 7 * number, 0.5)];
  const bytes = wavBytes({ depth: "s16", sampleRateHz: RATE_HZ, samples });
  return new File([bytes as Uint8Array<ArrayBuffer>], `${name}.wav`);
}

/** Sends clips through the page of a brief. */
export async function send(desk: Desk, address: string, from: number, to: number): Promise<void> {
  for (let first = from; first < to; first += PER_SUBMISSION) {
    const count = Math.min(PER_SUBMISSION, to - first);
    const files = Array.from({ length: count }, (_, at) => clip(first + at));
    await sendFiles(desk, address, first, files);
  }
}

/** Sends one submission, as a browser without JavaScript does. */
export async function sendFiles(
  desk: Desk,
  address: string,
  sender: number,
  files: readonly File[],
): Promise<void> {
  const form = new FormData();
  form.set("name", `Sender ${sender}`);
  form.set("email", `sender${sender}@example.com`);
  form.set("message", "I hope you like it");
  for (const file of files) form.append("files", file);
  const page = `${desk.origin}${new URL(address).pathname}`;
  const { status } = await fetch(page, { method: "POST", body: form, redirect: "manual" });
  expect(status).toBe(303);
}
