import type { LibraryId } from "../../db/schema.ts";
import { readSettings } from "../../src/config.ts";
import { secretsOf } from "../../src/kernel/secrets.ts";
import { answeredLetter } from "../../src/modules/mail/letters/answered.ts";
import type { Words } from "../../src/modules/mail/letters/letters.ts";
import * as letters from "../../src/modules/mail/letters/letters.ts";
import { composeForServer, composeLetter } from "../../src/modules/mail/outbox/compose.ts";
import type { MailContent, MailKind } from "../../src/modules/mail/outbox/outbox.ts";
import { resetLetter } from "../../src/modules/people/accounts/forgot.ts";
import { openEmpty } from "./empty-library.ts";
import { picture } from "./pictures.ts";

/** A mail as it would go out, without its recipient. */
export type Written = { name: string; kind: MailKind; subject: string; content: MailContent };

/** What a library calls itself and its music. */
type Names = { library: string; by: string; title: string; message: string };

const NAMES: Names = {
  library: "Night Label",
  by: "Mara Lind",
  title: "Night Drive v8",
  message: "Hello Anna,\n\nthis is the one from Tuesday. Does it fit the second scene?\n\nMara",
};
const ROOT = "https://music.label.example";
const LINK = `${ROOT}/s/Zk3vQ9xT7LmB2nRw8sYc`;

/** Returns a mail of every kind, as a library with a colour and a logo writes it. */
export async function writeLetters(names: Names = NAMES): Promise<Written[]> {
  const settings = readSettings({ PUBLIC_URL: ROOT });
  const deps = { db: openEmpty(), settings, secrets: secretsOf(Buffer.alloc(32, 7)) };
  const logo = {
    type: "image/png",
    base64: (await picture("png", { width: 64, height: 64, grey: 90 })).toString("base64"),
  };
  const look = { library: names.library, accent: "#2a6fdb", logo };
  const ofLibrary = (name: string, kind: MailKind, words: Words): Written => ({
    name,
    kind,
    ...composeLetter(deps, look, {
      accountId: "usr_label" as LibraryId,
      kind,
      to: { email: "anna@example.com", name: "Anna Berg" },
      ...words,
    }),
  });
  const ofServer = (name: string, kind: MailKind, words: Words): Written => ({
    name,
    kind,
    subject: words.subject,
    content: composeForServer(words),
  });
  const { library, title } = names;
  const link = {
    ...names,
    href: LINK,
    endsOn: "24 December 2026",
    hasPassword: false,
    asksForApproval: true,
    asksForAnswer: true,
    more: 0,
  };
  const rows = [
    { text: `Bo answered ${title}: Interested`, note: "today, 14:02", href: `${ROOT}/library/inbox` },
    { text: `Cleo listened to ${title}`, note: "today, 11:40", href: `${ROOT}/library/insights` },
  ];
  return [
    ofLibrary("link", "link", letters.linkLetter({ ...link, tracks: [] })),
    ofLibrary(
      "pack",
      "pack",
      letters.linkLetter({
        ...link,
        title: "For the second scene",
        hasPassword: true,
        asksForApproval: false,
        tracks: [
          { title, length: "3:42" },
          { title: "Harbour at Four", length: "2:58" },
          { title: "Glass", length: null },
        ],
      }),
    ),
    ofLibrary("reminder", "reminder", letters.reminderLetter({ ...names, href: LINK })),
    ofLibrary("supply", "supply", letters.supplyLetter({ ...names, href: LINK, until: "24 December 2026" })),
    ofLibrary(
      "brief",
      "brief",
      letters.briefLetter({
        ...names,
        name: "Slow synths for a night drive",
        description: "Instrumental, 80 to 100 bpm, two to four minutes. No drums at the beginning.",
        deadline: "3 March 2026",
        href: `${ROOT}/b/7LmB2nRw8sYc`,
      }),
    ),
    ofLibrary(
      "submitted",
      "submitted",
      letters.submittedLetter({ library, brief: "Slow synths", titles: [title, "Glass"], href: LINK }),
    ),
    ofLibrary(
      "answered",
      "answered",
      answeredLetter({
        library,
        tracks: [{ title, version: "v9", answered: 5, notes: 7 }],
        compares: true,
        href: LINK,
      }),
    ),
    ofLibrary(
      "digest",
      "digest",
      letters.digestLetter({
        library,
        rows,
        more: 3,
        href: ROOT,
        settingsHref: `${ROOT}/library/settings/mail`,
      }),
    ),
    ofLibrary(
      "invitation",
      "invitation",
      letters.invitationLetter({ ...names, role: "producer", room: null, href: LINK, until: "3 March 2026" }),
    ),
    ofServer("address", "address", letters.addressLetter({ href: LINK })),
    ofServer("address taken", "address", letters.addressTakenLetter({ href: LINK })),
    ofServer(
      "address told",
      "address-told",
      letters.addressToldLetter({ hint: "m…@new.example", href: LINK }),
    ),
    ofServer("password", "password", resetLetter(`${ROOT}/reset?token=Zk3vQ9xT7LmB2nRw8sYcZk3vQ9xT7LmB`)),
    ofServer("test", "test", letters.testLetter({ href: `${ROOT}/library/settings/mail` })),
  ];
}
