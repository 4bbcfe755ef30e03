import { dataVersion } from "../../../../db/writes.ts";
import { type Bell, createBell, type Timer } from "../../../jobs/bell.ts";
import { startWorkLoop } from "../../../jobs/work-loop.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { MINUTE_MS, SECOND_MS } from "../../../kernel/time.ts";
import type { Resolve } from "../../../net/address.ts";
import { attempt, type DueDelivery, type Outcome } from "./attempt.ts";
import { fanOut } from "./fan-out.ts";
import { createLane, type Lane, learn, takeNext, updateLane, wakeAt } from "./lane.ts";
import { cancelForOthers } from "./queue.ts";
import { listReceivers } from "./receivers.ts";
import { settle } from "./settle.ts";

/** How often to check for events from other connections. */
const LOOK_EVERY_MS = 200;
/** How often to reload: a key expires without a write to the database. */
const RELOAD_EVERY_MS = MINUTE_MS;
/** From the look-up of the name to the last byte read (decision 6.5). */
const ATTEMPT_TIMEOUT_MS = 15 * SECOND_MS;
/** Most attempts at once over all receivers. An attempt that takes longer than a moment gives up its place. */
const MAX_PROMPT = 64;
const MOMENT_MS = 2 * SECOND_MS;
/** Most attempts at once, including slow ones. */
const MAX_IN_FLIGHT = 1024;
/** Outcomes are written together: after this time, when there are this many, or when no attempt is under way. */
const SETTLE_AFTER_MS = 200;
const SETTLE_AT = 500;

type SenderDeps = Pick<Deps, "db" | "now" | "log" | "settings" | "secrets">;

/** The parts that tests replace. */
export type SenderOptions = {
  timer?: Timer;
  /** Returns numbers from 0 up to but not including 1. */
  random?: () => number;
  attemptTimeoutMs?: number;
  resolve?: Resolve;
};

/** Sends events to receivers, in this process. */
export type Sender = {
  /** Looks for work now. Writes of other connections are noticed without it. */
  wake(): void;
  /** Resolves when no attempt is under way or due. Deliveries that wait for a later time do not count. */
  idle(): Promise<void>;
  /** Aborts the running attempts, which are repeated at the next start, and records the finished ones. */
  stop(): Promise<void>;
};

type State = {
  deps: SenderDeps;
  options: SenderOptions;
  bell: Bell;
  abort: AbortController;
  lanes: Map<number, Lane>;
  /** When each running attempt began (`performance.now`), oldest first. Slow attempts are no longer listed. */
  prompt: Map<object, number>;
  inFlight: number;
  ended: Outcome[];
  endedSince: number;
  seenVersion: number;
  reloadAt: number;
  hasMoreEvents: boolean;
  /** Where the next round begins, so that every receiver gets its turn when all places are taken. */
  turn: number;
};

/**
 * Starts sending events: assigns each event to its receivers, makes the attempts that are due, and records their
 * outcomes. Only one process per library may do this: only that process knows which deliveries are under way. They
 * are repeated after a crash.
 */
export function startSender(deps: SenderDeps, options: SenderOptions = {}): Sender {
  const bell = createBell(options.timer);
  const state: State = {
    deps,
    options,
    bell,
    abort: new AbortController(),
    lanes: new Map(),
    prompt: new Map(),
    inFlight: 0,
    ended: [],
    endedSince: 0,
    seenVersion: -1,
    reloadAt: 0,
    hasMoreEvents: true,
    turn: 0,
  };
  const { signal } = state.abort;
  const work = startWorkLoop({
    log: deps.log,
    bell,
    failure: "Webhook deliveries cannot be read or written; will try again",
    isOver: () => signal.aborted && state.inFlight === 0,
    turn: async (reportIdle) => bell.wait(Math.min(turn(state, reportIdle), LOOK_EVERY_MS)),
    finish: () => settleEnded(state),
  });
  const wake = () => {
    state.reloadAt = 0;
    bell.ring();
  };
  return {
    wake,
    idle() {
      wake();
      return work.idle();
    },
    async stop() {
      state.abort.abort(new DOMException("The program stops", "AbortError"));
      bell.ring();
      await work.ended;
    },
  };
}

