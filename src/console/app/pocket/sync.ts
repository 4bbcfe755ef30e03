import { signal as createSignal } from "@preact/signals";
import { LEASE_MS } from "../../../modules/pocket/devices/shapes.ts";
import { trackTitle } from "../../shared/names.ts";
import { api, dataOf } from "../api/client.ts";
import { isConnected } from "../api/connection.ts";
import { ApiError } from "../api/errors.ts";
import { library } from "../api/library.ts";
import { account, root } from "../first-data.ts";
import { toast } from "../ui/toast.tsx";
import { deliver } from "./deliver.ts";
import { download, keepOutlines, tidy } from "./download.ts";
import {
  beginWork,
  channel,
  device,
  owner,
  prefix,
  readAll,
  stale,
  stopWork,
  tellAll,
  tracks,
} from "./here.ts";
import { noteKeeping } from "./kept.ts";
import {
  askState,
  CHANNEL,
  change,
  type DeviceRow,
  type KeptSound,
  type ListRow,
  type Owner,
  prefixOf,
  readRows,
  wipe,
} from "./store.ts";
import { nameOf, type Synced, toRow } from "./synced.ts";

/** What is asked for, the smaller file first. */
const PLAYED = ["audio/ogg; codecs=opus", "audio/mp4", "audio/mpeg", "audio/flac", "audio/wav"];
const LOCK = `${CHANNEL} ${prefix}`;
/** How long a tab that still fetches is waited for before everything is deleted. */
const STOP_MS = 2000;
/** What did not arrive is asked for again after so long. */
const RETRY_SEC = 60;

export const isWorking = createSignal(false);
let timer: ReturnType<typeof setTimeout> | undefined;

/** Brings what is kept up to date; at once when a connection is back or a list has changed. */
export function syncIn(ms: number): void {
  clearTimeout(timer);
  timer = setTimeout(() => void syncInTurn({ ifFree: true }).catch(() => undefined), ms);
}

/** One tab at a time. */
export async function syncInTurn({ ifFree = false } = {}): Promise<void> {
  if (!device.peek()) return;
  await navigator.locks.request(LOCK, { ifAvailable: ifFree }, async (lock) => {
    if (!lock) return;
    const signal = beginWork();
    isWorking.value = true;
    try {
      if (isConnected.peek()) await sync(signal);
    } catch (thrown) {
      if (!signal.aborted) throw thrown;
    } finally {
      isWorking.value = false;
      await tidy();
    }
  });
}

async function sync(signal: AbortSignal): Promise<void> {
  await readAll();
  const row = device.peek();
  if (!row) return;
  await deliver(row);
  const sounds = soundsHere();
  const asked = dataOf(
    api.POST("/app/pocket/{id}/sync", {
      params: { path: { id: row.id }, query: { accept: accepted() } },
      body: {
        wants: row.wants.map(({ entity, id }) => ({ entity, id })),
        has: sounds.map(({ versionId, etag }) => ({ versionId, etag })),
        bytes: sounds.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
      },
      signal,
    }),
  );
  const known = [...stale];
  const given = await asked.catch(ifForgotten);
  if (!given) return;
  await take(row, given);
  for (const trackId of known) stale.delete(trackId);
  await tidy();
  const isWhole = await download(given.tracks, signal);
  await keepOutlines(given.tracks, signal);
  const waitsSec = given.tracks.flatMap(({ retryAfterSec }) => retryAfterSec ?? []);
  if (!isWhole) waitsSec.push(RETRY_SEC);
  // The server says under Devices how much is here.
  else if (pathsOf(soundsHere()) !== pathsOf(sounds)) waitsSec.push(0);
  if (waitsSec.length > 0) syncIn(1000 * Math.min(...waitsSec));
}

const soundsHere = (): KeptSound[] => tracks.peek().flatMap(({ sound }) => sound ?? []);
const pathsOf = (sounds: readonly KeptSound[]) => sounds.map(({ path }) => path).join();

/** The media types that this browser plays, as the server names them. */
function accepted(): string {
  const element = document.createElement("audio");
  return PLAYED.filter((type) => element.canPlayType(type) !== "")
    .map((type) => type.replace(/;.*/, ""))
    .join(",");
}

/** Nothing is kept of a device that the server knows no more: its copies were withdrawn. */
async function ifForgotten(thrown: unknown): Promise<undefined> {
  if (!(thrown instanceof ApiError) || thrown.code !== "pocket_not_found") throw thrown;
  await askWhetherLive();
}

/** Deletes everything when the server does not know the device any more. */
export async function askWhetherLive(): Promise<void> {
  const row = device.peek();
  if (!row || (await askState(row)) !== "withdrawn") return;
  await wipe(owner);
  channel.postMessage("withdrawn");
  await isGone();
}

/** Says that the copies of this library are deleted; when nothing else of this person is left, nothing is opened any more. */
export async function isGone(): Promise<void> {
  const was = device.peek();
  await readAll();
  if (!was || device.peek()) return;
  const others = await readRows("devices", prefixOf({ root, accountId: account.id }));
  if (others.length === 0) {
    noteKeeping(false);
    await wipe({ root, accountId: account.id });
  }
  toast("This device was removed from your library. Its copies have been deleted.", { kind: "alert" });
}

/** Writes down what is to be kept from now on. What plays here goes on until the newer version has arrived. */
async function take(
  row: DeviceRow,
  { leaseUntil, lists: given, tracks: wantedTracks, hidden }: Synced,
): Promise<void> {
  const before = new Map(tracks.peek().map((each) => [each.trackId, each]));
  const [now, until] = [Date.now(), Date.parse(leaseUntil)];
  const syncedAt = until - LEASE_MS;
  const nowOn: DeviceRow = {
    ...row,
    libraryName: library.peek().name,
    leaseUntil: until,
    syncedAt,
    deviceAt: now,
    hidden: hidden.map(({ title }) => trackTitle({ title: null, name: title })),
    latestAt: syncedAt,
  };
  await change(["devices", "lists", "tracks"], (store) => {
    const found = store("devices").get(row.key);
    found.onsuccess = () => {
      // Another tab may have deleted everything meanwhile.
      if (!found.result) return;
      // They may be others by now.
      const wants = (found.result as DeviceRow).wants;
      store("devices").put({
        ...nowOn,
        wants: wants.map((want) => ({ ...want, name: nameOf(want, given, wantedTracks) })),
      });
      for (const name of ["lists", "tracks"] as const)
        store(name).delete(IDBKeyRange.bound(prefix, `${prefix}\uffff`));
      for (const list of given)
        store("lists").put({ ...owner, ...list, key: prefix + list.id } satisfies ListRow);
      for (const track of wantedTracks) store("tracks").put(toRow(track, before.get(track.trackId)));
    };
  });
  await tellAll();
}

/**
 * Deletes what is kept: of this library, or of this person in all libraries. Returns whether nothing of anybody is left. What still runs,
 * in any tab, ends first.
 */
export async function forget(whose: Partial<Owner> & { root: string }): Promise<boolean> {
  stopWork();
  channel.postMessage("stop");
  const isAll = await whenFree(() => wipe(whose));
  if (isAll || whose.libraryId === undefined) noteKeeping(false);
  await tellAll();
  return isAll;
}

/** A tab that the browser has put to sleep does not let go. */
async function whenFree<Result>(run: () => Promise<Result>): Promise<Result> {
  const signal = AbortSignal.timeout(STOP_MS);
  let result: Promise<Result> | undefined;
  const once = () => (result ??= run());
  await navigator.locks.request(LOCK, { signal }, once).catch(() => undefined);
  return once();
}
