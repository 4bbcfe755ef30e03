import { readFileSync } from "node:fs";
import { join } from "node:path";
import { untilIdle } from "../bench/library.ts";
import { residentMb } from "../bench/memory.ts";
import { startEmptyBox, uploadSong, writeSong } from "./songs.ts";

const SONG_SEC = 180;
const LISTEN_MS = 20_000;
/** What a song of 320 kbit/s takes per second. */
const BYTES_PER_SEC = 40_000;
const CLOCK_TICKS_PER_SEC = 100;
const BULK_STREAMS = 8;
const BULK_BYTES = 2e9;

/** Measures so many listeners at once, each reading a song as it plays, and then how fast files go out at all. */
export async function measureListeners(counts: readonly number[]): Promise<object[]> {
  const box = await startEmptyBox();
  const song = join(box.folder, "song.wav");
  const sizeBytes = await writeSong(song, SONG_SEC, 1);
  const url = await uploadSong(box, song);
  await untilIdle(box.dataDir);
  const { pid, address } = box.server;
  const rows: object[] = [];
  for (const streams of counts) {
    const [cpuBefore, from] = [cpuSeconds(pid), performance.now()];
    const waits: number[] = [];
    const end = from + LISTEN_MS;
    const listeners = Array.from({ length: streams }, (_, at) => listen(url, sizeBytes, at / streams, end));
    while (performance.now() < end) {
      const asked = performance.now();
      await (await fetch(`${address}/health`)).text();
      waits.push(performance.now() - asked);
      await Bun.sleep(50);
    }
    const got = await Promise.all(listeners);
    const seconds = (performance.now() - from) / 1000;
    const sorted = waits.toSorted((a, b) => a - b);
    rows.push({
      streams,
      broken: got.filter((bytes) => bytes < 0).length,
      megabytesPerSec: round(got.reduce((sum, bytes) => sum + Math.max(0, bytes), 0) / 1e6 / seconds),
      serverCores: round((cpuSeconds(pid) - cpuBefore) / seconds),
      residentMb: Math.round(residentMb(pid).now),
      healthMedianMs: round(sorted[Math.floor(sorted.length / 2)] ?? 0),
      healthWorstMs: round(sorted.at(-1) ?? 0),
    });
  }
  rows.push(await bulk(url, sizeBytes, pid));
  await box.server.stop();
  return rows;
}

/** Reads a part of the song at the speed at which it plays. Returns the bytes; -1 when the stream broke. */
async function listen(url: string, sizeBytes: number, offset: number, end: number): Promise<number> {
  const start = Math.floor((offset * sizeBytes) / 2);
  const range = { headers: { range: `bytes=${start}-` } };
  const from = performance.now();
  let bytes = 0;
  try {
    const reader = (await fetch(url, range)).body?.getReader();
    while (reader && performance.now() < end) {
      const { value, done } = await reader.read();
      if (done) break;
      bytes += value.length;
      const aheadMs = (bytes / BYTES_PER_SEC) * 1000 - (performance.now() - from);
      if (aheadMs > 0) await Bun.sleep(Math.min(aheadMs, Math.max(0, end - performance.now())));
    }
    await reader?.cancel();
    return bytes;
  } catch {
    return -1;
  }
}

/** Downloads as fast as it goes. */
async function bulk(url: string, sizeBytes: number, pid: number): Promise<object> {
  const [cpuBefore, from] = [cpuSeconds(pid), performance.now()];
  const each = Math.ceil(BULK_BYTES / BULK_STREAMS / sizeBytes);
  const one = async () => {
    for (let at = 0; at < each; at++) for await (const _ of (await fetch(url)).body ?? []);
  };
  await Promise.all(Array.from({ length: BULK_STREAMS }, one));
  const seconds = (performance.now() - from) / 1000;
  return {
    downloadsAtOnce: BULK_STREAMS,
    megabytesPerSec: Math.round((each * BULK_STREAMS * sizeBytes) / 1e6 / seconds),
    serverCores: round((cpuSeconds(pid) - cpuBefore) / seconds),
    residentMb: Math.round(residentMb(pid).now),
  };
}

/** Processor time that a process has used, seconds. @see proc(5), fields 14 and 15 of stat */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS_PER_SEC;
}

const round = (value: number) => Number(value.toFixed(2));
