import { mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { requireRoom } from "../../kernel/disk.ts";
import { writeAll } from "../../kernel/files.ts";
import type { StoreSettings } from "../originals.ts";
import { temporaryDir } from "../paths.ts";

/**
 * Writes a stream to a temporary file, which the next start deletes if this process does not. After a failure no file is
 * left.
 *
 * @returns Its path, and the SHA-256 of its bytes in lower-case hex.
 * @throws DomainError `insufficient_storage`, and what the stream throws.
 */
export async function download(
  settings: StoreSettings,
  body: AsyncIterable<Uint8Array>,
  sizeBytes: number,
): Promise<{ path: string; sha256: string }> {
  const dir = temporaryDir(settings);
  await mkdir(dir, { recursive: true, mode: 0o700 });
  requireRoom(settings, sizeBytes);
  const path = join(dir, `${process.pid}-${crypto.randomUUID()}.part`);
  const hash = new Bun.CryptoHasher("sha256");
  try {
    const file = await open(path, "wx", 0o600);
    try {
      for await (const chunk of body) {
        hash.update(chunk);
        await writeAll(file, chunk);
      }
      await file.datasync();
    } finally {
      await file.close();
    }
    return { path, sha256: hash.digest("hex") };
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}
