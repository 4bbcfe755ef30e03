import { DomainError } from "../../../kernel/errors.ts";
import { newId } from "../../../kernel/ids.ts";
import { HOUR_MS } from "../../../kernel/time.ts";
import type { Leak } from "./shapes.ts";

/** What is known of a leak, without its id. */
export type LeakAnswer = Omit<Leak, "id">;

/** Answers are kept for so long, and so many of them: nothing of a leak is stored. */
const KEPT_MS = HOUR_MS;
const MOST_KEPT = 200;

/** The look-ups of the last hour. They go with the process: a leak can be asked about again. */
export type Lookups = {
  /** Begins a look-up of an account. Returns its id. */
  begin(accountId: string): string;
  settle(id: string, answer: LeakAnswer): void;
  /** @throws DomainError `not_found`, also for that of another account. */
  get(accountId: string, id: string): Leak;
};

/** What is known before anything was looked at. */
export const NOTHING_YET: LeakAnswer = {
  ...{
    status: "working",
    error: null,
    says: null,
    method: null,
    trackId: null,
    versionId: null,
    title: null,
  },
  ...{ excerpt: null, at: null, candidates: [], codesTried: 0 },
};

/** Keeps no look-up yet. */
export function createLookups(now: () => number): Lookups {
  const all = new Map<string, { accountId: string; at: number; answer: LeakAnswer }>();
  const forget = () => {
    for (const [id, { at }] of all) if (at < now() - KEPT_MS || all.size > MOST_KEPT) all.delete(id);
  };
  return {
    begin(accountId) {
      const id = newId("leak");
      all.set(id, { accountId, at: now(), answer: NOTHING_YET });
      forget();
      return id;
    },
    settle(id, answer) {
      const known = all.get(id);
      if (known) known.answer = answer;
    },
    get(accountId, id) {
      forget();
      const known = all.get(id);
      if (known?.accountId !== accountId)
        throw new DomainError("not_found", "This look-up is not known, or too old: ask again");
      return { id, ...known.answer };
    },
  };
}
