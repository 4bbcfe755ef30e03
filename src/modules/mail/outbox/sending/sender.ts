import { transact } from "../../../../../db/client.ts";
import { dataVersion } from "../../../../../db/writes.ts";
import { createBell, type Timer } from "../../../../jobs/bell.ts";
import { startWorkLoop } from "../../../../jobs/work-loop.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import type { MailSettings } from "../../../../kernel/settings.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../../kernel/time.ts";
import { contentOf, onMail } from "../outbox.ts";
import {
  claimDue,
  countSent,
  type DueMail,
  markEnding,
  nextDueAt,
  type Outcome,
  settleEnding,
  writeOutcome,
} from "./queue.ts";
import { openTransport, type Transport } from "./transport.ts";
import { judge, type SmtpError, waitMs, wordsOf } from "./verdict.ts";

/** How often to look for a mail from another process. */
const LOOK_EVERY_MS = SECOND_MS;
const AT_ONCE = 2;
/** After the relay itself was wrong. */
const PAUSE_MS = 5 * MINUTE_MS;
/** What a mail under way has left when the program stops. */
const LAST_MOMENT_MS = 5 * SECOND_MS;
/** Over all libraries. */
const MAX_PER_HOUR = 1000;

type SenderDeps = Pick<Deps, "db" | "now" | "log" | "secrets">;

/** The parts that tests replace. */
export type SenderOptions = {
  timer?: Timer;
  /** Returns numbers from 0 up to but not including 1. */
  random?: () => number;
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
    pausedUntil: 0,
    isTroubled: false,
    isStopping: false,
  };
  settleEnding(deps.db, deps.now());
  const stopListening = onMail(deps.db, bell.ring);
  const work = startWorkLoop({
    log: deps.log,
    bell,
    failure: "Mails cannot be read or written; will try again",
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
      await Promise.race([Promise.all(state.busy.values()), Bun.sleep(LAST_MOMENT_MS)]);
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
  const free = Math.min(AT_ONCE - busy.size, MAX_PER_HOUR - countSent(deps.db, at - HOUR_MS));
  if (free <= 0) return at + LOOK_EVERY_MS;
  for (const mail of claimDue(deps.db, at, free, [...busy.keys()])) {
    const ended = sendOne(state, mail).finally(() => {
      busy.delete(mail.id);
      ring();
    });
    busy.set(mail.id, ended);
  }
  return busy.size > 0 ? at + LOOK_EVERY_MS : nextDueAt(deps.db);
}

/** Hands over one mail and records what became of it. */
async function sendOne(state: State, mail: DueMail): Promise<void> {
  const { deps } = state;
  let wasEnding = false;
  const outcome = await hand(state, mail, () => {
    markEnding(deps.db).run(mail.id);
    wasEnding = true;
  }).catch((thrown: SmtpError) => outcomeOf(state, mail, thrown, wasEnding));
  if (outcome.state !== "waiting")
    deps.log("info", "Mail ended", { mail: mail.id, kind: mail.kind, state: outcome.state });
  transact(deps.db, (tx) => writeOutcome(tx, outcome));
}

async function hand(state: State, mail: DueMail, onEnd: () => void): Promise<Outcome> {
  const { deps } = state;
  state.transport ??= openTransport(state.mail);
  const transport = await state.transport;
  const { code, answer } = await transport.send(
    {
      id: mail.id,
      to: { email: mail.toEmail, name: mail.toName },
      subject: mail.subject,
      at: mail.createdAt,
      content: contentOf(deps, mail),
    },
    onEnd,
  );
  state.isTroubled = false;
  return { ...unchanged(mail), state: "sent", dueAt: null, code, answer, at: deps.now() };
}

const unchanged = ({ id, tries, unsure }: DueMail) => ({ id, tries, unsure });

function outcomeOf(state: State, mail: DueMail, error: SmtpError, wasEnding: boolean): Outcome {
  const at = state.deps.now();
  const said = { code: error.responseCode ?? null, answer: error.response ?? error.message, at };
  const verdict = judge(error, wasEnding);
  if (verdict.is === "refused") return { ...unchanged(mail), ...said, state: "refused", dueAt: null };
  if (verdict.is === "pause") {
    pause(state, error);
    return { ...unchanged(mail), ...said, state: "waiting", dueAt: state.pausedUntil };
  }
  if (verdict.is === "perhaps") {
    const unsure = mail.unsure + 1;
    const again = { ...unchanged(mail), ...said, unsure };
    return mail.unsure >= 1
      ? { ...again, state: "unsure", dueAt: null }
      : { ...again, state: "waiting", dueAt: at + MINUTE_MS };
  }
  const tries = mail.tries + 1;
  const wait = waitMs(tries, (state.options.random ?? Math.random)());
  const later = { ...unchanged(mail), ...said, tries };
  return wait === undefined
    ? { ...later, state: "refused", dueAt: null }
    : { ...later, state: "waiting", dueAt: at + wait };
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
