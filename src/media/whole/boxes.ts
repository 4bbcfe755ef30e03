import type { Bytes, Wholeness } from "./bytes.ts";

const MAX_BOXES = 10_000;

/** An MP4 is whole when its boxes end with the file and both the index and the sound are there. */
export async function endOfMp4(file: Bytes): Promise<Wholeness> {
  const { end, kinds } = await walkBoxes(file);
  const isComplete = kinds.has("moov") && (kinds.has("mdat") || kinds.has("moof"));
  // Size 0 is the rest of the file, which a writer also writes while it does not know.
  if (end === undefined) return isComplete ? "unsure" : "cut";
  if (end !== file.size || !isComplete) return "cut";
  // Fragments go on without saying how many there are.
  return kinds.has("moof") && !kinds.has("mfra") ? "unsure" : "whole";
}

async function walkBoxes(file: Bytes): Promise<{ end: number | undefined; kinds: ReadonlySet<string> }> {
  const kinds = new Set<string>();
  let at = 0;
  for (let count = 0; at < file.size && count < MAX_BOXES; count++) {
    const short = await file.u32be(at);
    kinds.add(await file.text(at + 4, 4));
    if (short === 0) return { end: undefined, kinds };
    const size = short === 1 ? await file.u64be(at + 8) : short;
    if (size < 8) return { end: -1, kinds };
    at += size;
  }
  return { end: at, kinds };
}

/** A CAF is whole when its chunks end with the file and the sound is there. */
export async function endOfCaf(file: Bytes): Promise<Wholeness> {
  let [at, hasSound] = [8, false];
  for (let count = 0; at < file.size && count < MAX_BOXES; count++) {
    const kind = await file.text(at, 4);
    const size = await file.u64be(at + 4);
    // -1: the writer does not know yet.
    if (kind === "data" && size > Number.MAX_SAFE_INTEGER) return "unsure";
    hasSound ||= kind === "data";
    at += 12 + size;
  }
  return at === file.size && hasSound ? "whole" : "cut";
}
