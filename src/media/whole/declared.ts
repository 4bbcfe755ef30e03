import type { Container } from "../formats/sniff.ts";
import type { Bytes } from "./bytes.ts";

/** How long a file must be by what it says of itself; undefined: it does not say, or not yet. */
type Declared = (file: Bytes) => Promise<number | undefined>;

const UNKNOWN_32 = 0xffff_ffff;
/** More chunks than this are no chunks. */
const MAX_CHUNKS = 10_000;

/** Containers whose header says where the file ends. */
export const DECLARED: Partial<Record<Container, Declared>> = {
  wav: async (file) => {
    const size = (await file.text(0, 4)) === "RIFF" ? await file.u32(4) : 0;
    if (!(await hasSound(file, "data", file.u32))) return undefined;
    if (size > 0) return size === UNKNOWN_32 ? undefined : 8 + size;
    const [whole, isNamed] = [await file.u64(20), (await file.text(12, 4)) === "ds64"];
    return isNamed && whole > 0 ? 8 + whole : undefined;
  },
  aiff: async (file) => {
    const size = await file.u32be(4);
    const isKnown = size > 0 && size !== UNKNOWN_32 && (await hasSound(file, "SSND", file.u32be));
    return isKnown ? 8 + size : undefined;
  },
  w64: async (file) => (await file.u64(16)) || undefined,
  au: async (file) => {
    const [start, size] = [await file.u32be(4), await file.u32be(8)];
    return size === UNKNOWN_32 || size === 0 ? undefined : start + size;
  },
  dsf: async (file) => (await file.u64(12)) || undefined,
  asf: declaredByAsf,
  tta: declaredByTta,
  ape: declaredByApe,
};

/** False while a writer has written its header alone: the chunk with the sound is empty. */
async function hasSound(
  file: Bytes,
  name: string,
  sizeAt: (at: number) => Promise<number>,
): Promise<boolean> {
  let at = 12;
  for (let count = 0; at < file.size && count < MAX_CHUNKS; count++) {
    const size = await sizeAt(at + 4);
    if ((await file.text(at, 4)) === name) return size > (name === "SSND" ? 8 : 0);
    at += 8 + size + (size % 2);
  }
  // Cut before the sound: the declared length says so.
  return true;
}

const ASF_FILE_PROPERTIES = "a1dcab8c47a9cf118ee400c00c205365";

/** @see Advanced Systems Format, 3.2: the size of the file, which a live stream does not know. */
async function declaredByAsf(file: Bytes): Promise<number | undefined> {
  const end = await file.u64(16);
  let at = 30;
  for (let count = 0; count < MAX_CHUNKS && at < end; count++) {
    if ((await file.hex(at, 16)) === ASF_FILE_PROPERTIES) {
      const isLive = ((await file.u32(at + 88)) & 1) === 1;
      return isLive ? undefined : (await file.u64(at + 40)) || undefined;
    }
    at += Math.max(await file.u64(at + 16), 24);
  }
  return undefined;
}

/** The table of frame lengths follows the header. */
async function declaredByTta(file: Bytes): Promise<number | undefined> {
  const [rate, samples] = [await file.u32(10), await file.u32(14)];
  const perFrame = Math.floor((256 * rate) / 245);
  if (perFrame === 0 || samples === 0) return undefined;
  const frames = Math.ceil(samples / perFrame);
  const table = await file.read(22, 4 * frames);
  if (table.length < 4 * frames) return 22 + 4 * frames + 4;
  const view = new DataView(table.buffer, table.byteOffset, table.byteLength);
  let end = 22 + 4 * frames + 4;
  for (let frame = 0; frame < frames; frame++) end += view.getUint32(4 * frame, true);
  return end;
}

/** The descriptor of version 3.98 and later adds up to the file. */
async function declaredByApe(file: Bytes): Promise<number | undefined> {
  if ((await file.u16(4)) < 3980) return undefined;
  let end = (await file.u32(28)) * 2 ** 32;
  for (const at of [8, 12, 16, 20, 24, 32]) end += await file.u32(at);
  return end;
}
