/**
 * What a device keeps: rows in a database, sounds and covers in caches. The page and the worker use it, so it needs neither a
 * document nor an account. Keys begin with the server's root, the account and the library, because an origin may have several.
 */

const NAME = "dubplate-pocket";
const STORES = ["devices", "lists", "tracks", "outbox", "shared", "outlines"] as const;
export type StoreName = (typeof STORES)[number];
/** The caches are never renamed by an update. */
export const AUDIO_CACHE = "dubplate-pocket-audio";
export const COVER_CACHE = "dubplate-pocket-covers";
/** What the names of the worker's own caches begin with: each build of it has one. */
export const SHELL_CACHE = "dubplate-shell-";

/** Whose things they are. */
export type Owner = { root: string; accountId: string; libraryId: string };

/** A device, as it knows itself. */
export type DeviceRow = Owner & {
  key: string;
  id: string;
  token: string;
  libraryName: string;
  wants: { entity: "track" | "playlist"; id: string; name: string }[];
  /** Until when it may play, when that was said, and what its own clock showed then. All are epoch milliseconds. */
  leaseUntil: number;
  syncedAt: number;
  deviceAt: number;
  /** The titles of what is wanted and not kept, because it is hidden. */
  hidden?: readonly string[];
  /** The latest moment that it knows of, by the server's clock. */
  latestAt: number;
};

/** A playlist or an album that is kept, as the server last gave it. */
export type ListRow = Owner & { key: string; id: string; name: string; trackIds: readonly string[] };

/** A sound that is here whole. */
export type KeptSound = {
  versionId: string;
  label: string;
  durationSec: number | null;
  gainDb: number;
  /** Where it lies in {@link AUDIO_CACHE}. */
  path: string;
  mediaType: string;
  sizeBytes: number;
  etag: string;
  /** Left out: its outline is not here yet. */
  hasOutline?: boolean;
};

/** A track that is to be kept. */
export type TrackRow = Owner & {
  key: string;
  trackId: string;
  title: string;
  artist: string | null;
  /** Where its cover lies in {@link COVER_CACHE}. */
  cover: string | null;
  /** What plays here; null: nothing has arrived whole yet. A newer version takes its place when it has. */
  sound: KeptSound | null;
  /** The version that the server last gave. */
  wantedVersionId: string;
  /** How often in a row it did not arrive, although the server was there. */
  failures: number;
};

/** Returns where the things of an owner lie in the caches. */
export const pathOf = ({ root, accountId, libraryId }: Owner): string =>
  `${root}/library/kept/${accountId}/${libraryId}`;

/** Returns what every key of an owner begins with; of an account without a library, or of a root without an account. */
export const prefixOf = ({ root, accountId, libraryId }: Partial<Owner> & { root: string }): string =>
  [root, accountId, libraryId]
    .filter((part) => part !== undefined)
    .join("\n")
    .concat("\n");

let opened: Promise<IDBDatabase> | undefined;

function open(): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => {
      for (const store of STORES) request.result.createObjectStore(store, { keyPath: "key" });
    };
    request.onsuccess = () => {
      // Another tab or the worker deletes it.
      request.result.onversionchange = close;
      request.result.onclose = close;
      resolve(request.result);
    };
    request.onerror = () => reject(request.error);
  });
  opened.catch(() => {
    opened = undefined;
  });
  return opened;
}

function close(): void {
  void opened?.then((database) => database.close());
  opened = undefined;
}

const rangeOf = (prefix: string) => IDBKeyRange.bound(prefix, `${prefix}\uffff`);

/** True where something is or was kept. Reading would make the database. */
export const hasDatabase = async (): Promise<boolean> =>
  (await indexedDB.databases()).some(({ name }) => name === NAME);

