import { bytesOf, type FileSource, newBlock } from "./file-source.ts";

/** A file of an archive. It is read twice, because its checksum is in front of its bytes. */
export type ZipEntry = {
  /** Unique in the archive; folders are separated by `/`. */
  name: string;
  sizeBytes: number;
  /** Epoch milliseconds. */
  modifiedAt: number;
  /** Where its bytes are, or what yields them. */
  source: FileSource | (() => AsyncIterable<Uint8Array>);
  /** Reads the file for the first time and returns the CRC-32 of its bytes. Left out: of what {@link ZipEntry.source} gives. */
  checksum?: () => Promise<number>;
};

const UTF8_NAMES = 0x0800;
const NEEDS_20 = 20;
/** The version that reads sizes and offsets of 64 bits. */
const NEEDS_45 = 45;
const MADE_ON_UNIX = 3 << 8;
const REGULAR_FILE_0644 = 0o100644 << 16;
const MAX_32 = 0xffff_ffff;
const MAX_16 = 0xffff;
const TIME_FIELD_BYTES = 9;

/**
 * Returns the bytes of an archive that holds files as they are: sound does not become smaller. Files and archives above
 * 4 GiB take the 64-bit fields, smaller ones do without. Reads as fast as the caller takes the bytes.
 *
 * @param onBegun Called as the bytes of a file begin; its result is called when the caller has taken them all.
 * @throws Error when a file no longer has the size that was announced.
 * @see PKWARE 2022, "APPNOTE.TXT - .ZIP File Format Specification 6.3.10", section 4.3.
 */
export async function* zip<Entry extends ZipEntry>(
  entries: readonly Entry[],
  onBegun: (entry: Entry) => () => void = () => () => undefined,
): AsyncGenerator<Uint8Array> {
  const central: Uint8Array[] = [];
  const block = newBlock();
  let offset = 0;
  for (const entry of entries) {
    const checksum = await (entry.checksum?.() ?? checksumOf(entry, block));
    const head = localHeader(entry, checksum);
    const onTaken = onBegun(entry);
    yield head;
    let left = entry.sizeBytes;
    for await (const chunk of chunksOf(entry, block)) {
      left -= chunk.length;
      yield chunk;
    }
    if (left !== 0) throw new Error(`${entry.name} changed while it was read`);
    onTaken();
    central.push(centralHeader(entry, checksum, offset));
    offset += head.length + entry.sizeBytes;
  }
  const directory = Buffer.concat(central);
  yield directory;
  yield endOf(entries.length, offset, directory.length);
}

/** Returns how long the archive of {@link zip} becomes. */
export function zipSize(entries: readonly ZipEntry[]): number {
  let [offset, directory] = [0, 0];
  for (const entry of entries) {
    directory += centralHeader(entry, 0, offset).length;
    offset += localHeader(entry, 0).length + entry.sizeBytes;
  }
  return offset + directory + endOf(entries.length, offset, directory).length;
}

const chunksOf = ({ source }: ZipEntry, block: Buffer) =>
  typeof source === "function" ? source() : bytesOf(source, undefined, block);

async function checksumOf(entry: ZipEntry, block: Buffer): Promise<number> {
  let checksum = 0;
  for await (const chunk of chunksOf(entry, block)) checksum = Bun.hash.crc32(chunk, checksum);
  return checksum;
}

function localHeader({ name, sizeBytes, modifiedAt }: ZipEntry, checksum: number): Uint8Array {
  const isLarge = sizeBytes >= MAX_32;
  const extra = Buffer.concat([timeField(modifiedAt), isLarge ? largeField([sizeBytes, sizeBytes]) : EMPTY]);
  const bytes = Buffer.from(name);
  const head = fields([
    [4, 0x0403_4b50],
    ...commonFields({ isLarge, modifiedAt, checksum, sizeBytes }),
    [2, bytes.length],
    [2, extra.length],
  ]);
  return Buffer.concat([head, bytes, extra]);
}

