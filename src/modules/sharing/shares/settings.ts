import type { Deps } from "../../../kernel/deps.ts";
import { invalidField } from "../../../kernel/errors.ts";
import { requireText } from "../../../kernel/text.ts";
import { parseBound } from "../../../kernel/time.ts";
import { hashPassword } from "../../people/people/service.ts";
import type { NewShareRow, ShareRow } from "./queries.ts";
import type { UpdateShare } from "./shapes.ts";

/**
 * Reads a link's settings into columns. The password is hashed, which is slow.
 *
 * @throws DomainError `validation_failed` for a time that is invalid or past, or a blank recipient.
 */
export async function readSettings(
  { now }: Pick<Deps, "now">,
  {
    password,
    expiresAt,
    maxUses,
    allowDownload,
    allowComments,
    allowReview,
    showDetails,
    recipient,
  }: Omit<UpdateShare, "shared">,
) {
  return {
    ...(expiresAt !== undefined && { expiresAt: expiresAt === null ? null : readExpiry(expiresAt, now()) }),
    ...(maxUses !== undefined && { maxUses }),
    ...(allowDownload !== undefined && { allowDownload }),
    ...(allowComments !== undefined && { allowComments }),
    ...(allowReview !== undefined && { allowReview }),
    ...(showDetails !== undefined && { showDetails }),
    ...(recipient !== undefined && {
      recipient: recipient === null ? null : requireText("recipient", recipient),
    }),
    ...(password !== undefined && { passwordHash: password === null ? null : await hashPassword(password) }),
  };
}

type Reviewed = Pick<NewShareRow, "allowReview" | "allowComments" | "recipient">;

/**
 * Completes settings by what asking for approval needs: the recipient may comment, and a link without a recipient does not ask.
 * Settings that know nothing of approval are never refused for it; the link no longer asks where they leave it no way to.
 *
 * @param before The link as it is; left out for a new one.
 * @throws DomainError `validation_failed` when a link without a recipient is to ask.
 */
export function withReview<Settings extends Reviewed>(settings: Settings, before?: ShareRow): Settings {
  const recipient = settings.recipient === undefined ? before?.recipient : settings.recipient;
  if (settings.allowReview) {
    if (recipient) return { ...settings, allowComments: true };
    throw invalidField("allowReview", "no_recipient", "needs a recipient: a public link asks nobody");
  }
  const mayAsk = recipient && settings.allowComments !== false;
  return before?.allowReview && !mayAsk ? { ...settings, allowReview: false } : settings;
}

function readExpiry(text: string, at: number): number {
  const expiresAt = parseBound(text, "last");
  if (expiresAt === undefined)
    throw invalidField("expiresAt", "invalid_date", "must be an ISO 8601 time or a day, YYYY-MM-DD");
  if (expiresAt <= at) throw invalidField("expiresAt", "past", "must be in the future");
  return expiresAt;
}
