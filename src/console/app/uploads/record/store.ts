import { owner } from "../store.ts";

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
type Part = { id: string; number: number; bytes: Blob };

let opened: Promise<IDBDatabase> | undefined;

function open(): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open("dubplate-recordings", 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore("recordings", { keyPath: "id" });
      request.result.createObjectStore("parts", { keyPath: ["id", "number"] });
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  return opened;
}

const partsOf = (id: string) => IDBKeyRange.bound([id], [id, Number.POSITIVE_INFINITY]);

async function write(change: (recordings: IDBObjectStore, parts: IDBObjectStore) => void): Promise<void> {
  const transaction = (await open()).transaction(["recordings", "parts"], "readwrite");
  change(transaction.objectStore("recordings"), transaction.objectStore("parts"));
  await new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });
}

async function readAll<Row>(name: "recordings" | "parts", range?: IDBKeyRange): Promise<Row[]> {
  const request = (await open()).transaction(name).objectStore(name).getAll(range);
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Writes down how far a recording is, and its newest part, so that a tab that is closed loses seconds at most. */
export function keepPart(recording: Recording, number: number, bytes: Blob): Promise<void> {
  return write((recordings, parts) => {
    recordings.put(recording);
    parts.put({ id: recording.id, number, bytes } satisfies Part);
  });
}

export const keepName = (recording: Recording): Promise<void> =>
  write((recordings) => recordings.put(recording));

/** Deletes recordings. */
export function forgetRecordings(ids: readonly string[]): Promise<void> {
  return write((recordings, parts) => {
    for (const id of ids) {
      recordings.delete(id);
      parts.delete(partsOf(id));
    }
  });
}

/** Returns the recordings of this account that the server does not have, oldest first. */
export async function readRecordings(): Promise<Recording[]> {
  const all = await readAll<Recording>("recordings");
  return all.filter((each) => each.owner === owner).sort((a, b) => a.at - b.at);
}

/** Returns a recording as a file. The same one is the same file, so that an interrupted upload goes on. */
export async function fileOf({ id, name, mediaType, at }: Recording): Promise<File> {
  const parts = await readAll<Part>("parts", partsOf(id));
  return new File(
    parts.map(({ bytes }) => bytes),
    `${name}${mediaType.startsWith("audio/ogg") ? ".ogg" : ".m4a"}`,
    { type: mediaType, lastModified: at },
  );
}
