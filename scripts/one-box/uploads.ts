import { join } from "node:path";
import { untilIdle } from "../bench/library.ts";
import { residentMb } from "../bench/memory.ts";
import { startEmptyBox, uploadSong, writeSong } from "./songs.ts";

const SONG_SEC = 180;
const DAY_SEC = 86_400;

/** Measures songs of three minutes from their upload to the end of their analysis, and what that makes a day. */
export async function measureUploads(songs: number): Promise<object> {
  const box = await startEmptyBox();
  const files = Array.from({ length: songs }, (_, at) => join(box.folder, `song ${at}.wav`));
  let bytes = 0;
  for (const [at, file] of files.entries()) bytes += await writeSong(file, SONG_SEC, at);
  const from = performance.now();
  for (const file of files) await uploadSong(box, file);
  const uploaded = (performance.now() - from) / 1000;
  await untilIdle(box.dataDir);
  const analysed = (performance.now() - from) / 1000;
  const row = {
    songs,
    songSec: SONG_SEC,
    uploadMegabytesPerSec: Math.round(bytes / 1e6 / uploaded),
    analysedSecPerSong: Number((analysed / songs).toFixed(2)),
    songsPerDay: Math.round((DAY_SEC * songs) / analysed),
    uploadsAloneMegabytesPerDay: Math.round(((bytes / 1e6) * DAY_SEC) / uploaded),
    residentMb: Math.round(residentMb(box.server.pid).now),
    peakMb: Math.round(residentMb(box.server.pid).peak),
  };
  await box.server.stop();
  return row;
}
