import type { Deps } from "../../../kernel/deps.ts";
import type { DueDelivery, Outcome } from "./attempt.ts";
import { nextAskedDeliveries, nextDeliveries, withoutUnreadable } from "./queue.ts";
import { findLiveReceiver, type Receiver } from "./receivers.ts";

/** Deliveries read ahead for one receiver. */
const READ_AHEAD = 64;
/** Most attempts at once to one receiver that has answered before. */
const MAX_AT_ONCE = 8;

/** The state of one receiver. Other receivers never affect it. */
export type Lane = {
  receiver: Receiver;
  /** Due now. */
  queue: DueDelivery[];
  /** When the first of the later deliveries is due; infinite when there are none. */
  nextAt: number;
  /** True when the queue must be read again before use. */
  isStale: boolean;
  /** Sequence numbers of events that are under way, or finished but not yet recorded. */
  busy: Set<number>;
  inFlight: number;
  /** How many attempts may run at once: one more after each success, one after a failure. */
  limit: number;
  /** Until then only requested deliveries are sent; 0: the receiver asked for no pause. */
  pausedUntil: number;
};

/** Returns the lane of a receiver without history: one attempt at a time. */
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

/** Updates a lane with a newly read receiver. */
export function updateLane(lane: Lane, receiver: Receiver): void {
  const { url, scopes, sinceSeq } = lane.receiver;
  // A new address starts without history.
  if (url !== receiver.url) Object.assign(lane, { limit: 1, pausedUntil: 0 });
  // After switching off and on again, cancelled deliveries must not be sent. The same applies to deliveries that
  // the key may no longer read.
  const isSame = sinceSeq === receiver.sinceSeq && String(scopes) === String(receiver.scopes);
  Object.assign(lane, { receiver, isStale: true }, !isSame && { queue: [] });
}

type LaneDeps = Pick<Deps, "db" | "now" | "secrets">;

/** Returns the next delivery that may start now, or undefined. */
export function takeNext(deps: LaneDeps, lane: Lane, at: number): DueDelivery | undefined {
  if (lane.inFlight >= lane.limit) return undefined;
  if (lane.pausedUntil > 0 && lane.pausedUntil <= at) pause(lane, 0);
  if (lane.queue.length === 0 && (lane.isStale || lane.nextAt <= at)) refill(deps, lane, at);
  const next = lane.queue.shift();
  if (next) lane.busy.add(next.seq);
  return next;
}

/** Returns when there may be an attempt to start; infinite when there is no free place or nothing waits. */
export function wakeAt({ queue, nextAt, isStale, pausedUntil, inFlight, limit }: Lane): number {
  if (inFlight >= limit) return Number.POSITIVE_INFINITY; // the end of an attempt triggers the next look
  const next = queue.length > 0 || isStale ? 0 : nextAt;
  return pausedUntil > 0 ? Math.min(next, pausedUntil) : next;
}

function refill(deps: LaneDeps, lane: Lane, at: number): void {
  const limit = lane.busy.size + READ_AHEAD;
  const read = readDue(deps, lane, limit);
  const free = read.filter(({ seq }) => !lane.busy.has(seq));
  const due = free.filter(({ dueAt }) => dueAt <= at);
  lane.queue = withoutUnreadable(deps.db, lane.receiver, due, at);
  lane.nextAt = free.find(({ dueAt }) => dueAt > at)?.dueAt ?? Number.POSITIVE_INFINITY;
  // A full page of due deliveries does not show when later ones are due.
  lane.isStale = read.length === limit && lane.nextAt === Number.POSITIVE_INFINITY;
}

/**
 * Reads the receiver with its deliveries, in one transaction: the address may have changed since the last look, and what
 * was made after that must not go to the address of before.
 */
function readDue(deps: LaneDeps, lane: Lane, limit: number): DueDelivery[] {
  const read = deps.db.$client.transaction(() => {
    const receiver = findLiveReceiver(deps, lane.receiver.ref);
    if (!receiver) return [];
    updateLane(lane, receiver);
    const list = lane.pausedUntil > 0 ? nextAskedDeliveries : nextDeliveries;
    return list(deps.db, receiver.ref, limit);
  });
  return read.deferred();
}

/** Updates a lane after an attempt. After a 410 no attempt starts until the 410 is recorded. */
export function learn(lane: Lane, { error, status, pausedUntil }: Outcome): void {
  lane.limit = status === 410 ? 0 : error === null ? Math.min(MAX_AT_ONCE, lane.limit + 1) : 1;
  if (pausedUntil > 0) pause(lane, pausedUntil);
}

/** Begins or ends a pause. Deliveries read before may no longer be sent, so the queue is cleared. */
function pause(lane: Lane, until: number): void {
  Object.assign(lane, { pausedUntil: until, queue: [], isStale: true });
}
