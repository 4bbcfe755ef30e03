import type { Deps } from "../../../../kernel/deps.ts";
import { DomainError } from "../../../../kernel/errors.ts";
import { newToken } from "../../../../kernel/ids.ts";
import { isSameBytes } from "../../../../kernel/secrets.ts";
import { DAY_MS, HOUR_MS } from "../../../../kernel/time.ts";
import type { ShareRow } from "../queries.ts";

type Signer = Pick<Deps, "secrets">;

/**
 * What a page of a link lets its visitor do. `read`: see the rest of its lists. `open`: see the page itself, with a
 * button that bots do not press. `compare`: hear an earlier version beside the one that plays. `review`: say what one thinks of
 * a version, and of what it answers. `answer`: say whether one wants a track.
 */
export type Right = "listen" | "compare" | "download" | "comment" | "review" | "answer" | "read" | "open";

/**
 * A page may stay open for a day. Expiry is rounded to hours, which keeps addresses the same, so browsers can cache
 * files.
 */
const RIGHT_LIFETIME_MS = DAY_MS;
const MAC_BYTES = 16;

/**
 * Returns the query with which a page of the link proves a right to one version: `e=<hour>&s=<signature>`. It ends
 * after a day, with the link, or when the link's password changes.
 */
export function grant(
  { now, secrets }: Signer & Pick<Deps, "now">,
  share: ShareRow,
  right: Right,
  subject: string,
): string {
  const hour = Math.ceil((now() + RIGHT_LIFETIME_MS) / HOUR_MS);
  return `e=${hour}&s=${signature(secrets, share, right, [subject, String(hour)])}`;
}

/** Returns the same proof as {@link grant}, as form fields. */
export function proofOf(deps: Signer & Pick<Deps, "now">, share: ShareRow, right: Right, subject = "") {
  const proof = new URLSearchParams(grant(deps, share, right, subject));
  return { e: proof.get("e") ?? "", s: proof.get("s") ?? "" };
}

/**
 * Checks a proof from {@link grant}.
 *
 * @throws DomainError `invalid_link` when it is forged or has expired.
 */
export function checkGrant(
  { now, secrets }: Signer & Pick<Deps, "now">,
  share: ShareRow,
  right: Right,
  subject: string,
  proof: URLSearchParams,
): void {
  const [hour, given] = [proof.get("e") ?? "", proof.get("s") ?? ""];
  const expected = signature(secrets, share, right, [subject, hour]);
  const isRight = isSameBytes(Buffer.from(given), Buffer.from(expected));
  if (isRight && /^\d{1,9}$/.test(hour) && now() < Number(hour) * HOUR_MS) return;
  throw new DomainError("invalid_link", "This page is out of date: open the link again");
}

/** Returns the value of the cookie that remembers a correct password of a link. */
export function passOf({ secrets }: Signer, share: ShareRow): string {
  return signature(secrets, share, "pass", []);
}

/**
 * Begins a visit. The value of its cookie recognises later pages of the visit, and says nothing about the visitor.
 */
export function newVisit({ secrets }: Signer, share: ShareRow): { visitId: string; value: string } {
  const visitId = newToken(16);
  return { visitId, value: `${visitId}.${visitMac(secrets, share, visitId)}` };
}

/** Returns the visit that a cookie's value names, or undefined if this link did not issue the value. */
export function visitOf({ secrets }: Signer, share: ShareRow, value: string | null): string | undefined {
  const [visitId = "", given = ""] = (value ?? "").split(".");
  return isSameBytes(Buffer.from(given), Buffer.from(visitMac(secrets, share, visitId)))
    ? visitId
    : undefined;
}

/** Bound only to the link: a visit continues when the owner changes the password. */
const visitMac = (secrets: Deps["secrets"], { id }: ShareRow, visitId: string) =>
  mac(secrets, ["visit", id, visitId]);

/** Bound to the link and its password's hash. */
function signature(
  secrets: Deps["secrets"],
  { id, passwordHash }: ShareRow,
  purpose: Right | "pass",
  parts: readonly string[],
): string {
  return mac(secrets, [purpose, id, passwordHash ?? "", ...parts]);
}

/** Returns 128 bits of the HMAC-SHA256 over the parts as a JSON array, which keeps the parts separate. */
function mac(secrets: Deps["secrets"], parts: readonly string[]): string {
  const digest = new Bun.CryptoHasher("sha256", secrets("share-pages"))
    .update(JSON.stringify(parts))
    .digest();
  return digest.subarray(0, MAC_BYTES).toString("base64url");
}
