import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { asRefusal } from "../../../kernel/refusals.ts";
import { isSameBytes } from "../../../kernel/secrets.ts";
import type { SharedEntity } from "../model.ts";
import { countUse, findByToken } from "../page-queries.ts";
import type { ShareRow } from "../queries.ts";
import { newVisit, passOf, visitOf } from "./proofs.ts";

/** Cookies of a link's page; their path is the page's, so that no other page or link sees them. */
export const PASS_COOKIE = "dubplate_pass";
export const VISIT_COOKIE = "dubplate_visit";

/** What a visitor brings along. */
export type Visitor = {
  cookies: string | null;
  isOwner: boolean;
  /** Crawlers and link previews: they are no visit. */
  isMachine: boolean;
  /** The browser fetched the page ahead of its visitor. */
  isPrefetch: boolean;
};

/** What a visitor gets to see. */
export type Opening =
  | { state: "over"; reason: "revoked" | "expired" | "used-up" }
  | { state: "password" }
  /** Not now: what is fetched ahead is no visit, and must not be one that nobody hears of when somebody comes. */
  | { state: "later"; visitId: string | undefined }
  /** The name and no more: there is no visit to spend on a machine. */
  | { state: "preview" }
  | { state: "open"; visitId: string | undefined; visitCookie: string | undefined };

type VisitDeps = Pick<Deps, "db" | "now" | "secrets">;

/** Returns the link behind an address. @throws DomainError `share_not_found`. */
export function getShareByToken(db: Deps["db"], entity: SharedEntity, token: string): ShareRow {
  const share = findByToken(db, entity, token);
  if (share) return share;
  throw new DomainError("share_not_found", "There is no such link. Perhaps a part of the address was lost");
}

/** Returns why a link is over, whatever visits it has left; undefined while it is not. */
export function endOf({ revokedAt, expiresAt }: ShareRow, at: number): "revoked" | "expired" | undefined {
  if (revokedAt !== null) return "revoked";
  return expiresAt !== null && expiresAt <= at ? "expired" : undefined;
}

/**
 * Decides what a visitor of a link sees, and counts a new visit. A visit goes on until the browser is closed, so that
 * reloads use up nothing.
 */
export function openShare(deps: VisitDeps, share: ShareRow, visitor: Visitor): Opening {
  const end = endOf(share, deps.now());
  if (end) return { state: "over", reason: end };
  const known = visitOf(deps, share, cookieOf(visitor, VISIT_COOKIE));
  if (visitor.isOwner) return openTo(known);
  if (known === undefined && share.maxUses !== null && share.uses >= share.maxUses)
    return { state: "over", reason: "used-up" };
  if (!mayPass(deps, share, visitor)) return { state: "password" };
  if (visitor.isPrefetch && !visitor.isMachine) return { state: "later", visitId: known };
  return known === undefined ? admit(deps, share, visitor) : openTo(known);
}

/** Begins a visit, unless nobody has come. */
function admit(deps: VisitDeps, share: ShareRow, { isMachine }: Visitor): Opening {
  if (isMachine) return share.maxUses === null ? openTo(undefined) : { state: "preview" };
  if (!isCounted(deps, share)) return { state: "over", reason: "used-up" };
  const { visitId, value } = newVisit(deps, share);
  return { state: "open", visitId, visitCookie: value };
}

/** Counts a visit. Returns false when the link has no visits left. */
function isCounted({ db }: VisitDeps, share: ShareRow): boolean {
  try {
    return countUse(db, share.id);
  } catch (error) {
    // A full disk or a damaged database keeps nobody from a link whose visits are not limited.
    if (share.maxUses === null && asRefusal(error)) return true;
    throw error;
  }
}

const openTo = (visitId: string | undefined): Opening => ({
  state: "open",
  visitId,
  visitCookie: undefined,
});

/** Returns the visit that a request belongs to, by its cookie. */
export function visitIdOf(deps: VisitDeps, share: ShareRow, cookies: string | null): string | undefined {
  return visitOf(deps, share, cookieOf({ cookies }, VISIT_COOKIE));
}

function mayPass(deps: VisitDeps, share: ShareRow, visitor: Visitor): boolean {
  if (share.passwordHash === null) return true;
  const given = Buffer.from(cookieOf(visitor, PASS_COOKIE) ?? "");
  return isSameBytes(given, Buffer.from(passOf(deps, share)));
}

function cookieOf({ cookies }: Pick<Visitor, "cookies">, name: string): string | null {
  return cookies === null ? null : new Bun.CookieMap(cookies).get(name);
}
