import { change, read } from "../bytes.ts";
import { owner } from "../store.ts";
import { takeOver } from "./take-over.ts";

/** A recording of this browser that the server does not have yet. */
export type Recording = {
  id: string;
  /** Whose it is; see {@link owner}. */
  owner: string;
  name: string;
  mediaType: string;
  /** When it began, in epoch milliseconds. */
  at: number;
  seconds: number;
};

const keyOf = (id: string) => ["recording", id];
const keyOfPart = (id: string, number: number) => ["part", id, number];
const ALL = IDBKeyRange.bound(["recording"], ["recording", []]);
const partsOf = (id: string) => IDBKeyRange.bound(["part", id], ["part", id, []]);

/** Writes down how far a recording is, and its newest part, so that a tab that is closed loses seconds at most. */
export function keepPart(recording: Recording, number: number, bytes: Blob): Promise<void> {
  return change((kept) => {
    kept.put(recording, keyOf(recording.id));
    kept.put(bytes, keyOfPart(recording.id, number));
  });
}

export const keepName = (recording: Recording): Promise<void> =>
  change((kept) => kept.put(recording, keyOf(recording.id)));

/** Deletes recordings. */
export function forgetRecordings(ids: readonly string[]): Promise<void> {
  return change((kept) => {
    for (const id of ids) {
      kept.delete(keyOf(id));
      kept.delete(partsOf(id));
    }
  });
}

let tookOver: Promise<void> | undefined;

/** Returns the recordings of this account that the server does not have, oldest first. */
export async function readRecordings(): Promise<Recording[]> {
  tookOver ??= takeOver(({ recordings, parts }) =>
    change((kept) => {
      for (const recording of recordings) kept.put(recording, keyOf(recording.id));
      for (const { id, number, bytes } of parts) kept.put(bytes, keyOfPart(id, number));
    }),
  ).catch(() => undefined);
  await tookOver;
  const all = await read<Recording>(ALL);
  return all.filter((each) => each.owner === owner).sort((a, b) => a.at - b.at);
}

/** Returns a recording as a file. The same one is the same file, so that an interrupted upload goes on. */
export async function fileOf({ id, name, mediaType, at }: Recording): Promise<File> {
  const ending = mediaType.startsWith("audio/ogg") ? ".ogg" : ".m4a";
  return new File(await read<Blob>(partsOf(id)), name + ending, { type: mediaType, lastModified: at });
}
