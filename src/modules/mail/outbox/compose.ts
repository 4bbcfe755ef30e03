import type { LibraryId } from "../../../../db/schema.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { publicUrlOf } from "../../../kernel/settings.ts";
import { logoForMail } from "../../library/artwork/service.ts";
import { brandOf } from "../../people/brand/service.ts";
import { findLibraryName } from "../../people/team/service.ts";
import { type Letter, letterHtml, letterText } from "../letters/service.ts";
import { oneLine } from "./addresses.ts";
import { type MailContent, type MailKind, type NewMail, STOPPABLE } from "./outbox.ts";
import { stopUrl } from "./stops.ts";

/** What a library writes to somebody. */
export type LibraryLetter = {
  accountId: LibraryId;
  kind: MailKind;
  to: { email: string; name: string | null };
  /** Whom the recipient knows: the library's brand, or its name. */
  library: string;
  subject: string;
  lead: string;
  parts: Letter["parts"];
  /** Why somebody gets it. */
  why: string;
  replyTo?: string | null;
};

type ComposeDeps = Pick<Deps, "db" | "settings" | "secrets">;

/** How the mails of a library look: its name, its colour and its logo. */
export type MailLook = { library: string; accent: string | null; logo: MailContent["logo"] };

/** Returns how a library's mails look. The logo is read from the disk, so it is done before a transaction. */
export async function loadLook(deps: ComposeDeps, accountId: LibraryId): Promise<MailLook> {
  const { name, accent, logoKey } = brandOf(deps, accountId);
  const library = oneLine(name ?? findLibraryName(deps.db, accountId));
  return { library, accent, logo: logoKey === null ? null : await logoForMail(deps.settings, logoKey) };
}

/** Returns the subject and what a mail of a library says: its brand, its words, and how to stop it. */
export async function composeForLibrary(
  deps: ComposeDeps,
  { library, ...letter }: LibraryLetter,
): Promise<Pick<NewMail, "subject" | "content">> {
  return composeLetter(deps, { ...(await loadLook(deps, letter.accountId)), library }, letter);
}

/** Returns what {@link composeForLibrary} does, with a look that was loaded before. */
export function composeLetter(
  deps: ComposeDeps,
  { library, accent, logo }: MailLook,
  {
    accountId,
    kind,
    to,
    subject,
    lead,
    parts,
    why,
    replyTo = null,
    isPreview = false,
  }: Omit<LibraryLetter, "library"> & { isPreview?: boolean },
): Pick<NewMail, "subject" | "content"> {
  const stop = isPreview
    ? `${publicUrlOf(deps.settings)}/mail/stop/made-when-sent`
    : stopUrl(deps, { email: to.email, accountId });
  const href = STOPPABLE.has(kind) ? stop : null;
  const letter: Letter = {
    subject: oneLine(subject),
    library,
    lead,
    parts,
    why,
    stop: href === null ? null : { words: `No more mail from ${library}`, href },
  };
  const content: MailContent = {
    fromName: `${library} via Dubplate`,
    replyTo,
    ...written(letter, accent, logo !== null),
    headers: { ...(AUTOMATIC.has(kind) && BY_ITSELF), ...(href !== null && stopHeaders(deps, href)) },
    logo,
  };
  return { subject: letter.subject, content };
}

/** Returns what a mail of the server itself says: about somebody's own sign-in, so nobody can stop it. */
export function composeForServer(letter: Omit<Letter, "library" | "stop">): MailContent {
  const whole = { ...letter, library: "Dubplate", stop: null };
  return { fromName: null, replyTo: null, ...written(whole, null, false), headers: BY_ITSELF, logo: null };
}

/** Kinds that no person sends at that moment. */
const AUTOMATIC: ReadonlySet<MailKind> = new Set<MailKind>(["submitted", "digest", "answered"]);

/** RFC 3834: nobody's holiday notice answers it. */
const BY_ITSELF = { "Auto-Submitted": "auto-generated" };

const written = (letter: Letter, accent: string | null, hasLogo: boolean) => ({
  text: letterText(letter),
  html: letterHtml(letter, { accent, hasLogo }),
});

/** RFC 8058: a button of the mail program stops it in one step, where the address is https. */
function stopHeaders({ settings }: Pick<Deps, "settings">, href: string): MailContent["headers"] {
  return {
    "List-Unsubscribe": `<${href}>`,
    ...(publicUrlOf(settings).startsWith("https:") && {
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }),
  };
}
