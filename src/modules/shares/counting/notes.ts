import { MINUTE_MS } from "../../../kernel/time.ts";
import type { Activity } from "../../analytics/service.ts";
import type { ShareRow } from "../queries.ts";
import type { Intervals } from "./intervals.ts";

/** What the same visitor does again within this time counts once. */
export const AGAIN_MS = 30 * MINUTE_MS;
/** Beyond it the oldest visitors in hand are forgotten; their rows are in the log. */
const MAX_IN_HAND = 20_000;

/** Returns the name under which the log knows a visitor of a link: a part of a random cookie of that link. */
export function visitName(visitId: string): string {
  return visitId.slice(0, 10);
}

/** Returns what a visitor of a link did, in the recipient's name; of a playlist's link it may be one of its tracks. */
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

/** What visitors are at, by a name each; the newest 20,000. */
export type Hand<Item> = {
  get: (key: string) => Item | undefined;
  set: (key: string, item: Item) => void;
  values: () => Item[];
  forgetOld: (at: number) => void;
};

/** Makes an empty hand that forgets what has rested for so long. */
export function createHand<Item extends { lastAt: number }>(restMs: number): Hand<Item> {
  const items = new Map<string, Item>();
  return {
    get: (key) => items.get(key),
    set: (key, item) => {
      items.delete(key); // so that the map stays in the order of time
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

/** True for what a plain `<audio>` asks for, where no script runs: the page marks it. */
export function isPlainRequest({ url }: Request): boolean {
  return new URL(url).searchParams.has("plain");
}

/** Scripts tell of a few parts; more is nonsense. */
const MAX_PARTS = 100;

/** Reads the parts of a track that a page's script says it played, in seconds: `0-12.3,40-55`. What is none is left out. */
export function readHeard(text: string): Intervals {
  const parts = text
    .split(",", MAX_PARTS)
    .map((part) => /^(\d{1,6}(?:\.\d{1,3})?)-(\d{1,6}(?:\.\d{1,3})?)$/.exec(part));
  return parts.flatMap((found) => (found ? [[Number(found[1]), Number(found[2])] as const] : []));
}
