/**
 * Bytes that are nowhere else: files that other apps shared, and what is recorded. They are kept here until the library has them, so
 * that a page that is closed loses nothing. The file of an upload has its id as key, everything else a list that begins with its kind.
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

/** Changes what is kept, all or nothing. @throws DOMException `QuotaExceededError` and its like. */
export async function change(make: (kept: IDBObjectStore) => void): Promise<void> {
  const transaction = (await open()).transaction(STORE, "readwrite");
  const done = new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });
  make(transaction.objectStore(STORE));
  await done;
}

/** Returns what is kept under a key or a range of keys, in their order. */
export async function read<Value>(keys: IDBValidKey | IDBKeyRange): Promise<Value[]> {
  const request = (await open()).transaction(STORE).objectStore(STORE).getAll(keys);
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Keeps the file of an upload. @throws DOMException `QuotaExceededError` and its like. */
export const keepBytes = (id: string, file: File): Promise<void> => change((kept) => kept.put(file, id));

/** Returns the file of an upload, where it was kept. */
export const bytesOf = async (id: string): Promise<File | undefined> =>
  (await read<File>(id).catch(() => []))[0];

/** Deletes the files of uploads. */
export const dropBytes = (ids: readonly string[]): Promise<void> =>
  change((kept) => {
    for (const id of ids) kept.delete(id);
  }).catch(() => undefined);
