import { open } from "node:fs/promises";

/** A file to copy, like an upload without HTTP. */
export type CopyOptions = { from: string; to: string };
export type CopyResult = { elapsedMs: number; sha256: string };

const CHUNK_BYTES = 1024 * 1024;
const FLUSH_EVERY_CHUNKS = 32;

/**
 * Reads, hashes, writes and flushes a file. Each block is written while the next is read and hashed. Written blocks
 * are flushed in the background, which leaves little to flush at the end.
 */
export async function copy({ from, to }: CopyOptions): Promise<CopyResult> {
  const startedAt = performance.now();
  const hash = new Bun.CryptoHasher("sha256");
  const source = await open(from, "r");
  const target = await open(to, "w");
  const buffers = [Buffer.alloc(CHUNK_BYTES), Buffer.alloc(CHUNK_BYTES)];
  let writing: Promise<unknown> = Promise.resolve();
  let flushing: Promise<unknown> | undefined;
  const flush = () => {
    flushing ??= target.datasync().then(() => {
      flushing = undefined;
    });
  };
  for (let block = 0; ; block++) {
    const buffer = buffers[block % 2] ?? Buffer.alloc(CHUNK_BYTES);
    const { bytesRead } = await source.read(buffer, 0, CHUNK_BYTES, null);
    if (bytesRead === 0) break;
    const bytes = buffer.subarray(0, bytesRead);
    hash.update(bytes);
    await writing;
    writing = writeAll(target, bytes);
    if (block % FLUSH_EVERY_CHUNKS === 0) flush();
  }
  await Promise.all([writing, flushing]);
  await target.sync();
  await Promise.all([source.close(), target.close()]);
  return { elapsedMs: performance.now() - startedAt, sha256: hash.digest("hex") };
}

async function writeAll(target: Awaited<ReturnType<typeof open>>, bytes: Uint8Array): Promise<void> {
  for (let written = 0; written < bytes.length; )
    written += (await target.write(bytes, written, bytes.length - written)).bytesWritten;
}
