import { expect } from "bun:test";
import { crc32 } from "node:zlib";

/** The files of an archive by its directory, with their bytes checked against their checksums. */
export function unzipped(bytes: Uint8Array): { name: string; content: Buffer }[] {
  const buffer = Buffer.from(bytes);
  const end = buffer.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  const found = [];
  let at = buffer.readUInt32LE(end + 16);
  for (let count = buffer.readUInt16LE(end + 10); count > 0; count--) {
    const [checksum, size] = [buffer.readUInt32LE(at + 16), buffer.readUInt32LE(at + 24)];
    const [nameLength, extraLength] = [buffer.readUInt16LE(at + 28), buffer.readUInt16LE(at + 30)];
    const head = buffer.readUInt32LE(at + 42);
    const start = head + 30 + buffer.readUInt16LE(head + 26) + buffer.readUInt16LE(head + 28);
    const content = buffer.subarray(start, start + size);
    expect(crc32(content)).toBe(checksum);
    found.push({ name: buffer.toString("utf8", at + 46, at + 46 + nameLength), content });
    at += 46 + nameLength + extraLength;
  }
  return found;
}
