import { originalsOf } from "../../../../blobs/store.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import { findVersion } from "../../catalog/service.ts";

/** The audio file that a job is about. */
export type AudioOf = { sha256: string; versionId: string };

/** An audio file as workers get it: its bytes, without a name. */
export type WorkAudio = {
  sizeBytes: number;
  /** @throws DomainError `file_missing`, `storage_unavailable`. */
  open: () => Promise<Blob | ReadableStream<Uint8Array>>;
};

/** Returns the file of a version; undefined when it is missing. All that workers are given is read here. */
export function findAudio(
  { db, settings }: Pick<Deps, "db" | "settings">,
  { sha256, versionId }: AudioOf,
): WorkAudio | undefined {
  const source = originalsOf(settings).find(sha256);
  const version = findVersion(db, versionId);
  if (source === undefined || !version) return undefined;
  return {
    sizeBytes: version.sizeBytes,
    open: async () => (typeof source === "string" ? Bun.file(source) : await source.open()),
  };
}
