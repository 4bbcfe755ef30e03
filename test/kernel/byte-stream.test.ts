import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bodyOf } from "../../src/kernel/byte-stream.ts";
import { bytesOf } from "../../src/kernel/file-source.ts";

const folder = mkdtempSync(join(tmpdir(), "byte-stream-"));
afterAll(() => rmSync(folder, { recursive: true }));

const path = join(folder, "file");
const content = Uint8Array.from({ length: 3_000_001 }, (_, at) => (at * 31 + (at >> 11)) & 255);
writeFileSync(path, content);
const hashOf = (bytes: Uint8Array) => Bun.SHA256.hash(bytes, "hex");

test("a file is read into one piece of memory, whatever its size", async () => {
  const memory = new Set<ArrayBufferLike>();
  let bytes = 0;
  for await (const chunk of bytesOf(path)) {
    memory.add(chunk.buffer);
    bytes += chunk.length;
  }

  expect([memory.size, bytes]).toEqual([1, content.length]);
});

test.each([
  ["at once", (body: Response) => body.bytes()],
  ["as a buffer", async (body: Response) => new Uint8Array(await body.arrayBuffer())],
  [
    "chunk by chunk, all of them kept",
    async ({ body }: Response) => Buffer.concat(await Array.fromAsync(body ?? [])),
  ],
])("a body of such a file is whole when it is taken %s", async (_, take) => {
  const part = { start: 1000, end: content.length - 1 };

  const whole = await take(new Response(bodyOf(bytesOf(path))));
  const middle = await take(new Response(bodyOf(bytesOf(path, part))));

  expect(hashOf(whole)).toBe(hashOf(content));
  expect(hashOf(middle)).toBe(hashOf(content.subarray(part.start, part.end)));
});

test("a body is whole for a client that takes it more slowly than it is read", async () => {
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () => new Response(bodyOf(bytesOf(path))),
  });
  try {
    const { body } = await fetch(server.url);
    const chunks: Uint8Array[] = [];
    for await (const chunk of body ?? []) {
      chunks.push(chunk);
      await Bun.sleep(1);
    }

    expect(hashOf(Buffer.concat(chunks))).toBe(hashOf(content));
  } finally {
    await server.stop(true);
  }
});

test("a body that breaks off is no whole one, and a client that leaves ends the reading", async () => {
  let ended = 0;
  const bytes = async function* (breaks: boolean) {
    try {
      for (let count = 0; count < 100; count++) {
        if (breaks && count === 50) throw new Error("The file is damaged");
        yield new Uint8Array(100_000);
      }
    } finally {
      ended++;
    }
  };
  const length = { headers: { "content-length": "10000000" } };
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: ({ url }) => new Response(bodyOf(bytes(url.endsWith("/broken"))), length),
  });
  try {
    await expect(fetch(new URL("/broken", server.url)).then((answer) => answer.bytes())).rejects.toThrow();
    await expect(new Response(bodyOf(bytes(true))).bytes()).rejects.toThrow("damaged");
    const left = await fetch(server.url);
    await left.body?.cancel();
    for (let waited = 0; ended < 3 && waited < 200; waited++) await Bun.sleep(5);

    expect(ended).toBe(3);
  } finally {
    await server.stop(true);
  }
});
