import { account, firstLibrary, root } from "../first-data.ts";
import { dropBytes } from "./bytes.ts";
import { sortedByPath } from "./dropped.ts";

/** The state of a file that is remembered while no page is open. */
export type Remembered = {
  id: string;
  /** Random: by it the server knows an announcement that is repeated. */
  key: string;
  /** Who sends it where, and the server's root: one origin may have several of each. */
  owner: string;
  /** The tab that sends it. */
  tab: string;
  path: string;
  size: number;
  /** When the file was last changed. */
  modified: number;
  /** What a few places of the file hold, so that another file of this name and length is not taken for it. */
  print?: string;
  /** Where it is being sent; `""`: the server does not know of it yet. */
  url: string;
  /** Bytes that the server had when it was last asked. */
  reached: number;
  /** Whose new version it becomes, and what that track is called. */
  version?: { trackId: string; title: string; activate: boolean };
  /** The playlist that it was dropped on. */
  playlist?: { id: string; name: string };
  /** What became of it. */
  made?: { trackId: string; versionId?: string; title: string; isTwin: boolean; isListed: boolean };
};

const isFounder = account?.id === firstLibrary?.id;

/** Whose files this page sends, and into which library: that of its founder has the same id. */
export const owner = `${root} ${account?.id ?? ""}${isFounder ? "" : ` ${firstLibrary?.id}`}`;

const STORE = "files";
let opened: Promise<IDBDatabase> | undefined;

function open(): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open("dubplate-uploads", 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "id" });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  return opened;
}

/** Changes the remembered state. A browser that remembers nothing still sends. */
async function write(change: (files: IDBObjectStore) => void): Promise<void> {
  try {
    const transaction = (await open()).transaction(STORE, "readwrite");
    change(transaction.objectStore(STORE));
    await new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onerror = () => reject(transaction.error);
      transaction.onabort = () => reject(transaction.error);
    });
  } catch {
    // In a private window some browsers keep nothing.
  }
}

/** Remembers files as they are now. */
export function remember(files: readonly Remembered[]): Promise<void> {
  return write((store) => {
    for (const file of files) store.put(file);
  });
}

/** Forgets files. */
export function forget(ids: readonly string[]): Promise<void> {
  void dropBytes(ids);
  return write((store) => {
    for (const id of ids) store.delete(id);
  });
}

/** Returns the files of this account that are remembered, in the order in which they were chosen. */
export async function remembered(): Promise<Remembered[]> {
  try {
    const request = (await open()).transaction(STORE).objectStore(STORE).getAll();
    const all = await new Promise<Remembered[]>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    return sortedByPath(all.filter((file) => file.owner === owner));
  } catch {
    return [];
  }
}
