import type { Deps } from "../../../../kernel/deps.ts";
import { MINUTE_MS } from "../../../../kernel/time.ts";
import { contentOf } from "../outbox.ts";
import { type DueMail, markEnding, type Outcome } from "./queue.ts";
import type { Transport } from "./transport.ts";
import { judge, type Reached, type SmtpError, waitMs } from "./verdict.ts";

/** What an attempt came to. `trouble`: the relay itself is wrong, and every mail should wait. */
export type Attempted = { outcome: Outcome; trouble?: SmtpError };

type AttemptDeps = Pick<Deps, "db" | "now" | "secrets"> & {
  openTransport: () => Promise<Transport>;
  /** Returns numbers from 0 up to but not including 1. */
  random: () => number;
};

/** Hands over one mail and returns what became of it, which is not written yet. */
export async function attempt(deps: AttemptDeps, mail: DueMail): Promise<Attempted> {
  let reached: Reached = "door";
  try {
    const transport = await deps.openTransport();
    const bytes = await build(deps, transport, mail);
    if (!bytes) return { outcome: ended(deps, mail, "refused", UNREADABLE) };
    const taken = await transport.send(
      { id: mail.id, to: mail.toEmail, bytes },
      {
        onOpen() {
          reached = "inside";
        },
        onEnd() {
          if (markEnding(deps.db).run(mail.id).changes === 0) throw new Error("The mail was cancelled");
          reached = "end";
        },
      },
    );
    return { outcome: ended(deps, mail, "sent", taken) };
  } catch (error) {
    return judged(deps, mail, error as SmtpError, reached);
  }
}

type Said = { code: number | null; answer: string };

const UNREADABLE: Said = { code: null, answer: "What it says cannot be read any more" };

/** Returns undefined for a mail of another master secret: no other attempt would be different. */
async function build(
  deps: AttemptDeps,
  transport: Transport,
  mail: DueMail,
): Promise<Uint8Array | undefined> {
  try {
    const { id, toEmail, toName, subject, createdAt } = mail;
    const to = { email: toEmail, name: toName };
    return await transport.build({ id, to, subject, at: createdAt, content: contentOf(deps, mail) });
  } catch {
    return undefined;
  }
}

function judged(deps: AttemptDeps, mail: DueMail, error: SmtpError, reached: Reached): Attempted {
  const said = { code: error.responseCode ?? null, answer: error.response ?? error.message };
  switch (judge(error, reached).is) {
    case "refused":
      return { outcome: ended(deps, mail, "refused", said) };
    case "pause":
      return { outcome: waiting(deps, mail, said, 0), trouble: error };
    case "perhaps": {
      const counted = { ...mail, unsure: mail.unsure + 1 };
      return {
        outcome:
          mail.unsure >= 1 ? ended(deps, counted, "unsure", said) : waiting(deps, counted, said, MINUTE_MS),
      };
    }
    case "later": {
      const counted = { ...mail, tries: mail.tries + 1 };
      const wait = waitMs(counted.tries, deps.random());
      return {
        outcome:
          wait === undefined ? ended(deps, counted, "refused", said) : waiting(deps, counted, said, wait),
      };
    }
  }
}

const counts = ({ id, tries, unsure }: DueMail) => ({ id, tries, unsure });

const ended = (
  { now }: AttemptDeps,
  mail: DueMail,
  state: Exclude<Outcome["state"], "waiting">,
  said: Said,
): Outcome => ({ ...counts(mail), ...said, state, dueAt: null, at: now() });

function waiting({ now }: AttemptDeps, mail: DueMail, said: Said, waitMs: number): Outcome {
  const at = now();
  return { ...counts(mail), ...said, state: "waiting", dueAt: at + waitMs, at };
}