/** Does the work that is due. Returns the milliseconds until the next work, unless the bell rings earlier. */
function turn(state: State, reportIdle: () => void): number {
  if (state.abort.signal.aborted) return LOOK_EVERY_MS; // each attempt rings when it ends
  if (shouldSettle(state)) settleEnded(state);
  look(state);
  fanOutSome(state);
  const hasPlaces = startAttempts(state);
  if (state.hasMoreEvents) return 0;
  const at = state.deps.now();
  const wakes = hasPlaces ? Array.from(state.lanes.values(), (lane) => wakeAt(lane) - at) : [];
  const waitMs = Math.max(0, Math.min(...wakes, LOOK_EVERY_MS));
  if (state.inFlight > 0 || state.ended.length > 0) return Math.min(waitMs, SETTLE_AFTER_MS);
  if (waitMs > 0) reportIdle();
  return waitMs;
}

/** Reloads the receivers when another connection wrote something, and from time to time. */
function look(state: State): void {
  const { deps } = state;
  const version = dataVersion(deps.db);
  if (version === state.seenVersion && deps.now() < state.reloadAt) return;
  state.seenVersion = version;
  state.reloadAt = deps.now() + RELOAD_EVERY_MS;
  cancelForOthers(deps);
  const before = state.lanes;
  state.lanes = new Map();
  for (const receiver of listReceivers(deps)) {
    const lane = before.get(receiver.ref) ?? createLane(receiver);
    updateLane(lane, receiver);
    state.lanes.set(receiver.ref, lane);
  }
  state.hasMoreEvents = true;
}

function fanOutSome(state: State): void {
  if (!state.hasMoreEvents) return;
  state.hasMoreEvents = fanOut(state.deps);
  if (state.hasMoreEvents) for (const lane of state.lanes.values()) lane.isStale = true;
}

/** Starts the attempts that may start, one per receiver in turn. Returns false when all places are taken. */
function startAttempts(state: State): boolean {
  const lanes = [...state.lanes.values()];
  const at = state.deps.now();
  let idleInARow = 0;
  while (idleInARow < lanes.length) {
    if (!hasRoom(state)) return false;
    const lane = lanes[state.turn++ % lanes.length];
    const delivery = lane && takeNext(state.deps, lane, at);
    if (delivery) start(state, lane, delivery);
    idleInARow = delivery ? 0 : idleInARow + 1;
  }
  return true;
}

function hasRoom(state: State): boolean {
  const oldest = performance.now() - MOMENT_MS;
  for (const [token, startedAt] of state.prompt) {
    if (startedAt > oldest) break;
    state.prompt.delete(token);
  }
  return state.prompt.size < MAX_PROMPT && state.inFlight < MAX_IN_FLIGHT;
}

function start(state: State, lane: Lane, delivery: DueDelivery): void {
  const { deps, options, abort } = state;
  const token = {};
  state.prompt.set(token, performance.now());
  state.inFlight++;
  lane.inFlight++;
  const { attemptTimeoutMs: timeoutMs = ATTEMPT_TIMEOUT_MS, resolve } = options;
  attempt(deps, lane.receiver, delivery, { timeoutMs, signal: abort.signal, ...(resolve && { resolve }) })
    .then(
      (outcome) => {
        learn(lane, outcome);
        if (state.ended.length === 0) state.endedSince = performance.now();
        state.ended.push(outcome);
      },
      () => lane.busy.delete(delivery.seq), // aborted: treated as if it had not begun
    )
    .finally(() => {
      state.prompt.delete(token);
      state.inFlight--;
      lane.inFlight--;
      state.bell.ring();
    });
}

function shouldSettle({ ended, endedSince, inFlight }: State): boolean {
  if (ended.length === 0) return false;
  if (inFlight === 0 || ended.length >= SETTLE_AT) return true;
  return performance.now() - endedSince >= SETTLE_AFTER_MS;
}

function settleEnded(state: State): void {
  const { deps, lanes, ended, options } = state;
  if (ended.length === 0) return;
  const again = settle(deps, ended, options.random ?? Math.random);
  state.ended = [];
  for (const { receiver, delivery } of ended) {
    const lane = lanes.get(receiver.ref);
    lane?.busy.delete(delivery.seq);
    if (lane?.limit === 0) lane.limit = 1;
  }
  for (const { receiver, dueAt } of again) {
    const lane = lanes.get(receiver);
    if (lane) lane.nextAt = Math.min(lane.nextAt, dueAt);
  }
  // A receiver may have been switched off. On this connection nothing else reports that.
  if (ended.some(({ error }) => error !== null)) state.reloadAt = 0;
}
