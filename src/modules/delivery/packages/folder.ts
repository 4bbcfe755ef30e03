import { existsSync } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DomainError } from "../../../kernel/errors.ts";
import { DAY_MS } from "../../../kernel/time.ts";
import type { ZipEntry } from "../../../kernel/zip.ts";
import { zip } from "../../../kernel/zip.ts";
import type { Made } from "./making.ts";
import type { PackageDeps, Plan } from "./plan.ts";
import { beginMaking, recordDelivery } from "./sending.ts";

/** A file that was written, and its hash. */
export type Written = { path: string; bytes: number; sha256: string };
/** What became of a package that was written on this machine. */
export type WrittenPackage = { id: string; path: string; files: Written[] };

const DIR_MODE = 0o755;

/**
 * Writes a package into a folder, below a folder of its own with the package's name, and lists it among the deliveries. It is there
 * whole or not at all; a name that is taken gets a number.
 *
 * @throws DomainError as {@link beginMaking} does; `storage_unavailable` when the folder cannot be written.
 */
export async function writeFolder(
  deps: PackageDeps,
  plan: Plan,
  folder: string,
  signal: AbortSignal,
): Promise<WrittenPackage> {
  const part = join(folder, `.${plan.id}.part`);
  try {
    await removeRemains(folder, deps.now() - DAY_MS);
    const { entries, made } = beginMaking(deps, plan, signal);
    for (const entry of entries) {
      await writeEntry(entry, join(part, entry.name));
      const sentBytes = plan.progress.sentBytes + entry.sizeBytes;
      plan.progress = { ...plan.progress, state: "making", sentBytes };
    }
    const path = freePath(folder, plan.root);
    await rename(join(part, plan.root), path);
    return record(deps, plan, path, made(), "folder");
  } catch (error) {
    throw unwritable(error, folder);
  } finally {
    await rm(part, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Removes what a process that was killed left of packages. The parts that another one writes now are younger. */
async function removeRemains(folder: string, before: number): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!/^\.pkg_\w+\.part$/.test(name)) continue;
    const path = join(folder, name);
    const { mtimeMs } = await stat(path);
    if (mtimeMs < before) await rm(path, { recursive: true, force: true });
  }
}

/** Writes a package as a ZIP file, as {@link writeFolder} does. */
export async function writeArchive(
  deps: PackageDeps,
  plan: Plan,
  path: string,
  signal: AbortSignal,
): Promise<WrittenPackage> {
  const part = `${path}.${plan.id}.part`;
  try {
    const { entries, made } = beginMaking(deps, plan, signal);
    await writeBytes(zip(entries), part);
    await rename(part, path);
    return record(deps, plan, path, made(), "zip");
  } catch (error) {
    throw unwritable(error, dirname(path));
  } finally {
    await rm(part, { force: true }).catch(() => undefined);
  }
}

/** Returns the refusal for what the system says of a folder that is to be written; any other error as it is. */
function unwritable(error: unknown, folder: string): unknown {
  if (!(error instanceof Error && "path" in error && "code" in error)) return error;
  if (typeof error.path !== "string" || !error.path.startsWith(folder)) return error;
  return new DomainError("storage_unavailable", `${folder} cannot be written: ${error.code}`, {
    cause: error,
  });
}

async function writeEntry(entry: ZipEntry, path: string): Promise<void> {
  await entry.checksum?.();
  await mkdir(dirname(path), { recursive: true, mode: DIR_MODE });
  if (typeof entry.source !== "function") throw new Error(`${entry.name} has no bytes of its own`);
  const bytes = await writeBytes(entry.source(), path);
  if (bytes !== entry.sizeBytes) throw new Error(`${entry.name} changed while it was read`);
}

async function writeBytes(bytes: AsyncIterable<Uint8Array>, path: string): Promise<number> {
  const file = await open(path, "wx");
  let written = 0;
  try {
    for await (const chunk of bytes) {
      await file.writeFile(chunk);
      written += chunk.length;
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return written;
}

function freePath(folder: string, name: string): string {
  for (let count = 1; ; count++) {
    const path = join(folder, count === 1 ? name : `${name} (${count})`);
    if (!existsSync(path)) return path;
  }
}

function record(
  deps: PackageDeps,
  plan: Plan,
  path: string,
  made: Made,
  way: "folder" | "zip",
): WrittenPackage {
  const bytes = plan.files.reduce((sum, file) => sum + file.sizeBytes, 0);
  const id = recordDelivery(deps, plan, made, { way, bytes: way === "zip" ? plan.sizeBytes : bytes });
  const files = plan.files.map((file) => ({
    path: file.path,
    bytes: file.sizeBytes,
    sha256: made.hashOf(file.path),
  }));
  return { id, path, files };
}
