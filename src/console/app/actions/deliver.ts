import { memory } from "../memory.ts";
import { go } from "../router.ts";

/** What is delivered. */
export type Delivered =
  | { ids: readonly string[] }
  | { playlistId: string }
  /** A track: the whole set of its song. */
  | { familyOf: string };

/** An address has room for so many; more are kept beside it. */
const MAX_IN_ADDRESS = 100;
const KEPT = "delivered";

/** Opens the page on which tracks, a playlist or a set are delivered. */
export function deliver(what: Delivered): void {
  go(`/library/deliver?${new URLSearchParams({ of: textOf(what) })}`);
}

/** Opens the page for tracks. */
export const deliverTracks = (tracks: readonly { id: string }[]): void => {
  const ids = tracks.map(({ id }) => id);
  if (ids.length > 0) deliver({ ids });
};

function textOf(what: Delivered): string {
  if ("playlistId" in what) return `playlist:${what.playlistId}`;
  if ("familyOf" in what) return `set:${what.familyOf}`;
  if (what.ids.length <= MAX_IN_ADDRESS) return `tracks:${what.ids.join(",")}`;
  memory.set(KEPT, what.ids);
  return `chosen:${what.ids.length}`;
}

/** Reads what an address of {@link deliver} names; undefined when it names nothing. */
export function readDelivered(of: string | null): Delivered | undefined {
  const [, kind, rest = ""] = /^(playlist|set|tracks|chosen):(.+)$/.exec(of ?? "") ?? [];
  if (kind === "playlist") return { playlistId: rest };
  if (kind === "set") return { familyOf: rest };
  const ids = kind === "chosen" ? memory.get<string[]>(KEPT) : kind && rest.split(",").filter(Boolean);
  return Array.isArray(ids) && ids.length > 0 ? { ids } : undefined;
}
