import { statSync } from "node:fs";
import { originalsOf } from "../../../blobs/store.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { sizeOfFile } from "../queries.ts";

/** An audio file as workers get it: its bytes, without a name. */
export type WorkAudio = { sizeBytes: number; open: () => Promise<Blob | ReadableStream<Uint8Array>> };

/** Returns the file with these bytes; undefined when it is missing. All that workers are given is read here. */
export function findAudio(
  { db, settings }: Pick<Deps, "db" | "settings">,
  sha256: string,
): WorkAudio | undefined {
  const source = originalsOf(settings).find(sha256);
  if (source === undefined) return undefined;
  const isHere = typeof source === "string";
  const sizeBytes = isHere ? statSync(source, { throwIfNoEntry: false })?.size : sizeOfFile(db, sha256);
  if (sizeBytes === undefined) return undefined;
  return { sizeBytes, open: async () => (isHere ? Bun.file(source) : source.open()) };
}
