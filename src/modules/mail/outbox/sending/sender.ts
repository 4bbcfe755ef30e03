import { transact } from "../../../../../db/client.ts";
import { dataVersion } from "../../../../../db/writes.ts";
import { createBell, type Timer } from "../../../../jobs/bell.ts";
import { startWorkLoop } from "../../../../jobs/work-loop.ts";
import { type Deps, within } from "../../../../kernel/deps.ts";
import type { MailSettings } from "../../../../kernel/settings.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../../kernel/time.ts";
import { onMail } from "../outbox.ts";
import { attempt } from "./attempt.ts";
import {
  claimDue,
  type DueMail,
  listSentSince,
  nextDueAt,
  type Outcome,
  settleEnding,
  writeOutcome,
} from "./queue.ts";
import { tellRefused } from "./refused.ts";
import { openTransport, type Patience, type Transport } from "./transport.ts";
import { type SmtpError, wordsOf } from "./verdict.ts";

/** How often to look for a mail from another process. */
const LOOK_EVERY_MS = SECOND_MS;
const AT_ONCE = 2;
/** What may become due without a word, such as mails of a library that is enabled again. */
const LOOK_AGAIN_MS = MINUTE_MS;
/** After the relay itself was wrong. */
const PAUSE_MS = 5 * MINUTE_MS;
const LAST_MOMENT_MS = 5 * SECOND_MS;
/** Over all libraries. */
const MAX_PER_HOUR = 1000;
/** After each mail, since each is flushed to the disk twice: who reads should not wait for whoever mails a thousand people. */
const REST_MS = 75;
const TROUBLE_PAUSE_MS = 5 * SECOND_MS;
const FAILURE = "Mails cannot be read or written; will try again";

type SenderDeps = Pick<Deps, "db" | "now" | "log" | "secrets">;

/** The parts that tests replace. */
export type SenderOptions = {
  timer?: Timer;
  /** Returns numbers from 0 up to but not including 1. */
  random?: () => number;
  patience?: Patience;
  /** What a mail under way has left when the program stops. */
  lastMomentMs?: number;
  /** Told once when the relay is wrong, and again after it was right in between. */
  onTrouble?: (words: string) => void;
};

/** Hands the mails of a library folder to the relay. */
export type MailSender = {
  /** Resolves when no mail is under way or due. */
  idle(): Promise<void>;
  /** Waits for the mails under way, a moment at most, and ends. */
  stop(): Promise<void>;
};

type State = {
  deps: SenderDeps;
  mail: MailSettings;
  options: SenderOptions;
  transport: Promise<Transport> | undefined;
  busy: Map<string, Promise<void>>;
  /** When each mail of the last hour went out. */
  sentAt: number[];
  pausedUntil: number;
  isTroubled: boolean;
  isStopping: boolean;
};

/**
 * Starts handing mails to the relay, two at a time. Only one process of a library may do this: it takes what was about to end for
 * interrupted by a crash.
 */
export function startMailSender(
  deps: SenderDeps,
  mail: MailSettings,
  options: SenderOptions = {},
): MailSender {
  const bell = createBell(options.timer);
  const state: State = {
    deps,
    mail,
    options,
    transport: undefined,
    busy: new Map(),
    sentAt: listSentSince(deps.db, deps.now() - HOUR_MS),
    pausedUntil: 0,
    isTroubled: false,
    isStopping: false,
  };
  settleEnding(deps.db, deps.now());
  const stopListening = onMail(deps.db, bell.ring);
  const work = startWorkLoop({
    log: deps.log,
    bell,
    failure: FAILURE,
    isOver: () => state.isStopping,
    turn: async (reportIdle) => {
      const seen = dataVersion(deps.db);
      const until = turn(state, bell.ring);
      if (state.busy.size === 0 && until > deps.now()) reportIdle();
      do if (await bell.wait(Math.min(LOOK_EVERY_MS, Math.max(0, until - deps.now())))) return;
      while (deps.now() < until && dataVersion(deps.db) === seen);
    },
    finish: () => Promise.all(state.busy.values()),
  });
  return {
    idle: work.idle,
    async stop() {
      state.isStopping = true;
      stopListening();
      bell.ring();
      await Promise.race([
        Promise.all(state.busy.values()),
        Bun.sleep(options.lastMomentMs ?? LAST_MOMENT_MS),
      ]);
      (await state.transport?.catch(() => undefined))?.close();
      await work.ended;
    },
  };
}

/** Starts what may start, and returns when to look again. */
function turn(state: State, ring: () => void): number {
  const { deps, busy } = state;
  const at = deps.now();
  if (at < state.pausedUntil) return state.pausedUntil;
  const free = Math.min(AT_ONCE - busy.size, roomWithinHour(state, at));
  if (free <= 0) return at + LOOK_EVERY_MS;
  for (const mail of claimDue(deps.db, at, free, [...busy.keys()])) {
    const ended = sendOne(state, mail)
      .catch((error) => {
        state.pausedUntil = deps.now() + PAUSE_MS;
        deps.log("error", FAILURE, { mail: mail.id, error });
      })
      .then(() => (state.isStopping ? undefined : Bun.sleep(REST_MS)))
      .finally(() => {
        busy.delete(mail.id);
        ring();
      });
    busy.set(mail.id, ended);
  }
  return busy.size > 0 ? at + LOOK_EVERY_MS : Math.min(nextDueAt(deps.db, at), at + LOOK_AGAIN_MS);
}

/** Counts in memory: after a season of mails, the database would take milliseconds for it at every look. */
function roomWithinHour(state: State, at: number): number {
  state.sentAt = state.sentAt.filter((each) => each > at - HOUR_MS);
  return MAX_PER_HOUR - state.sentAt.length;
}

/** Hands over one mail and records what became of it. */
async function sendOne(state: State, mail: DueMail): Promise<void> {
  const { deps, options } = state;
  const random = options.random ?? Math.random;
  const { outcome, trouble } = await attempt(
    {
      ...deps,
      random,
      openTransport: () => (state.transport ??= openTransport(state.mail, options.patience)),
    },
    mail,
  );
  if (outcome.state === "sent") {
    state.isTroubled = false;
    state.sentAt.push(outcome.at);
  }
  // What the end of the program cut off says nothing about the relay.
  if (trouble && !state.isStopping) pause(state, trouble);
  await record(state, trouble ? { ...outcome, dueAt: Math.max(outcome.at, state.pausedUntil) } : outcome);
  if (outcome.state !== "waiting")
    deps.log("info", "Mail ended", { mail: mail.id, kind: mail.kind, state: outcome.state });
}

/** Tries again while the disk is full, so that what is known of a mail is not lost. Until then it is under way. */
async function record(state: State, outcome: Outcome): Promise<void> {
  const { deps } = state;
  for (;;)
    try {
      return transact(deps.db, (tx) => {
        if (writeOutcome(tx, outcome) && outcome.state === "refused")
          tellRefused(within(deps, tx), outcome.id);
      });
    } catch (error) {
      deps.log("error", FAILURE, { mail: outcome.id, error });
      if (state.isStopping) return;
      await Bun.sleep(TROUBLE_PAUSE_MS);
    }
}

function pause(state: State, error: SmtpError): void {
  state.pausedUntil = state.deps.now() + PAUSE_MS;
  if (state.isTroubled) return;
  state.isTroubled = true;
  state.deps.log("warn", "The mail server does not take mails; will try again", {
    code: error.responseCode ?? error.code,
    command: error.command,
  });
  state.options.onTrouble?.(wordsOf(error));
}
