import { and, eq, isNull, lt } from "drizzle-orm";
import { transact } from "../../db/client.ts";
import { idempotencyKeys } from "../../db/schema.ts";
import type { Deps } from "../kernel/deps.ts";
import { DomainError, invalidField } from "../kernel/errors.ts";
import { isSameBytes, seal, sha256, unseal } from "../kernel/secrets.ts";
import { DAY_MS } from "../kernel/time.ts";
import { stateOf } from "./request-state.ts";

type IdempotencyDeps = Pick<Deps, "db" | "now" | "secrets">;

/** How long an answer is kept (decision 0.11). */
export const IDEMPOTENCY_TTL_MS = DAY_MS;
const MAX_KEY_CHARACTERS = 255;

/**
 * Begins a POST that carries an Idempotency-Key: returns the kept answer of an earlier one, or undefined when the
 * request is to be done now; its answer is then kept when it is made.
 *
 * @throws DomainError `idempotency_key_reused` for another payload, `idempotency_in_progress` while the first runs,
 *   `validation_failed` for a key that is too long.
 */
export function beginIdempotent(
  deps: IdempotencyDeps,
  request: Request,
  principal: string,
): Response | undefined {
  const key = request.headers.get("idempotency-key");
  if (key === null || request.method !== "POST") return undefined;
  if (key === "" || key.length > MAX_KEY_CHARACTERS)
    throw invalidField("Idempotency-Key", "length", `must have 1 to ${MAX_KEY_CHARACTERS} characters`);

  const state = stateOf(request);
  const url = new URL(request.url);
  const hash = sha256(`${url.pathname}${url.search}\n${state.bodyText ?? ""}`);
  const earlier = claim(deps, principal, key, hash);
  if (!earlier) {
    state.settle = (status, body) => settle(deps, principal, key, status, body);
    return undefined;
  }
  if (!isSameBytes(earlier.requestHash, hash))
    throw new DomainError("idempotency_key_reused", "This Idempotency-Key was used with another request");
  if (earlier.status === null || earlier.body === null)
    throw new DomainError(
      "idempotency_in_progress",
      "The first request with this Idempotency-Key still runs",
    );
  return new Response(unseal(deps.secrets("idempotency"), earlier.body, principal), {
    status: earlier.status,
    headers: { "content-type": "application/json", "idempotency-replayed": "true" },
  });
}

/** Forgets requests that a stopped process left unfinished. Call once at start, before serving. */
export function forgetUnfinished({ db }: Pick<Deps, "db">): void {
  db.delete(idempotencyKeys).where(isNull(idempotencyKeys.status)).run();
}

/** Deletes answers that are older than a day. */
export function forgetOldAnswers({ db, now }: Pick<Deps, "db" | "now">): void {
  db.delete(idempotencyKeys)
    .where(lt(idempotencyKeys.createdAt, now() - IDEMPOTENCY_TTL_MS))
    .run();
}

function claim({ db, now }: IdempotencyDeps, principal: string, idempotencyKey: string, requestHash: Buffer) {
  const same = and(
    eq(idempotencyKeys.principal, principal),
    eq(idempotencyKeys.idempotencyKey, idempotencyKey),
  );
  return transact(db, (tx) => {
    const at = now();
    const earlier = tx.select().from(idempotencyKeys).where(same).get();
    if (earlier && earlier.createdAt > at - IDEMPOTENCY_TTL_MS) return earlier;
    if (earlier) tx.delete(idempotencyKeys).where(same).run();
    tx.insert(idempotencyKeys).values({ principal, idempotencyKey, requestHash, createdAt: at }).run();
    return undefined;
  });
}

/** Keeps a final answer; a failure of the service itself is forgotten, so that the client may try again. */
function settle(
  { db, secrets }: IdempotencyDeps,
  principal: string,
  idempotencyKey: string,
  status: number,
  text: string,
): void {
  const same = and(
    eq(idempotencyKeys.principal, principal),
    eq(idempotencyKeys.idempotencyKey, idempotencyKey),
  );
  if (status >= 500) {
    db.delete(idempotencyKeys).where(same).run();
    return;
  }
  const body = seal(secrets("idempotency"), text, principal);
  db.update(idempotencyKeys).set({ status, body }).where(same).run();
}
