import type { Deps } from "../../../kernel/deps.ts";
import { invalidField } from "../../../kernel/errors.ts";
import { requireText } from "../../../kernel/text.ts";
import { parseBound } from "../../../kernel/time.ts";
import { hashPassword } from "../../people/people/service.ts";
import { readRecipient } from "./mails/recipient.ts";
import type { NewShareRow, ShareRow } from "./queries.ts";
import type { UpdateShare } from "./shapes.ts";

/** Settings that a column holds as they are sent. */
const AS_SENT = [
  "maxUses",
  "allowDownload",
  "allowComments",
  "allowReview",
  "askAnswer",
  "showDetails",
  "wholeFamily",
  "showLyrics",
  "isMarked",
  "noteParts",
] as const;
type AsSent = Partial<Pick<ShareRow, (typeof AS_SENT)[number]>>;

/**
 * Reads a link's settings into columns. The password is hashed, which is slow.
 *
 * @param before The link as it is; left out for a new one.
 * @throws DomainError `validation_failed` for a time that is invalid, an end that is past, a blank recipient, what is no single
 *   address, or for marks where nothing can make them.
 */
export async function readSettings(
  { now, ffmpegPath }: Pick<Deps, "now" | "ffmpegPath">,
  sent: Omit<UpdateShare, "shared" | "mail">,
  before?: ShareRow,
) {
  const { password, expiresAt, notBefore, recipient, recipientEmail } = sent;
  if (sent.isMarked && ffmpegPath === undefined)
    throw invalidField("isMarked", "no_ffmpeg", "needs ffmpeg on the server, which encodes the copies");
  const asSent: AsSent = Object.fromEntries(
    AS_SENT.flatMap((name) => (sent[name] === undefined ? [] : [[name, sent[name]]])),
  );
  // Whoever a new link is for can be told from others, unless the owner says no.
  const isForSomebody = before === undefined && recipient != null && ffmpegPath !== undefined;
  return {
    ...(isForSomebody && { isMarked: true }),
    ...asSent,
    ...(expiresAt !== undefined && { expiresAt: expiresAt === null ? null : readExpiry(expiresAt, now()) }),
    ...(notBefore !== undefined && {
      notBefore: notBefore === null ? null : readTime("notBefore", notBefore),
    }),
    ...readRecipient({ recipient: recipient && requireText("recipient", recipient), recipientEmail }, before),
    ...(password !== undefined && { passwordHash: password === null ? null : await hashPassword(password) }),
  };
}

type Checked = Pick<
  NewShareRow,
  "allowReview" | "allowComments" | "askAnswer" | "recipient" | "notBefore" | "expiresAt"
>;

/**
 * Completes settings by what follows from them and from those that the link has.
 *
 * @param before The link as it is; left out for a new one.
 * @throws DomainError `validation_failed` when a link without a recipient is to ask, or one would end before it opens.
 */
export function withRules<Settings extends Checked>(settings: Settings, before?: ShareRow): Settings {
  checkTimes(settings, before);
  const recipient = settings.recipient === undefined ? before?.recipient : settings.recipient;
  return withAnswer(withReview(settings, recipient, before), recipient, before);
}

/**
 * The recipient who approves may comment, and a link without a recipient does not ask. Settings that know nothing of approval are
 * never refused for it; the link no longer asks where they leave it no way to.
 */
function withReview<Settings extends Checked>(
  settings: Settings,
  recipient: string | null | undefined,
  before: ShareRow | undefined,
): Settings {
  if (settings.allowReview) {
    if (recipient) return { ...settings, allowComments: true };
    throw invalidField("allowReview", "no_recipient", "needs a recipient: a public link asks nobody");
  }
  const mayAsk = recipient && settings.allowComments !== false;
  return before?.allowReview && !mayAsk ? { ...settings, allowReview: false } : settings;
}

function withAnswer<Settings extends Checked>(
  settings: Settings,
  recipient: string | null | undefined,
  before: ShareRow | undefined,
): Settings {
  if (recipient) return settings;
  if (settings.askAnswer)
    throw invalidField("askAnswer", "no_recipient", "needs a recipient: a public link asks nobody");
  return before?.askAnswer ? { ...settings, askAnswer: false } : settings;
}

function checkTimes(settings: Checked, before: ShareRow | undefined): void {
  const { notBefore = before?.notBefore, expiresAt = before?.expiresAt } = settings;
  const isChanged = settings.notBefore !== undefined || settings.expiresAt !== undefined;
  if (!isChanged || notBefore == null || expiresAt == null || notBefore < expiresAt) return;
  const field = settings.notBefore === undefined ? "expiresAt" : "notBefore";
  const words = field === "notBefore" ? "must be before the link ends" : "must be after the link opens";
  throw invalidField(field, "order", words);
}

function readExpiry(text: string, at: number): number {
  const expiresAt = readTime("expiresAt", text);
  if (expiresAt <= at) throw invalidField("expiresAt", "past", "must be in the future");
  return expiresAt;
}

/** A day means its beginning for what opens then, and its end for what ends then. */
function readTime(field: "expiresAt" | "notBefore", text: string): number {
  const at = parseBound(text, field === "notBefore" ? "first" : "last");
  if (at !== undefined) return at;
  throw invalidField(field, "invalid_date", "must be an ISO 8601 time or a day, YYYY-MM-DD");
}
