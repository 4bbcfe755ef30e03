/** Writes little parts of files for originals that no program makes. */
export const ascii = (text: string): Buffer => Buffer.from(text, "latin1");
const number = (bytes: number, isLittle: boolean) => (value: number) => {
  const buffer = Buffer.alloc(bytes);
  if (isLittle) buffer.writeUIntLE(value, 0, bytes);
  else buffer.writeUIntBE(value, 0, bytes);
  return buffer;
};
export const le16 = number(2, true);
export const le32 = number(4, true);
export const be32 = number(4, false);
export const le64 = (value: number): Buffer =>
  Buffer.concat([le32(value % 2 ** 32), le32(Math.floor(value / 2 ** 32))]);
const even = (content: Uint8Array) => (content.length % 2 === 0 ? [content] : [content, Buffer.alloc(1)]);
export const riffChunk = (id: string, content: Uint8Array, size = content.length): Buffer =>
  Buffer.concat([ascii(id), le32(size), ...even(content)]);
export const riff = (...chunks: Uint8Array[]): Buffer => {
  const body = Buffer.concat([ascii("WAVE"), ...chunks]);
  return Buffer.concat([ascii("RIFF"), le32(body.length), body]);
};

/** Returns samples of a signal that no two files have alike: whole numbers of up to four bytes. */
export function samples(count: number, bytes: number, seed: number): Buffer {
  const data = Buffer.alloc(count * bytes);
  let state = seed + 1;
  for (let at = 0; at < data.length; at += bytes) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    const value = Math.round(
      (Math.sin(at / 50) * 0.6 + (state / 2 ** 32 - 0.5) * 0.1) * 2 ** (8 * bytes - 2),
    );
    if (bytes === 1) data.writeUInt8((value + 128) & 0xff, at);
    else data.writeIntLE(value, at, bytes);
  }
  return data;
}

/** Returns the chunk that describes whole numbers. */
export const format = (channels: number, bytes: number, rateHz = 44_100): Buffer =>
  riffChunk(
    "fmt ",
    Buffer.concat([
      le16(1),
      le16(channels),
      le32(rateHz),
      le32(rateHz * channels * bytes),
      le16(channels * bytes),
      le16(8 * bytes),
    ]),
  );
