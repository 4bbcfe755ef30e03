import type { Deps } from "../../../kernel/deps.ts";
import { invalidField } from "../../../kernel/errors.ts";
import { requireText } from "../../../kernel/text.ts";
import { parseBound } from "../../../kernel/time.ts";
import { hashPassword } from "../../people/people/service.ts";
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
    showDetails,
    recipient,
  }: Omit<UpdateShare, "shared">,
) {
  return {
    ...(expiresAt !== undefined && { expiresAt: expiresAt === null ? null : readExpiry(expiresAt, now()) }),
    ...(maxUses !== undefined && { maxUses }),
    ...(allowDownload !== undefined && { allowDownload }),
    ...(allowComments !== undefined && { allowComments }),
    ...(showDetails !== undefined && { showDetails }),
    ...(recipient !== undefined && {
      recipient: recipient === null ? null : requireText("recipient", recipient),
    }),
    ...(password !== undefined && { passwordHash: password === null ? null : await hashPassword(password) }),
  };
}

function readExpiry(text: string, at: number): number {
  const expiresAt = parseBound(text, "last");
  if (expiresAt === undefined)
    throw invalidField("expiresAt", "invalid_date", "must be an ISO 8601 time or a day, YYYY-MM-DD");
  if (expiresAt <= at) throw invalidField("expiresAt", "past", "must be in the future");
  return expiresAt;
}
