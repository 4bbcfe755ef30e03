import type { LibraryId } from "../../../../db/schema.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { publicUrlOf } from "../../../kernel/settings.ts";
import { logoForMail } from "../../library/artwork/service.ts";
import { brandOf } from "../../people/brand/service.ts";
import { type Letter, letterHtml, letterText } from "../letters/service.ts";
import type { MailContent, MailKind, NewMail } from "./outbox.ts";
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

/** Returns the subject and what a mail of a library says: its brand, its words, and how to stop it. */
export async function composeForLibrary(
  deps: ComposeDeps,
  { accountId, to, library, subject, lead, parts, why, replyTo = null }: LibraryLetter,
): Promise<Pick<NewMail, "subject" | "content">> {
  const { accent, logoKey } = brandOf(deps, accountId);
  const logo = logoKey === null ? null : await logoForMail(deps.settings, logoKey);
  const href = stopUrl(deps, { email: to.email, accountId });
  const letter: Letter = {
    subject,
    library,
    lead,
    parts,
    why,
    stop: { words: `No more mail from ${library}`, href },
  };
  const content: MailContent = {
    fromName: `${library} via Dubplate`,
    replyTo,
    ...written(letter, accent, logo !== null),
    headers: stopHeaders(deps, href),
    logo,
  };
  return { subject, content };
}

/** Returns what a mail of the server itself says: about somebody's own sign-in, so nobody can stop it. */
export function composeForServer(letter: Omit<Letter, "library" | "stop">): MailContent {
  const whole = { ...letter, library: "Dubplate", stop: null };
  return { fromName: null, replyTo: null, ...written(whole, null, false), headers: {}, logo: null };
}

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