/** Returns the rows whose keys begin with `prefix`. */
export async function readRows<Row>(store: StoreName, prefix: string): Promise<Row[]> {
  const request = (await open()).transaction(store).objectStore(store).getAll(rangeOf(prefix));
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Changes the stores that are named, all or nothing. @throws DOMException `QuotaExceededError`. */
export async function change(
  stores: readonly StoreName[],
  make: (of: (store: StoreName) => IDBObjectStore) => void,
): Promise<void> {
  const transaction = (await open()).transaction(stores, "readwrite");
  const done = new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });
  make((store) => transaction.objectStore(store));
  await done;
}

/**
 * Deletes everything of an owner, of an account in all its libraries, or of all accounts at a root. When nothing of anybody is
 * left, the database and the caches go too. Returns whether that is so.
 */
export async function wipe(of: Partial<Owner> & { root: string }): Promise<boolean> {
  const { root, accountId, libraryId } = of;
  const path = [`${root}/library/kept`, accountId, libraryId].filter((part) => part !== undefined).join("/");
  for (const name of [AUDIO_CACHE, COVER_CACHE])
    await deletePaths(name, (each) => each.startsWith(`${path}/`));
  // Last: when it is cut off before, the rows say that there is something to delete.
  const range = rangeOf(prefixOf(of));
  await change(STORES, (store) => {
    for (const name of STORES) store(name).delete(range);
  });
  if (!(await isEmpty())) return false;
  close();
  await Promise.all([deleteDatabase(), caches.delete(AUDIO_CACHE), caches.delete(COVER_CACHE)]);
  return true;
}

async function isEmpty(): Promise<boolean> {
  const transaction = (await open()).transaction(STORES);
  const counts = STORES.map((store) => transaction.objectStore(store).count());
  await new Promise<void>((resolve) => {
    transaction.oncomplete = () => resolve();
  });
  return counts.every(({ result }) => result === 0);
}

function deleteDatabase(): Promise<void> {
  return new Promise((resolve) => {
    const request = indexedDB.deleteDatabase(NAME);
    // A tab that still reads lets it go when it has read.
    request.onsuccess = request.onerror = request.onblocked = () => resolve();
  });
}

/** Deletes the rows of an owner whose keys, behind what they all begin with, are meant. */
export function deleteRows(
  name: StoreName,
  prefix: string,
  isMeant: (key: string) => boolean,
): Promise<void> {
  return change([name], (store) => {
    const keys = store(name).getAllKeys(rangeOf(prefix));
    keys.onsuccess = () => {
      for (const key of keys.result) if (isMeant(String(key).slice(prefix.length))) store(name).delete(key);
    };
  });
}

/** Deletes the entries of a cache whose paths are meant. */
export async function deletePaths(name: string, isMeant: (path: string) => boolean): Promise<void> {
  if (!(await caches.has(name))) return;
  const cache = await caches.open(name);
  for (const request of await cache.keys())
    if (isMeant(new URL(request.url).pathname)) await cache.delete(request);
}

/** What a device learns about itself from the server. */
export type StateAnswer = "live" | "withdrawn" | "unknown";

/** Asks whether a device may go on with its copies; needs no session. */
export async function askState({ root, id, token }: DeviceRow): Promise<StateAnswer> {
  try {
    const response = await fetch(`${root}/pocket/state`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ id, token }),
    });
    // A server that has forgotten the device has let its copies go.
    if (response.status === 404 && (await isRefusal(response))) return "withdrawn";
    return response.ok ? (await response.json()).data.state : "unknown";
  } catch {
    return "unknown";
  }
}

/** A proxy's own 404 says nothing about a device. */
async function isRefusal(response: Response): Promise<boolean> {
  const { messageCode } = await response.json().catch(() => ({}));
  return messageCode === "pocket_not_found";
}

/** What the worker is told before somebody goes to the server, however slow it is. */
export const BE_PATIENT = "be patient";

/** The name of the channel on which tabs and the worker tell each other what became of what is kept. */
export const CHANNEL = "dubplate-pocket";
