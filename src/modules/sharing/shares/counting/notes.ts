import { MINUTE_MS } from "../../../../kernel/time.ts";
import type { Activity } from "../../../library/analytics/service.ts";
import type { ShareRow } from "../queries.ts";
import type { Intervals } from "./intervals.ts";

/** Repeated activity of a visitor within this time counts once. */
export const AGAIN_MS = 30 * MINUTE_MS;
/** Beyond this number, the oldest visitors are dropped from memory; their rows stay in the log. */
const MAX_IN_HAND = 20_000;

/** Returns a visitor's name in the log: a part of the link's random cookie. */
export function visitName(visitId: string): string {
  return visitId.slice(0, 10);
}

/**
 * Returns an activity of a link's visitor, under the recipient's name. For a playlist's link it may concern one of
 * its tracks.
 */
export function activityOf(
  { id: shareId, ownerId, entity, entityId, recipient: name }: ShareRow,
  metric: Activity["metric"],
  visitId: string | undefined,
  trackId?: string,
): Activity {
  const playlistId = entity === "playlist" ? entityId : undefined;
  const what =
    trackId === undefined
      ? { entity, entityId }
      : { entity: "track" as const, entityId: trackId, playlistId };
  const visit = visitId === undefined ? null : visitName(visitId);
  return { ownerId, ...what, metric, actor: { type: "visitor", name }, shareId, visit };
}

/** The current activities of visitors by key; only the newest 20,000. */
export type Hand<Item> = {
  get: (key: string) => Item | undefined;
  set: (key: string, item: Item) => void;
  values: () => Item[];
  forgetOld: (at: number) => void;
};

/** Makes an empty collection that forgets items unused for `restMs`. */
export function createHand<Item extends { lastAt: number }>(restMs: number): Hand<Item> {
  const items = new Map<string, Item>();
  return {
    get: (key) => items.get(key),
    set: (key, item) => {
      items.delete(key); // keeps the map in the order of time
      items.set(key, item);
      for (const oldest of items.keys()) {
        if (items.size <= MAX_IN_HAND) break;
        items.delete(oldest);
      }
    },
    values: () => [...items.values()],
    forgetOld: (at) => {
      for (const [key, { lastAt }] of items) if (at - lastAt >= restMs) items.delete(key);
    },
  };
}

/** True for a request of a plain `<audio>` without a script, which the page marks. */
export function isPlainRequest({ url }: Request): boolean {
  return new URL(url).searchParams.has("plain");
}

/** Scripts report at most 64 parts. */
const MAX_PARTS = 100;

/**
 * Reads the parts of a track that a page's script reports as played, in seconds: `0-12.3,40-55`. Invalid parts are
 * ignored.
 */
export function readHeard(text: string): Intervals {
  const parts = text
    .split(",", MAX_PARTS)
    .map((part) => /^(\d{1,6}(?:\.\d{1,3})?)-(\d{1,6}(?:\.\d{1,3})?)$/.exec(part));
  return parts.flatMap((found) => (found ? [[Number(found[1]), Number(found[2])] as const] : []));
}

/** Reads where in a track a page's script says that its visitor is, in seconds; undefined when it does not say. */
export function readAt(text: string | null): number | undefined {
  return text !== null && /^\d{1,6}(?:\.\d{1,3})?$/.test(text) ? Number(text) : undefined;
}
