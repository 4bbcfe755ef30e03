/** Where recordings were kept before they were with the other bytes of this browser. */
const FORMER = "dubplate-recordings";
const STORES = ["recordings", "parts"] as const;

type Former = { recordings: { id: string }[]; parts: { id: string; number: number; bytes: Blob }[] };

/**
 * Hands over the recordings that lie in the database of before. It goes at the first look at which it is empty: a tab from before may
 * still record into it.
 */
export async function takeOver(keep: (former: Former) => Promise<void>): Promise<void> {
  const isThere = (await indexedDB.databases()).some(({ name }) => name === FORMER);
  if (!isThere) return;
  const database = await resultOf(indexedDB.open(FORMER));
  const [recordings = [], parts = []] = await Promise.all(
    STORES.map((name) => resultOf(database.transaction(name).objectStore(name).getAll())),
  );
  if (recordings.length + parts.length === 0) indexedDB.deleteDatabase(FORMER);
  else {
    await keep({ recordings, parts });
    const transaction = database.transaction(STORES, "readwrite");
    for (const { id } of recordings) transaction.objectStore("recordings").delete(id);
    for (const { id, number } of parts) transaction.objectStore("parts").delete([id, number]);
  }
  database.close();
}

function resultOf<Value>(request: IDBRequest<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
