import { describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { appendPartial, createPartial } from "../../src/blobs/partial.ts";

const MEBIBYTE = 1024 ** 2;

async function emptyFile(): Promise<string> {
  const path = join(mkdtempSync(join(tmpdir(), "dubplate-partial-")), "file");
  await createPartial(path);
  return path;
}

/** Bytes that differ from place to place. */
const bytesOf = (count: number) => Uint8Array.from({ length: count }, (_, i) => (i * 31 + (i >> 8)) % 251);

/** Yields bytes as a request does: in chunks of different lengths, each with memory of its own. */
async function* inChunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let from = 0, length = 1; from < bytes.length; from += length, length = (length * 7) % 100_003)
    yield bytes.slice(from, from + length);
}

const sha256 = (bytes: Uint8Array) => new Bun.CryptoHasher("sha256").update(bytes).digest("hex");

describe("a file that arrives in pieces", () => {
  test("a piece of many chunks lies on the disk in order, and is hashed on the way", async () => {
    const [path, bytes] = [await emptyFile(), bytesOf(5 * MEBIBYTE + 17)];

    const appended = await appendPartial(path, { offset: 0, maxBytes: bytes.length }, inChunks(bytes));

    expect(appended).toEqual({ bytes: bytes.length, sha256: sha256(bytes) });
    expect(sha256(readFileSync(path))).toBe(sha256(bytes));
  });

  test("a later piece goes on where the first one ended, and is no hash of the whole", async () => {
    const [path, bytes] = [await emptyFile(), bytesOf(3 * MEBIBYTE)];
    const half = bytes.length / 2;
    await appendPartial(path, { offset: 0, maxBytes: bytes.length }, inChunks(bytes.subarray(0, half)));

    const appended = await appendPartial(
      path,
      { offset: half, maxBytes: half },
      inChunks(bytes.subarray(half)),
    );

    expect(appended).toEqual({ bytes: bytes.length, sha256: undefined });
    expect(sha256(readFileSync(path))).toBe(sha256(bytes));
  });

  test("a piece that is longer than was announced is cut off", async () => {
    const [path, bytes] = [await emptyFile(), bytesOf(2 * MEBIBYTE)];

    const appended = await appendPartial(path, { offset: 0, maxBytes: MEBIBYTE }, inChunks(bytes));

    expect(appended.sha256).toBe(sha256(bytes.subarray(0, MEBIBYTE)));
    expect(sha256(readFileSync(path))).toBe(sha256(bytes.subarray(0, MEBIBYTE)));
  });

  test("a connection that breaks leaves on the disk what came before", async () => {
    const [path, bytes] = [await emptyFile(), bytesOf(2 * MEBIBYTE + 5)];
    const broken = async function* () {
      yield* inChunks(bytes);
      throw new Error("The connection broke");
    };

    const appending = appendPartial(path, { offset: 0, maxBytes: 3 * MEBIBYTE }, broken());

    await expect(appending).rejects.toThrow("The connection broke");
    expect(sha256(readFileSync(path))).toBe(sha256(bytes));
  });
});
