import { AsyncLocalStorage } from "node:async_hooks";
import type { LibraryId, PersonId } from "../../db/schema.ts";

/**
 * Whose request it is: what is made in it says so. It is never asked for permission, which the actor has that a handler
 * passes on.
 */
export type Doer = {
  /** The library. */
  accountId: LibraryId | null;
  /** Null: with a key that no member made, or in the place of another account. */
  personId: PersonId | null;
  /** Null: in the console. */
  keyId: string | null;
  /** The member whose session it is. Left out for keys. */
  memberId?: string;
};

/** The request that the running code works for. */
type Current = {
  /** Left out: work of a job that somebody began. */
  id?: string;
  doer?: Doer;
  /** The clock of whoever serves the request. */
  now?: () => number;
  /** Timers that a request has set go on after it; they are not part of it. */
  isOver: boolean;
};

const requests = new AsyncLocalStorage<Current>();

/** What proxies and tracing programs send: UUIDs, hexadecimal ids, `Root=1-67891233-abcdef012345678912345678`. */
const WELL_FORMED = /^[\w.:=+/@-]{1,128}$/;

/** Returns the id that a client or a proxy gave to its request, or a new one when it gave none, or not a plain word. */
export function requestIdOf(given: string | null): string {
  return given !== null && WELL_FORMED.test(given) ? given : crypto.randomUUID();
}

/** Does the work of a request. Until `end` is called, whatever it does knows the request's id. */
export function asRequest<Result>(id: string, work: (end: () => void) => Result): Result {
  const current: Current = { id, isOver: false };
  return requests.run(current, () =>
    work(() => {
      current.isOver = true;
    }),
  );
}

/** Returns the id of the request that the running code works for; undefined outside requests. */
export function currentRequestId(): string | undefined {
  const current = requests.getStore();
  return current?.isOver === false ? current.id : undefined;
}

/** Says whose the request is. The requests that it makes inside the program are theirs too. */
export function setDoer(doer: Doer, now: () => number): void {
  const current = requests.getStore();
  if (!current) return;
  current.doer = doer;
  current.now = now;
}

/** Does work that goes on after the request that began it: it stays theirs. */
export function beyondRequest<Result>(work: () => Result): Result {
  const current = requests.getStore();
  return current?.isOver === false ? requests.run({ ...current }, work) : work();
}

/**
 * Does the work of a request that the program makes itself. It is part of the request for which it is made, also when that has been
 * answered already, as the call of a tool whose answer is a stream.
 */
export async function asInnerRequest<Result>(work: () => Promise<Result>): Promise<Result> {
  const current: Current = { ...requests.getStore(), isOver: false };
  try {
    return await requests.run(current, work);
  } finally {
    current.isOver = true;
  }
}

/** Does work of a job for whoever began it. */
export function inNameOf<Result>(doer: Doer, now: () => number, work: () => Result): Result {
  return requests.run({ doer, now, isOver: false }, work);
}

/** Returns whose request the running code works for; undefined in jobs, in commands and for visitors. */
export function currentDoer(): Doer | undefined {
  const current = requests.getStore();
  return current?.isOver === false ? current.doer : undefined;
}

/** Returns the person whose request the running code works for; null for everything else. */
export const currentPerson = (): PersonId | null => currentDoer()?.personId ?? null;

/** Returns {@link currentDoer}, and the time. */
export function currentEdit(): (Doer & { at: number }) | undefined {
  const current = requests.getStore();
  if (current?.isOver !== false || !current.doer || !current.now) return undefined;
  return { ...current.doer, at: current.now() };
}

/** Returns the person whose request in a library the running code works for; null for requests in others. */
export function currentMember(accountId: LibraryId): PersonId | null {
  const doer = currentDoer();
  return doer?.accountId === accountId ? doer.personId : null;
}

/** Returns the member whose session the running code works for; undefined for keys and outside requests. */
export const currentSessionMember = (): string | undefined => currentDoer()?.memberId;
