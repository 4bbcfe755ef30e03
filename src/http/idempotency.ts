import { and, eq, isNotNull, isNull, lt } from "drizzle-orm";
import { type Db, transact } from "../../db/client.ts";
import { idempotencyKeys } from "../../db/schema.ts";
import type { Deps } from "../kernel/deps.ts";
import { DomainError, invalidField } from "../kernel/errors.ts";
import { IDEMPOTENCY_HOURS, MAX_IDEMPOTENCY_KEY } from "../kernel/limits.ts";
import { isSameBytes, type Secrets, seal, sha256, unseal } from "../kernel/secrets.ts";
import { HOUR_MS } from "../kernel/time.ts";
import { isFullDisk } from "../kernel/trouble.ts";
import { skimForm } from "./body/multipart.ts";
import { createFingerprint } from "./fingerprint.ts";
import { stateOf } from "./request-state.ts";

type IdempotencyDeps = Pick<Deps, "db" | "now" | "secrets">;

/** How long an answer is kept (decision 0.11). */
export const IDEMPOTENCY_TTL_MS = IDEMPOTENCY_HOURS * HOUR_MS;
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
  if (earlier) return answerAgain(claim, earlier);
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
    return answerAgain({ hash: fingerprint.digest() ?? NOT_YET }, earlier);
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

/** Stores answers that there was no room for, and deletes those that are older than a day. */
export function tidyAnswers(deps: IdempotencyDeps): void {
  const { db, now } = deps;
  storeWaiting(deps);
  db.delete(idempotencyKeys)
    .where(lt(idempotencyKeys.createdAt, now() - IDEMPOTENCY_TTL_MS))
    .run();
}

/** @throws DomainError `validation_failed`. */
function keyOf(request: Request): string | undefined {
  const key = request.headers.get("idempotency-key");
  if (key === null || request.method !== "POST") return undefined;
  if (key !== "" && key.length <= MAX_IDEMPOTENCY_KEY) return key;
  throw invalidField("Idempotency-Key", "length", `must have 1 to ${MAX_IDEMPOTENCY_KEY} characters`);
}

function targetOf({ url }: Request): string {
  const { pathname, search } = new URL(url);
  return `${pathname}${search}`;
}

/** A key, its owner, and the hash of the request it was sent with. */
type Claim = { principal: string; key: string; hash: Buffer };

/** Claims the key, or returns the earlier claim. */
function claimOrFind({ db, now, secrets }: IdempotencyDeps, { principal, key, hash }: Claim) {
  const same = rowOf({ principal, key });
  const name = nameOf({ principal, key });
  // The row and the secret that opens it must be of one moment, also while the master secret is rotated.
  const open = (row: typeof idempotencyKeys.$inferSelect): Earlier => ({
    ...row,
    text: row.body && unseal(secrets("idempotency"), row.body, principal),
  });
  const found = transact(db, (tx) => {
    const at = now();
    const earlier = tx.select().from(idempotencyKeys).where(same).get();
    const ending = earlier?.status === null ? endingsOf(db).get(name) : undefined;
    if (earlier && earlier.createdAt > at - IDEMPOTENCY_TTL_MS && ending !== FORGOTTEN)
      return ending ? { ...earlier, ...ending } : open(earlier);
    if (earlier) tx.delete(idempotencyKeys).where(same).run();
    const row = { principal, idempotencyKey: key, requestHash: hash, createdAt: at };
    tx.insert(idempotencyKeys).values(row).run();
    return undefined;
  });
  if (!found) endingsOf(db).delete(name);
  return found;
}

/** An earlier claim, with the text of its answer; null while it has none. */
type Earlier = typeof idempotencyKeys.$inferSelect & { text: string | null };

function answerAgain({ hash }: Pick<Claim, "hash">, earlier: Earlier): Response {
  const isRead = earlier.requestHash.length > 0;
  if (isRead && !isSameBytes(earlier.requestHash, hash))
    throw new DomainError(
      "idempotency_key_reused",
      "This Idempotency-Key was already used for a different request: use a new key",
    );
  if (earlier.status === null || earlier.text === null) throw inProgress();
  return new Response(earlier.text, {
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
  // The work is done, so its answer goes out in any case. Until there is room for it, it is kept in memory.
  remember(deps.db, { principal, key }, { status, text, requestHash: hash });
  try {
    storeWaiting(deps);
  } catch (error) {
    if (!isFullDisk(error)) throw error;
  }
}

function store({ db, secrets }: IdempotencyDeps, claim: Name, { status, text, requestHash }: Answer): void {
  transact(db, (tx) => {
    const body = seal(secrets("idempotency"), text, claim.principal);
    tx.update(idempotencyKeys).set({ status, body, requestHash }).where(rowOf(claim)).run();
  });
}

function forget({ db }: IdempotencyDeps, claim: Name): void {
  try {
    db.delete(idempotencyKeys).where(rowOf(claim)).run();
  } catch (error) {
    if (!isFullDisk(error)) throw error;
    remember(db, claim, FORGOTTEN);
  }
}

type Name = Pick<Claim, "principal" | "key">;
type Answer = { status: number; text: string; requestHash: Buffer };
/** The request failed: its key may be claimed again. */
const FORGOTTEN = "forgotten";

/** How requests ended, as far as there was no room in the database to say so. */
const endings = new WeakMap<Db, Map<string, Answer | typeof FORGOTTEN>>();
const MAX_ENDINGS = 1000;

function endingsOf(db: Db): Map<string, Answer | typeof FORGOTTEN> {
  const known = endings.get(db) ?? new Map<string, Answer | typeof FORGOTTEN>();
  endings.set(db, known);
  return known;
}

/** Drops the oldest when there are too many. */
function remember(db: Db, claim: Name, ending: Answer | typeof FORGOTTEN): void {
  const all = endingsOf(db);
  all.set(nameOf(claim), ending);
  const [oldest] = all.keys();
  if (all.size > MAX_ENDINGS && oldest !== undefined) all.delete(oldest);
}

/** Writes to the database what waits for room there. */
function storeWaiting(deps: IdempotencyDeps): void {
  const all = endingsOf(deps.db);
  for (const [name, ending] of all) {
    const [principal, key] = JSON.parse(name);
    if (ending === FORGOTTEN) deps.db.delete(idempotencyKeys).where(rowOf({ principal, key })).run();
    else store(deps, { principal, key }, ending);
    all.delete(name);
  }
}

const nameOf = ({ principal, key }: Name) => JSON.stringify([principal, key]);

const rowOf = ({ principal, key }: Name) =>
  and(eq(idempotencyKeys.principal, principal), eq(idempotencyKeys.idempotencyKey, key));

/**
 * Seals the stored answers for a new master secret. One that does not open stays as it is. Returns how many.
 */
export function resealAnswers(tx: Db, from: Secrets, to: Secrets): number {
  const { principal, idempotencyKey: key, body } = idempotencyKeys;
  const rows = tx.select({ principal, key, body }).from(idempotencyKeys).where(isNotNull(body)).all();
  let sealed = 0;
  for (const row of rows) {
    const text = row.body && opened(from, row.body, row.principal);
    if (text === null || text === undefined) continue;
    const resealed = seal(to("idempotency"), text, row.principal);
    tx.update(idempotencyKeys).set({ body: resealed }).where(rowOf(row)).run();
    sealed++;
  }
  return sealed;
}

function opened(secrets: Secrets, body: Uint8Array, principal: string): string | undefined {
  try {
    return unseal(secrets("idempotency"), body, principal);
  } catch {
    return undefined;
  }
}
