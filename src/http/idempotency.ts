import { and, eq, isNull, lt } from "drizzle-orm";
import { type Db, transact } from "../../db/client.ts";
import { idempotencyKeys } from "../../db/schema.ts";
import type { Deps } from "../kernel/deps.ts";
import { DomainError, invalidField } from "../kernel/errors.ts";
import { isSameBytes, seal, sha256, unseal } from "../kernel/secrets.ts";
import { DAY_MS } from "../kernel/time.ts";
import { isFullDisk } from "../kernel/trouble.ts";
import { skimForm } from "./body/multipart.ts";
import { createFingerprint } from "./fingerprint.ts";
import { stateOf } from "./request-state.ts";

type IdempotencyDeps = Pick<Deps, "db" | "now" | "secrets">;

/** How long an answer is kept (decision 0.11). */
export const IDEMPOTENCY_TTL_MS = DAY_MS;
const MAX_KEY_CHARACTERS = 255;
/** Replaces the hash of a form that is still being read. */
const NOT_YET = Buffer.alloc(0);

/**
 * Begins a POST that carries an Idempotency-Key. Returns the stored answer of an earlier request with this key, or
 * undefined when this request must run; its answer is then stored.
 *
 * @throws DomainError `idempotency_key_reused` for another payload, `idempotency_in_progress` while the first runs,
 *   `validation_failed` for a key that is too long.
 */
export function beginIdempotent(
  deps: IdempotencyDeps,
  request: Request,
  principal: string,
): Response | undefined {
  const key = keyOf(request);
  if (key === undefined) return undefined;
  const state = stateOf(request);
  const hash = sha256(`${targetOf(request)}\n${state.bodyText ?? ""}`);
  const claim = { principal, key, hash };
  const earlier = claimOrFind(deps, claim);
  if (earlier) return answerAgain(deps, claim, earlier);
  state.settle = (status, body) => settle(deps, claim, { status, body });
  return undefined;
}

/**
 * Like {@link beginIdempotent}, for a form that is read later. Its answer is stored with the fingerprint of the
 * form. An answer given before the end of the form is not stored: nothing was made, and the rest of the form is
 * unknown. A repeated form is read to its end for comparison, and none of it is stored.
 */
export async function beginIdempotentForm(
  deps: IdempotencyDeps,
  request: Request,
  principal: string,
): Promise<Response | undefined> {
  const key = keyOf(request);
  if (key === undefined) return undefined;
  const state = stateOf(request);
  const earlier = claimOrFind(deps, { principal, key, hash: NOT_YET });
  if (earlier?.status === null) throw inProgress();
  const fingerprint = createFingerprint(targetOf(request));
  state.fingerprint = fingerprint;
  if (earlier) {
    await skimForm(request);
    return answerAgain(deps, { principal, key, hash: fingerprint.digest() ?? NOT_YET }, earlier);
  }
  state.settle = (status, body) => {
    const hash = fingerprint.digest();
    if (hash) settle(deps, { principal, key, hash }, { status, body });
    else forget(deps, { principal, key });
  };
  return undefined;
}

/** Forgets requests that a stopped process left unfinished. Call it once at start, before serving. */
export function forgetUnfinished({ db }: Pick<Deps, "db">): void {
  db.delete(idempotencyKeys).where(isNull(idempotencyKeys.status)).run();
}

/** Deletes answers that are older than a day. */
export function forgetOldAnswers({ db, now }: Pick<Deps, "db" | "now">): void {
  db.delete(idempotencyKeys)
    .where(lt(idempotencyKeys.createdAt, now() - IDEMPOTENCY_TTL_MS))
    .run();
}

/** @throws DomainError `validation_failed`. */
function keyOf(request: Request): string | undefined {
  const key = request.headers.get("idempotency-key");
  if (key === null || request.method !== "POST") return undefined;
  if (key !== "" && key.length <= MAX_KEY_CHARACTERS) return key;
  throw invalidField("Idempotency-Key", "length", `must have 1 to ${MAX_KEY_CHARACTERS} characters`);
}

function targetOf({ url }: Request): string {
  const { pathname, search } = new URL(url);
  return `${pathname}${search}`;
}

/** A key, its owner, and the hash of the request it was sent with. */
type Claim = { principal: string; key: string; hash: Buffer };

/** Claims the key, or returns the earlier claim. */
function claimOrFind({ db, now }: IdempotencyDeps, { principal, key, hash }: Claim) {
  const same = rowOf({ principal, key });
  return transact(db, (tx) => {
    const at = now();
    const earlier = tx.select().from(idempotencyKeys).where(same).get();
    if (earlier && earlier.createdAt > at - IDEMPOTENCY_TTL_MS && !isOver(db, earlier)) return earlier;
    if (earlier) tx.delete(idempotencyKeys).where(same).run();
    const row = { principal, idempotencyKey: key, requestHash: hash, createdAt: at };
    tx.insert(idempotencyKeys).values(row).run();
    return undefined;
  });
}

type Earlier = typeof idempotencyKeys.$inferSelect;

function answerAgain({ secrets }: IdempotencyDeps, { principal, hash }: Claim, earlier: Earlier): Response {
  const isRead = earlier.requestHash.length > 0;
  if (isRead && !isSameBytes(earlier.requestHash, hash))
    throw new DomainError(
      "idempotency_key_reused",
      "This Idempotency-Key was already used for a different request: use a new key",
    );
  if (earlier.status === null || earlier.body === null) throw inProgress();
  return new Response(unseal(secrets("idempotency"), earlier.body, principal), {
    status: earlier.status,
    headers: { "content-type": "application/json", "idempotency-replayed": "true" },
  });
}

const inProgress = () =>
  new DomainError(
    "idempotency_in_progress",
    "The first request with this Idempotency-Key is still running: try again later",
  );

/** Stores a final answer. A failure of the service itself is forgotten so the client may try again. */
function settle(
  deps: IdempotencyDeps,
  { principal, key, hash }: Claim,
  { status, body: text }: { status: number; body: string },
): void {
  if (status >= 500) {
    forget(deps, { principal, key });
    return;
  }
  const body = seal(deps.secrets("idempotency"), text, principal);
  const row = { status, body, requestHash: hash };
  try {
    deps.db.update(idempotencyKeys).set(row).where(rowOf({ principal, key })).run();
  } catch (error) {
    // The work is done, so its answer goes out. Until tomorrow a repeated request is told that it is still running.
    if (!isFullDisk(error)) throw error;
  }
}

function forget({ db }: IdempotencyDeps, claim: Omit<Claim, "hash">): void {
  try {
    db.delete(idempotencyKeys).where(rowOf(claim)).run();
  } catch (error) {
    if (!isFullDisk(error)) throw error;
    overOf(db).add(nameOf(claim));
  }
}

/** Claims whose request is over, although there was no room to say so in the database: they may be claimed again. */
const over = new WeakMap<Db, Set<string>>();
const MAX_OVER = 1000;

function overOf(db: Db): Set<string> {
  const known = over.get(db);
  if (known && known.size < MAX_OVER) return known;
  const made = new Set<string>();
  over.set(db, made);
  return made;
}

const nameOf = ({ principal, key }: Omit<Claim, "hash">) => JSON.stringify([principal, key]);

const isOver = (db: Db, { principal, idempotencyKey: key, status }: Earlier): boolean =>
  status === null && overOf(db).delete(nameOf({ principal, key }));

const rowOf = ({ principal, key }: Omit<Claim, "hash">) =>
  and(eq(idempotencyKeys.principal, principal), eq(idempotencyKeys.idempotencyKey, key));
