import { readHead } from "../../kernel/files.ts";
import { id3v2Bytes } from "../formats/mpeg-header.ts";
import { sniffAudio } from "../formats/sniff.ts";
import { endOfCaf, endOfMp4 } from "./boxes.ts";
import { type Bytes, bytesOf, type Wholeness } from "./bytes.ts";
import { DECLARED } from "./declared.ts";
import { endOfFlac } from "./flac-end.ts";
import { endOfFrames, endOfOgg, endOfWavPack } from "./last-frame.ts";

/** Returns true when an audio file is complete to its end; undefined for a file that is not audio. It reads the beginning and the end. */
export async function wholenessOf(path: string, sizeBytes: number): Promise<Wholeness | undefined> {
  const head = await readHead(path);
  const format = sniffAudio(head);
  if (!format) return undefined;
  const file = bytesOf(path, sizeBytes, id3v2Bytes(head));
  const { container } = format;
  const declare = DECLARED[container];
  if (declare) return compare(file, await declare(file));
  if (container === "mp4") return endOfMp4(file);
  if (container === "caf") return endOfCaf(file);
  if (container === "ogg") return endOfOgg(file);
  // What a browser records does not say how long it is.
  if (container === "webm") return "unsure";
  const end = await endOfSound(file);
  if (container === "flac") return endOfFlac(file, end);
  if (container === "wv") return endOfWavPack(file, end);
  return endOfFrames(file, container as "mp3" | "mp2" | "adts" | "ac3", end);
}

async function compare(file: Bytes, declared: number | undefined): Promise<Wholeness> {
  if (declared === undefined) return "unsure";
  const end = await endOfSound(file);
  if (file.size < declared) return "cut";
  // A byte that makes the length even does not count.
  const ends = [declared, declared + (declared % 2)];
  return ends.includes(file.size) || ends.includes(end) ? "whole" : "unsure";
}

const APE_FOOTER_BYTES = 32;
const ID3V1_BYTES = 128;

/** Returns where the tags begin that stand at the end of a file. */
async function endOfSound(file: Bytes): Promise<number> {
  const hasId3 = (await file.text(file.size - ID3V1_BYTES, 3)) === "TAG";
  const end = hasId3 ? file.size - ID3V1_BYTES : file.size;
  const footer = end - APE_FOOTER_BYTES;
  if (footer < 0 || (await file.text(footer, 8)) !== "APETAGEX") return end;
  const hasHeader = (await file.u32(footer + 20)) >>> 31 === 1;
  return Math.max(0, end - (await file.u32(footer + 12)) - (hasHeader ? APE_FOOTER_BYTES : 0));
}
