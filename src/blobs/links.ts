import type { Deps } from "../kernel/deps.ts";
import { DomainError } from "../kernel/errors.ts";
import { isSameBytes } from "../kernel/secrets.ts";
import { HOUR_MS, SECOND_MS } from "../kernel/time.ts";

/** What a link lets its bearer fetch: a version's original file, the rendition played instead of it, or the original as a device keeps it to play. */
export type LinkTarget = {
  versionId: string;
  filename: string;
  use?: "rendition" | "copy";
  /** Whose session it was made for: it ends with the membership. Left out: whoever has the link may use it. */
  memberId?: string;
};

const LINK_LIFETIME_MS = HOUR_MS;
const FOLDERS = { rendition: "/media/renditions", copy: "/media/copies" } as const;

/** Returns the path and query of a link to one file of a version. It works for an hour. */
export function signLink({ now, secrets }: Pick<Deps, "now" | "secrets">, target: LinkTarget): string {
  const expires = Math.floor((now() + LINK_LIFETIME_MS) / SECOND_MS);
  const filename = target.filename.toWellFormed();
  const signature = sign(secrets, { ...target, filename }, expires).toString("base64url");
  const folder = target.use ? FOLDERS[target.use] : "/media";
  const path = `${folder}/${encodeURIComponent(target.versionId)}/${encodeURIComponent(filename)}`;
  const member = target.memberId === undefined ? "" : `&m=${target.memberId}`;
  return `${path}?expires=${expires}&signature=${signature}${member}`;
}

/**
 * Checks the query values of a link made by {@link signLink}. Whether its member is still there is for the caller to ask.
 *
 * @throws DomainError `invalid_link` when the link is expired, changed or was never signed.
 */
export function checkLink(
  { now, secrets }: Pick<Deps, "now" | "secrets">,
  target: LinkTarget,
  { expires, signature }: { expires: string | undefined; signature: string | undefined },
): void {
  const isTime = expires !== undefined && /^[1-9]\d{0,11}$/.test(expires);
  if (!isTime || signature === undefined) throw invalidLink();
  // Compare the text, not the decoded bytes: several base64url texts decode to the same bytes.
  const expected = sign(secrets, target, Number(expires)).toString("base64url");
  if (!isSameBytes(Buffer.from(signature), Buffer.from(expected))) throw invalidLink();
  if (now() >= Number(expires) * SECOND_MS) throw invalidLink();
}

/** HMAC-SHA256 over the parts as a JSON array, which keeps them apart: a link to play is not valid for a download. */
function sign(secrets: Deps["secrets"], target: LinkTarget, expires: number): Buffer {
  const { versionId, filename, use, memberId } = target;
  const bound = memberId === undefined ? [] : [{ memberId }];
  const message = JSON.stringify([versionId, expires, filename, ...(use ? [use] : []), ...bound]);
  return new Bun.CryptoHasher("sha256", secrets("media-links")).update(message).digest();
}

const invalidLink = () => new DomainError("invalid_link", "This link is invalid or expired: fetch a new one");
