import { createWriteStream, existsSync, mkdirSync, renameSync, rmSync, statSync } from "node:fs";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import type { Deps } from "../../kernel/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { HOUR_MS } from "../../kernel/time.ts";
import { type OpenedUrl, openUrl } from "../../net/fetch.ts";
import { type Manifest, type ModelFile, manifestPath, modelFolder, sha256Of } from "./manifest.ts";
import { ModelUnavailableError } from "./provider.ts";

/** Larger than any model that fits this purpose. */
const MOST_BYTES = 8 * 1024 ** 3;
const TIMEOUT_MS = 12 * HOUR_MS;

/** What became of a file. */
export type Pulled = { name: string; state: "there already" | "fetched" };

/**
 * Fetches the files of a model into its folder, one after another, and writes its manifest last. What is there and
 * right is left alone; what an earlier try has begun is continued, where the other side can do that.
 *
 * @throws ModelUnavailableError for a file without an address that is not there, or with another checksum; DomainError
 *   as {@link openUrl}.
 */
export async function pullModel(
  { settings }: Pick<Deps, "settings">,
  manifest: Manifest,
  { signal, onFile }: { signal: AbortSignal; onFile: (pulled: Pulled) => void },
): Promise<void> {
  const folder = modelFolder(settings, manifest.id);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const file of manifest.files) {
    const path = join(folder, file.name);
    const isThere = existsSync(path) && (await sha256Of(path)) === file.sha256;
    if (!isThere) await fetchFile(settings, path, file, signal);
    onFile({ name: file.name, state: isThere ? "there already" : "fetched" });
  }
  // Under its name at once or not at all: a folder with a manifest is whole.
  const target = manifestPath(settings, manifest.id);
  await Bun.write(`${target}.new`, `${JSON.stringify(manifest, null, 2)}\n`);
  await rename(`${target}.new`, target);
}

async function fetchFile(
  settings: Deps["settings"],
  path: string,
  { name, url, sha256 }: ModelFile,
  signal: AbortSignal,
): Promise<void> {
  if (url === undefined)
    throw new ModelUnavailableError(`${name} has no address: put it at ${path}, then run this again`);
  const part = `${path}.part`;
  const opened = await openFrom(settings, url, existsSync(part) ? statSync(part).size : 0, signal);
  const { finished } = await import("node:stream/promises");
  const out = createWriteStream(part, { flags: opened.isContinued ? "a" : "w", mode: 0o600 });
  try {
    for await (const bytes of opened.body)
      if (!out.write(bytes)) await new Promise<void>((resolve) => out.once("drain", resolve));
  } finally {
    out.end();
    await finished(out);
  }
  if ((await sha256Of(part)) !== sha256) {
    rmSync(part);
    throw new ModelUnavailableError(
      `${name} is not what the manifest says: its SHA-256 is another. It was removed`,
    );
  }
  renameSync(part, path);
}

/** Opens what follows the bytes that are there, or everything where that is refused: there may be nothing after them. */
async function openFrom(
  settings: Deps["settings"],
  url: string,
  fromByte: number,
  signal: AbortSignal,
): Promise<OpenedUrl> {
  const options = { maxBytes: MOST_BYTES, timeoutMs: TIMEOUT_MS, signal };
  if (fromByte === 0) return openUrl({ settings }, url, options);
  try {
    return await openUrl({ settings }, url, { ...options, fromByte });
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof DomainError)) throw error;
    return openUrl({ settings }, url, options);
  }
}
