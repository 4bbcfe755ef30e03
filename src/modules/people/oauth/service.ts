import { type Db, transact } from "../../../../db/client.ts";
import type { LibraryId, PersonId } from "../../../../db/schema.ts";
import type { OnBehalf, SessionActor } from "../../../kernel/actor.ts";
import { audit } from "../../../kernel/audit.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { sha256 } from "../../../kernel/secrets.ts";
import { MINUTE_MS, toIso, toIsoOrNull } from "../../../kernel/time.ts";
import { peopleIn } from "../people/service.ts";
import { allowedToMaker, cutToMaker, onBehalfOf } from "../team/service.ts";
import * as queries from "./queries.ts";
import { redirectHost } from "./redirect-uri.ts";
import { pruneClients } from "./registration.ts";
import type { Grant } from "./shapes.ts";

export { countGrantsOf, endGrantsOf } from "./leaving.ts";
export { isRedirectUri } from "./redirect-uri.ts";

/** Last use is recorded to the minute: a write per call would cost too much. */
const TOUCH_MS = MINUTE_MS;

/** The account and scopes of a request with an access token, and who let the program in. */
type GrantActor = OnBehalf & {
  grantId: string;
  accountId: LibraryId;
  scopes: readonly string[];
};

/**
 * Returns the account that a request with this access token acts as. The token must be issued for `resource`.
 *
 * @throws DomainError `invalid_token`: unknown, expired, revoked, for another resource, or of somebody who has left (RFC 6750, section 3.1).
 */
export function authenticateAccessToken(
  { db, now }: Pick<Deps, "db" | "now">,
  token: string,
  resource: string,
): GrantActor {
  const proof = queries.findAccessProof(db, sha256(token));
  const at = now();
  const allowed = proof ? allowedToMaker(proof, at) : null;
  if (!proof || allowed === null || proof.expiresAt <= at || proof.resource !== resource)
    throw new DomainError("invalid_token", "This access token is not valid or has expired");
  const { grantId, accountId } = proof;
  if ((proof.lastUsedAt ?? 0) <= at - TOUCH_MS) queries.updateGrant(db, grantId, { lastUsedAt: at });
  return {
    grantId,
    accountId,
    ...onBehalfOf(proof, allowed),
    scopes: [...(cutToMaker(JSON.parse(proof.scopes), allowed) ?? [])],
  };
}

/** Returns the grants to other programs that a member may end, newest first: their own, or with `manage:keys` everybody's. */
export function listGrants(deps: Pick<Deps, "db" | "now">, actor: SessionActor): Grant[] {
  const rows = grantsFor(deps, actor);
  const by = peopleIn(
    deps,
    actor.accountId,
    rows.map(({ personId }) => personId),
  );
  return rows.map((row) => ({
    id: row.id,
    clientId: row.clientId,
    clientName: row.clientName,
    redirectHost: redirectHost(row.redirectUri),
    scopes: row.scopes,
    madeBy: by(row.personId),
    createdAt: toIso(row.createdAt),
    lastUsedAt: toIsoOrNull(row.lastUsedAt),
    expiresAt: toIso(row.expiresAt),
  }));
}

function grantsFor({ db, now }: Pick<Deps, "db" | "now">, { accountId, personId, allowed }: SessionActor) {
  const rows = queries.listGrants(db, accountId, now());
  return allowed.needs.has("manage:keys") ? rows : rows.filter((row) => row.personId === personId);
}

/**
 * Ends one grant of the account, or all of them, as far as {@link listGrants} has them; returns how many ended. Their tokens are refused from now on. Audited.
 *
 * @throws DomainError `grant_not_found`.
 */
export function revokeGrants(
  { db, now }: Pick<Deps, "db" | "now">,
  actor: SessionActor,
  id: string | undefined,
): number {
  return transact(db, (tx) => {
    const grants = grantsFor({ db: tx, now }, actor);
    const meant = id === undefined ? grants : grants.filter((grant) => grant.id === id);
    if (id !== undefined && meant.length === 0)
      throw new DomainError("grant_not_found", "There is no such grant");
    for (const { id: subject, clientId, clientName: name } of meant) {
      queries.deleteGrant(tx, subject);
      audit(
        tx,
        { actor: actor.accountId, action: "grant.revoke", subject, detail: { clientId, name } },
        now(),
      );
    }
    return meant.length;
  });
}

/** Ends every grant that a person made, in any library; returns how many there were. Call it in a transaction. Audited. */
export function revokeGrantsOf(tx: Db, personId: PersonId, at: number): number {
  const grants = queries.listGrantsOf(tx, personId);
  for (const { id: subject, clientId } of grants) {
    queries.deleteGrant(tx, subject);
    audit(tx, { actor: personId, action: "grant.revoke", subject, detail: { clientId } }, at);
  }
  return grants.length;
}

/** Deletes expired requests, tokens and grants, and unused clients. */
export function pruneOAuth(deps: Pick<Deps, "db" | "now">): void {
  transact(deps.db, (tx: Db) => queries.deleteExpired(tx, deps.now()));
  pruneClients(deps);
}
