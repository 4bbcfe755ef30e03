import { batch, signal } from "@preact/signals";
import { library } from "../api/library.ts";
import { account, root } from "../first-data.ts";
import { keepsSomething, keptShares, wanted, wantKey } from "./kept.ts";
import {
  CHANNEL,
  change,
  type DeviceRow,
  type ListRow,
  type Owner,
  prefixOf,
  readRows,
  type TrackRow,
} from "./store.ts";

/** Whose things this tab keeps. */
export const owner: Owner = { root, accountId: account.id, libraryId: library.peek().id };
export const prefix = prefixOf(owner);

/** This device, once it keeps something of this library. */
export const device = signal<DeviceRow | undefined>(undefined);
export const lists = signal<readonly ListRow[]>([]);
export const tracks = signal<readonly TrackRow[]>([]);

/** Tracks that changed since the last sync: another version may be the active one. */
export const stale = new Set<string>();

/** Tabs and the worker tell each other what became of what is kept. `stop`: everything is about to be deleted. */
export const channel = new BroadcastChannel(CHANNEL);
export type Told = "changed" | "withdrawn" | "stop";

let working: AbortController | undefined;

/** Begins to bring things up to date; the signal says when to stop. */
export function beginWork(): AbortSignal {
  working = new AbortController();
  return working.signal;
}

export const stopWork = (): void => working?.abort();

/** Reads what all tabs and the worker may have changed. */
export async function readAll(): Promise<void> {
  if (!keepsSomething()) return show(undefined, [], []);
  const [[own], ownLists, ownTracks] = await Promise.all([
    readRows<DeviceRow>("devices", prefix),
    readRows<ListRow>("lists", prefix),
    readRows<TrackRow>("tracks", prefix),
  ]);
  show(own, ownLists, ownTracks);
}

function show(
  own: DeviceRow | undefined,
  ownLists: readonly ListRow[],
  ownTracks: readonly TrackRow[],
): void {
  if (!own) stopWork();
  const before = keptShares.peek();
  batch(() => {
    device.value = own;
    lists.value = ownLists;
    tracks.value = ownTracks;
    wanted.value = new Set(own?.wants.map(wantKey));
    keptShares.value = new Map(
      ownTracks.map(({ trackId, sound }) => [trackId, sound ? 1 : Math.min(before.get(trackId) ?? 0, 0.99)]),
    );
  });
}

/** Has this tab and the others show what was changed. */
export async function tellAll(): Promise<void> {
  await readAll();
  channel.postMessage("changed");
}

/** Changes the row of this device. */
export async function putDevice(row: DeviceRow): Promise<void> {
  await change(["devices"], (store) => store("devices").put(row));
  await tellAll();
}

/** Changes the row of a track, if it is still there. */
export async function patchTrack(trackId: string, patch: Partial<TrackRow>): Promise<void> {
  await change(["tracks"], (store) => {
    const found = store("tracks").get(prefix + trackId);
    found.onsuccess = () => {
      if (found.result) store("tracks").put({ ...found.result, ...patch });
    };
  });
  await tellAll();
}
