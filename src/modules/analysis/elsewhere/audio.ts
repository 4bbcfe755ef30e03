import { statSync } from "node:fs";
import { findBlob } from "../../../blobs/store.ts";
import type { Deps } from "../../../kernel/deps.ts";

/** An audio file as workers get it: its bytes, without a name. */
export type WorkAudio = { sizeBytes: number; body: () => Blob };

/** Returns the file with these bytes; undefined when it is missing. All that workers are given is read here. */
export function findAudio({ settings }: Pick<Deps, "settings">, sha256: string): WorkAudio | undefined {
  const path = findBlob(settings, sha256);
  const sizeBytes = path === undefined ? undefined : statSync(path, { throwIfNoEntry: false })?.size;
  return path === undefined || sizeBytes === undefined
    ? undefined
    : { sizeBytes, body: () => Bun.file(path) };
}
