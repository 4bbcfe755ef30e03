import { residentMb } from "../bench/memory.ts";
import type { ServerProcess } from "../bench/processes.ts";
import { type Acknowledged, type Client, noiseWav } from "./client.ts";

const MEGABYTE = 1e6;
const RANGE_BYTES = 65_536;

/** What clients saw. Statuses are counted; 0 is a connection without an answer. */
export type Seen = {
  acknowledged: Acknowledged[];
  aborted: number;
  uploads: Record<number, number>;
  reads: Record<number, number>;
  /** Refusals with 503 that do not say when to come back. */
  withoutRetryAfter: number;
  peakMb: number;
};

type Phase = { seconds: number; enter: () => Promise<void> | void };

/**
 * Uploads, plays, and breaks uploads off in the middle, through phases such as an outage of the store.
 *
 * @param known Files that are there to be played.
 */
export async function loadThrough(
  { client, server, known }: { client: Client; server: ServerProcess; known: readonly Acknowledged[] },
  phases: readonly Phase[],
): Promise<Seen> {
  const seen: Seen = {
    acknowledged: [],
    aborted: 0,
    uploads: {},
    reads: {},
    withoutRetryAfter: 0,
    peakMb: 0,
  };
  const addresses = await Promise.all(known.map(({ trackId }) => client.addressOf(trackId)));
  let isOver = false;
  const until = async (work: () => Promise<void>) => {
    while (!isOver) await work();
  };
  const workers = [
    ...[1, 2].map(() => until(() => uploadOne(client, seen))),
    ...[1, 2, 3].map(() => until(() => readOne(addresses, seen))),
    until(() => breakOne(client, seen)),
  ];
  const watching = setInterval(() => {
    seen.peakMb = Math.max(seen.peakMb, residentMb(server.pid).now);
  }, 100);
  for (const { seconds, enter } of phases) {
    await enter();
    await Bun.sleep(seconds * 1000);
    server.assertRuns();
  }
  isOver = true;
  await Promise.all(workers);
  clearInterval(watching);
  return seen;
}

const randomSize = () => Math.round((0.5 + Math.random() * 4) * MEGABYTE) & ~3;

const count = (counts: Record<number, number>, status: number) => {
  counts[status] = (counts[status] ?? 0) + 1;
};

async function uploadOne(client: Client, seen: Seen): Promise<void> {
  const sent = await client.upload(noiseWav(randomSize()));
  if ("file" in sent) {
    seen.acknowledged.push(sent.file);
    return count(seen.uploads, 200);
  }
  count(seen.uploads, sent.status);
  if (sent.status === 503 && !sent.hasRetryAfter) seen.withoutRetryAfter++;
  await Bun.sleep(200);
}

/** The bytes of the body count, not only its status. */
async function readOne(addresses: readonly string[], seen: Seen): Promise<void> {
  const start = Math.floor(Math.random() * 4) * RANGE_BYTES;
  const address = addresses[Math.floor(Math.random() * addresses.length)] ?? "";
  const range = `bytes=${start}-${start + RANGE_BYTES - 1}`;
  try {
    const response = await fetch(address, { headers: { range } });
    const { byteLength } = await response.arrayBuffer();
    count(seen.reads, response.status === 206 && byteLength !== RANGE_BYTES ? 0 : response.status);
    if (response.status === 503 && !response.headers.has("retry-after")) seen.withoutRetryAfter++;
  } catch {
    count(seen.reads, 0);
  }
  await Bun.sleep(20);
}

async function breakOne(client: Client, seen: Seen): Promise<void> {
  const bytes = noiseWav(randomSize());
  const sent = await client.upload(bytes, AbortSignal.timeout(Math.ceil(Math.random() * 60)));
  if ("file" in sent) seen.acknowledged.push(sent.file);
  else seen.aborted++;
}