function centralHeader(
  { name, sizeBytes, modifiedAt }: ZipEntry,
  checksum: number,
  offset: number,
): Uint8Array {
  const large = [
    ...(sizeBytes >= MAX_32 ? [sizeBytes, sizeBytes] : []),
    ...(offset >= MAX_32 ? [offset] : []),
  ];
  const extra = Buffer.concat([timeField(modifiedAt), large.length > 0 ? largeField(large) : EMPTY]);
  const bytes = Buffer.from(name);
  const head = fields([
    [4, 0x0201_4b50],
    [2, MADE_ON_UNIX | NEEDS_45],
    ...commonFields({ isLarge: large.length > 0, modifiedAt, checksum, sizeBytes }),
    [2, bytes.length],
    [2, extra.length],
    [2, 0], // comment
    [2, 0], // disk
    [2, 0], // internal attributes
    [4, REGULAR_FILE_0644],
    [4, Math.min(offset, MAX_32)],
  ]);
  return Buffer.concat([head, bytes, extra]);
}

type Common = { isLarge: boolean; modifiedAt: number; checksum: number; sizeBytes: number };

/** What a file's two headers have in common. */
function commonFields({ isLarge, modifiedAt, checksum, sizeBytes }: Common): Field[] {
  const size = Math.min(sizeBytes, MAX_32);
  return [
    [2, isLarge ? NEEDS_45 : NEEDS_20],
    [2, UTF8_NAMES],
    [2, 0], // stored
    ...dosTime(modifiedAt),
    [4, checksum],
    [4, size],
    [4, size],
  ];
}

function endOf(count: number, offset: number, length: number): Uint8Array {
  const isLarge = count >= MAX_16 || offset >= MAX_32 || length >= MAX_32;
  const large = fields([
    [4, 0x0606_4b50],
    [8, 44], // bytes that follow
    [2, MADE_ON_UNIX | NEEDS_45],
    [2, NEEDS_45],
    [4, 0], // this disk
    [4, 0], // disk of the directory
    [8, count],
    [8, count],
    [8, length],
    [8, offset],
    [4, 0x0706_4b50], // where the record above stands
    [4, 0],
    [8, offset + length],
    [4, 1],
  ]);
  const end = fields([
    [4, 0x0605_4b50],
    [2, 0],
    [2, 0],
    [2, Math.min(count, MAX_16)],
    [2, Math.min(count, MAX_16)],
    [4, Math.min(length, MAX_32)],
    [4, Math.min(offset, MAX_32)],
    [2, 0], // comment
  ]);
  return isLarge ? Buffer.concat([large, end]) : end;
}

/** Sizes and offsets that do not fit into 32 bits. */
function largeField(values: readonly number[]): Buffer {
  return fields([[2, 0x0001], [2, 8 * values.length], ...values.map((value): Field => [8, value])]);
}

/** The time of a file as seconds since 1970: what the other fields say depends on the reader's time zone. */
function timeField(at: number): Buffer {
  return fields([
    [2, 0x5455],
    [2, TIME_FIELD_BYTES - 4],
    [1, 1],
    [4, Math.max(0, Math.floor(at / 1000)) % 2 ** 32],
  ]);
}

/** The time of a file in the format's own fields, in UTC. They begin with the year 1980. */
function dosTime(at: number): Field[] {
  const date = new Date(Math.max(at, Date.UTC(1980, 0)));
  const time = (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1);
  const day = ((date.getUTCFullYear() - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate();
  return [
    [2, time],
    [2, day],
  ];
}

type Field = readonly [bytes: 1 | 2 | 4 | 8, value: number];
const EMPTY = Buffer.alloc(0);

/** Returns numbers one after the other, the lowest byte of each first. */
function fields(list: readonly Field[]): Buffer {
  const buffer = Buffer.alloc(list.reduce((sum, [bytes]) => sum + bytes, 0));
  let at = 0;
  for (const [bytes, value] of list) {
    if (bytes === 8) buffer.writeBigUInt64LE(BigInt(value), at);
    else buffer.writeUIntLE(value >>> 0, at, bytes);
    at += bytes;
  }
  return buffer;
}
