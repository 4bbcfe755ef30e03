import { batch, computed, signal } from "@preact/signals";
import { root } from "../first-data.ts";
import { type CommentRow, isComment, readOutbox } from "./outbox.ts";
import { inOrder, inOrderOf, sorted } from "./shelf-order.ts";
import { type DeviceRow, hasDatabase, type ListRow, prefixOf, readRows, type TrackRow } from "./store.ts";

/** The device of the library that shows; undefined: nothing is kept. */
export const device = signal<DeviceRow | undefined>(undefined);
/** The devices of the same person's other libraries. */
export const others = signal<readonly DeviceRow[]>([]);
export const lists = signal<readonly ListRow[]>([]);
export const comments = signal<readonly CommentRow[]>([]);
const rows = signal<ReadonlyMap<string, TrackRow>>(new Map());

export const tracks = computed(() => inOrder(lists.value, rows.value));

/** Returns the kept tracks of a list, in its order. */
export const tracksOf = (list: ListRow): TrackRow[] => inOrderOf(list, rows.value);

/** Returns the row of a kept track. */
export const rowOf = (trackId: string): TrackRow | undefined => rows.peek().get(trackId);

/**
 * Reads what the device keeps: of the library that `wanted` names, or else of the one that was brought up to date last. Nothing shows of another
 * person than the one who was here last.
 */
export async function readShelf(wanted: string | null): Promise<void> {
  const all = (await hasDatabase()) ? await readRows<DeviceRow>("devices", prefixOf({ root })) : [];
  const newest = all.toSorted((a, b) => b.syncedAt - a.syncedAt)[0];
  const theirs = all.filter(({ accountId }) => accountId === newest?.accountId);
  const own = theirs.find(({ libraryId }) => libraryId === wanted) ?? newest;
  const [ownLists, ownTracks] = await Promise.all([
    own ? readRows<ListRow>("lists", prefixOf(own)) : [],
    own ? readRows<TrackRow>("tracks", prefixOf(own)) : [],
  ]);
  batch(() => {
    device.value = own;
    others.value = theirs.filter((each) => each !== own);
    lists.value = sorted(ownLists);
    rows.value = new Map(ownTracks.map((row) => [row.trackId, row]));
  });
  await readComments();
}

export async function readComments(): Promise<void> {
  const own = device.peek();
  comments.value = own ? (await readOutbox(own)).filter(isComment) : [];
}
