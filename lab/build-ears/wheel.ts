import { inflateRawSync } from "node:zlib";

const END_OF_DIRECTORY = 0x06054b50;
const END_BYTES = 22;
const ENTRY_BYTES = 46;
const HEADER_BYTES = 30;
const DEFLATED = 8;

/** Returns a reader of the files in a Python package (a zip archive) by their paths. */
export function openWheel(bytes: Buffer): (path: string) => Buffer {
  const end = bytes.length - END_BYTES;
  if (bytes.readUInt32LE(end) !== END_OF_DIRECTORY) throw new Error("The package is not a zip archive");
  const entries = new Map<string, Buffer>();
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    const [name, extra, comment] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset));
    const path = bytes.toString("utf8", at + ENTRY_BYTES, at + ENTRY_BYTES + (name ?? 0));
    entries.set(path, bytes.subarray(at, at + ENTRY_BYTES));
    at += ENTRY_BYTES + (name ?? 0) + (extra ?? 0) + (comment ?? 0);
  }
  return (path) => {
    const entry = entries.get(path);
    if (!entry) throw new Error(`The package has no ${path}`);
    const header = entry.readUInt32LE(42);
    const start = header + HEADER_BYTES + bytes.readUInt16LE(header + 26) + bytes.readUInt16LE(header + 28);
    const packed = bytes.subarray(start, start + entry.readUInt32LE(20));
    return entry.readUInt16LE(10) === DEFLATED ? inflateRawSync(packed) : packed;
  };
}
