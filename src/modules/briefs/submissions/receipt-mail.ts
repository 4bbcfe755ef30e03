import type { LibraryId } from "../../../../db/schema.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { publicUrlOf } from "../../../kernel/settings.ts";
import { DAY_MS } from "../../../kernel/time.ts";
import { submittedLetter } from "../../mail/letters/service.ts";
import {
  composeForLibrary,
  countRecent,
  isStopped,
  type NewMail,
  writeMail,
} from "../../mail/outbox/service.ts";
import { brandOf } from "../../people/brand/service.ts";
import { normaliseEmail } from "../../people/people/service.ts";
import type { Door } from "../briefs/service.ts";
import { receiptPath } from "./receipt-pages.tsx";
import { MAX_RECEIPTS_PER_DAY } from "./shapes.ts";

type Sent = {
  batchId: string;
  /** Names of files, and links. */
  titles: readonly string[];
  /** What the sender calls themselves, and the address that they typed, if any. */
  card: { name: string | null; email: string | null };
};

/** The mail that says that music has arrived. */
export type ReceiptMail = NewMail & { accountId: LibraryId; requestId: string };

type MailDeps = Pick<Deps, "db" | "now" | "settings" | "secrets">;

/**
 * Composes the mail that says that music has arrived. It goes only to the address for which the personal link was made, so that no
 * stranger has the server write to others. Undefined where nobody gets one.
 */
export async function composeReceipt(
  deps: MailDeps,
  { ownerId: accountId, name: brief, ownerName, request }: Door,
  { batchId, titles, card }: Sent,
): Promise<ReceiptMail | undefined> {
  if (!deps.settings.mail || !request || request.email === "") return undefined;
  const { id: requestId, email } = request;
  if (card.email !== null && normaliseEmail(card.email) !== email) return undefined;
  const library = brandOf(deps, accountId).name ?? ownerName;
  const href = new URL(receiptPath(deps, batchId), publicUrlOf(deps.settings)).href;
  const about = { accountId, kind: "submitted", to: { email, name: request.name ?? card.name } } as const;
  const words = submittedLetter({ library, brief, titles, href });
  const composed = await composeForLibrary(deps, { ...about, library, ...words });
  return { ...about, ...composed, dedupe: `submitted ${batchId}`, requestId };
}

/** Writes a receipt, unless its address wants no mail or has had many today. Call it in the transaction of the batch. */
export function writeReceipt(deps: MailDeps, mail: ReceiptMail): void {
  const { requestId, kind, accountId } = mail;
  const recent = countRecent(deps.db, { requestId, kind, since: deps.now() - DAY_MS });
  if (recent < MAX_RECEIPTS_PER_DAY && !isStopped(deps.db, { email: mail.to.email, accountId }))
    writeMail(deps, mail);
}
