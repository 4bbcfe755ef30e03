/**
 * Files that are nowhere else, such as those that other apps shared. They are kept here until the library has them, so that a page that
 * is closed loses nothing.
 */

const STORE = "files";
let opened: Promise<IDBDatabase> | undefined;

function open(): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open("dubplate-bytes", 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  return opened;
}

async function change(make: (files: IDBObjectStore) => void): Promise<void> {
  const transaction = (await open()).transaction(STORE, "readwrite");
  const done = new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });
  make(transaction.objectStore(STORE));
  await done;
}

/** Keeps the file of an upload. @throws DOMException `QuotaExceededError` and its like. */
export const keepBytes = (id: string, file: File): Promise<void> => change((files) => files.put(file, id));

/** Returns the file of an upload, where it was kept. */
export async function bytesOf(id: string): Promise<File | undefined> {
  try {
    const request = (await open()).transaction(STORE).objectStore(STORE).get(id);
    return await new Promise<File | undefined>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  } catch {
    return undefined;
  }
}

/** Deletes the files of uploads. */
export const dropBytes = (ids: readonly string[]): Promise<void> =>
  change((files) => {
    for (const id of ids) files.delete(id);
  }).catch(() => undefined);
