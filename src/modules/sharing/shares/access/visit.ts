import type { Deps } from "../../../../kernel/deps.ts";
import { DomainError } from "../../../../kernel/errors.ts";
import { asRefusal } from "../../../../kernel/refusals.ts";
import { isSameBytes } from "../../../../kernel/secrets.ts";
import { countUse, findByToken, isInBin, type LinkRow } from "../page-queries.ts";
import type { ShareRow } from "../queries.ts";
import type { SharedEntity } from "../shapes.ts";
import { isEarly } from "../wire.ts";
import { newVisit, passOf, visitOf } from "./proofs.ts";

/** Cookies of a link's page. Their path is the page's, which hides them from other pages and links. */
export const PASS_COOKIE = "dubplate_pass";
export const VISIT_COOKIE = "dubplate_visit";

/** The facts about a visitor from the request. */
export type Visitor = {
  cookies: string | null;
  isOwner: boolean;
  /** True for crawlers and link previews, which do not count as visits. */
  isMachine: boolean;
  /** The browser fetched the page ahead of its visitor. */
  isPrefetch: boolean;
};

/** Why a link opens nothing for any visitor. `not-yet` and `off`: its owner may turn it on; `early`: it opens by itself. */
type Closed = "revoked" | "not-yet" | "off" | "expired" | "closed" | "gone" | "early";

/** What a visitor may see. */
export type Opening =
  | { state: "over"; reason: Closed | "used-up" }
  | { state: "password" }
  /** Not yet: a prefetched page must not use up a visit, or show the visitor a page without counting it. */
  | { state: "later"; visitId: string | undefined }
  /** Only the name: bots must not use up visits. */
  | { state: "preview" }
  | { state: "open"; visitId: string | undefined; visitCookie: string | undefined };

type VisitDeps = Pick<Deps, "db" | "now" | "secrets">;

/** Returns the link behind an address. @throws DomainError `share_not_found`. */
export function getShareByToken(db: Deps["db"], entity: SharedEntity, token: string): LinkRow {
  const share = findByToken(db, entity, token);
  if (share) return share;
  throw new DomainError("share_not_found", "There is no such link. Check that the address is complete");
}

/** Returns why a link opens nothing, regardless of remaining visits; undefined while it is open. */
export function endOf({ db, now }: Pick<Deps, "db" | "now">, share: LinkRow): Closed | undefined {
  if (share.revokedAt !== null) return "revoked";
  if (share.turned === "not-yet" || share.turned === "off") return share.turned;
  if (share.expiresAt !== null && share.expiresAt <= now()) return "expired";
  if (!share.isOwnerActive) return "closed";
  if (isInBin(db, share)) return "gone";
  return isEarly(share, now()) ? "early" : undefined;
}

/**
 * Refuses the addresses below a link's page while the link opens nothing, regardless of remaining visits.
 *
 * @throws DomainError `share_not_found` while it is not turned on, and before it opens; `invalid_link` when it has ended.
 */
export function requireOpen(deps: Pick<Deps, "db" | "now">, share: LinkRow): void {
  const end = endOf(deps, share);
  if (end === "not-yet") throw new DomainError("share_not_found", `This ${share.entity} is not shared yet`);
  if (end === "off")
    throw new DomainError("share_not_found", `This ${share.entity} is not shared at the moment`);
  if (end === "early") throw new DomainError("share_not_found", "This link is not open yet");
  if (end) throw new DomainError("invalid_link", "This link is no longer open");
}

/**
 * Decides what a visitor of a link sees, and counts a new visit. A visit lasts until the browser is closed, so
 * reloads use up nothing.
 */
export function openShare(deps: VisitDeps, share: LinkRow, visitor: Visitor): Opening {
  const end = endOf(deps, share);
  if (end) return { state: "over", reason: end };
  const known = visitOf(deps, share, cookieOf(visitor, VISIT_COOKIE));
  if (visitor.isOwner) return openTo(known);
  if (known === undefined && share.maxUses !== null && share.uses >= share.maxUses)
    return { state: "over", reason: "used-up" };
  if (!mayPass(deps, share, visitor)) return { state: "password" };
  if (visitor.isPrefetch && !visitor.isMachine) return { state: "later", visitId: known };
  return known === undefined ? admit(deps, share, visitor) : openTo(known);
}

/** Begins a visit, except for bots. */
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
    // A full disk or a damaged database keeps no visitor from a link whose visits are not limited.
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
