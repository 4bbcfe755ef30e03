import { existsSync, readdirSync, rmSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { toIso } from "../kernel/time.ts";
import { MANIFEST, MAX_MANIFEST_BYTES, type Manifest, parseManifest, SUMS } from "./manifest.ts";
import { parseSum, type Sum } from "./sums.ts";
import { BLOCK_BYTES, decodeHeader, paddingOf } from "./tar.ts";

/** A snapshot in a folder of backups. */
export type Snapshot = { path: string; at: number };

const FOLDER = "snapshots";
/** A snapshot is named by its time, without colons, which some file systems refuse. */
const NAME = /^(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})-(\d{2}\.\d{3}Z)\.tar(|\.damaged)$/;
const LEFTOVER = /^\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}\.\d{3}Z\.tar\.partial(\.db)?(-journal)?$/;

/** Returns the folder that holds the snapshots in a folder of backups. */
export function snapshotsFolder(dir: string): string {
  return join(dir, FOLDER);
}

/** Returns the path of the snapshot for a time. */
export function snapshotPath(dir: string, at: number): string {
  return join(snapshotsFolder(dir), `${toIso(at).replaceAll(":", "-")}.tar`);
}

/** Returns the complete snapshots of a folder, oldest first. Ignores files with other names. */
export function listSnapshots(dir: string): Snapshot[] {
  return listNamed(dir, "");
}

/** Returns the snapshots that lack a file of the library, oldest first. */
export function listDamaged(dir: string): Snapshot[] {
  return listNamed(dir, ".damaged");
}

function listNamed(dir: string, ending: string): Snapshot[] {
  const folder = snapshotsFolder(dir);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const [, day, hour, minute, rest, end] = NAME.exec(name) ?? [];
      const at = end === ending ? Date.parse(`${day}T${hour}:${minute}:${rest}`) : Number.NaN;
      return Number.isNaN(at) ? [] : [{ path: join(folder, name), at }];
    });
}

/** Removes the leftovers of killed backups. Call it while no other backup writes to the folder. */
export function removeLeftovers(dir: string): void {
  const folder = snapshotsFolder(dir);
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder))
    if (LEFTOVER.test(name)) rmSync(join(folder, name), { force: true });
}

/** Reads the manifest of an archive. Returns undefined when it is not a backup. */
export async function readManifest(path: string): Promise<Manifest | undefined> {
  const file = await open(path, "r");
  try {
    const member = await findMember(file, MANIFEST);
    if (!member || member.sizeBytes > MAX_MANIFEST_BYTES) return undefined;
    const bytes = Buffer.alloc(member.sizeBytes);
    await file.read(bytes, 0, bytes.length, member.start);
    return parseManifest(bytes);
  } finally {
    await file.close();
  }
}

/** Yields the lines of an archive's `SHA256SUMS`, without reading the rest of it. */
export async function* readSums(path: string): AsyncGenerator<Sum> {
  const file = await open(path, "r");
  const member = await findMember(file, SUMS).finally(() => file.close());
  if (!member) return;
  const text = Bun.file(path).slice(member.start, member.start + member.sizeBytes);
  for await (const line of linesOf(text.stream())) {
    const sum = parseSum(line);
    if (sum) yield sum;
  }
}

/** Yields the lines of an ASCII text without their newlines. The last line may lack its newline. */
export async function* linesOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let rest = "";
  for await (const piece of pieces) {
    const lines = (rest + Buffer.from(piece).toString("latin1")).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}

/** Finds a member by reading headers only. */
async function findMember(
  file: FileHandle,
  name: string,
): Promise<{ start: number; sizeBytes: number } | undefined> {
  const block = Buffer.alloc(BLOCK_BYTES);
  for (let at = 0; ; ) {
    const { bytesRead } = await file.read(block, 0, BLOCK_BYTES, at);
    const header = bytesRead === BLOCK_BYTES ? decodeHeader(block) : undefined;
    if (!header) return undefined;
    at += BLOCK_BYTES;
    if (header.name === name) return { start: at, sizeBytes: header.sizeBytes };
    at += header.sizeBytes + paddingOf(header.sizeBytes);
  }
}
