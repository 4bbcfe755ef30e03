import type { Db } from "../../../db/client.ts";
import type { DueDelivery, Outcome } from "./attempt.ts";
import { nextAskedDeliveries, nextDeliveries, withoutUnreadable } from "./queue.ts";
import type { Receiver } from "./receivers.ts";

/** Read ahead for one receiver. */
const READ_AHEAD = 64;
/** Attempts under way to one receiver, once it has shown that it answers. */
const MAX_AT_ONCE = 8;

/** What is known of one receiver: nothing that another receiver does or fails to do changes it. */
export type Lane = {
  receiver: Receiver;
  /** Due now. */
  queue: DueDelivery[];
  /** When the first of the others is due; infinite when there is none. */
  nextAt: number;
  /** The queue has to be read again before it is believed. */
  isStale: boolean;
  /** Sequence numbers of events under way, or back and not yet written. */
  busy: Set<number>;
  inFlight: number;
  /** How many may be under way: one more with each success, one after a failure. */
  limit: number;
  /** Until then only what somebody asked for is sent; 0: it asked for no pause. */
  pausedUntil: number;
};

/** Returns the lane of a receiver that nothing is known of: one attempt at a time. */
export function createLane(receiver: Receiver): Lane {
  return {
    receiver,
    queue: [],
    nextAt: Number.POSITIVE_INFINITY,
    isStale: true,
    busy: new Set(),
    inFlight: 0,
    limit: 1,
    pausedUntil: receiver.pausedUntil ?? 0,
  };
}

/** Takes over what was read anew of a lane's receiver. */
export function updateLane(lane: Lane, receiver: Receiver): void {
  const { url, scopes, sinceSeq } = lane.receiver;
  // Another address has another past.
  if (url !== receiver.url) Object.assign(lane, { limit: 1, pausedUntil: 0 });
  // Switched off and on again: what was given up in between must not be sent. So with what may not be read any more.
  const isSame = sinceSeq === receiver.sinceSeq && String(scopes) === String(receiver.scopes);
  Object.assign(lane, { receiver, isStale: true }, !isSame && { queue: [] });
}

/** Returns the next delivery that may start now, or undefined. */
export function takeNext(db: Db, lane: Lane, at: number): DueDelivery | undefined {
  if (lane.inFlight >= lane.limit) return undefined;
  if (lane.pausedUntil > 0 && lane.pausedUntil <= at) pause(lane, 0);
  if (lane.queue.length === 0 && (lane.isStale || lane.nextAt <= at)) refill(db, lane, at);
  const next = lane.queue.shift();
  if (next) lane.busy.add(next.seq);
  return next;
}

/** Returns when there may be something to start, were there room; infinite when nothing waits. */
export function wakeAt({ queue, nextAt, isStale, pausedUntil, inFlight, limit }: Lane): number {
  if (inFlight >= limit) return Number.POSITIVE_INFINITY; // the end of an attempt is a reason to look
  const next = queue.length > 0 || isStale ? 0 : nextAt;
  return pausedUntil > 0 ? Math.min(next, pausedUntil) : next;
}

function refill(db: Db, lane: Lane, at: number): void {
  const limit = lane.busy.size + READ_AHEAD;
  const list = lane.pausedUntil > 0 ? nextAskedDeliveries : nextDeliveries;
  const read = list(db, lane.receiver.ref, limit);
  const free = read.filter(({ seq }) => !lane.busy.has(seq));
  const due = free.filter(({ dueAt }) => dueAt <= at);
  lane.queue = withoutUnreadable(db, lane.receiver, due, at);
  lane.nextAt = free.find(({ dueAt }) => dueAt > at)?.dueAt ?? Number.POSITIVE_INFINITY;
  // A full page of what is due says nothing of what comes after it.
  lane.isStale = read.length === limit && lane.nextAt === Number.POSITIVE_INFINITY;
}

/** Learns from an attempt that ended. After a 410 nothing starts until that is written down. */
export function learn(lane: Lane, { error, status, pausedUntil }: Outcome): void {
  lane.limit = status === 410 ? 0 : error === null ? Math.min(MAX_AT_ONCE, lane.limit + 1) : 1;
  if (pausedUntil > 0) pause(lane, pausedUntil);
}

/** Begins a pause, or ends it: what was read before is not what may be sent now. */
function pause(lane: Lane, until: number): void {
  Object.assign(lane, { pausedUntil: until, queue: [], isStale: true });
}
