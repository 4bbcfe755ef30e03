/** A field that the server did not accept: where it is, the rule, and the rule in words for programs. */

import { MAX_PACK_DAYS } from "../../../modules/briefs/inbox/pack-shapes.ts";
import { MAX_BPM } from "../../../modules/library/tracks/shapes.ts";
import { MIN_PASSWORD } from "../../../modules/people/people/shapes.ts";
import { MIN_LINK_PASSWORD } from "../../../modules/sharing/shares/shapes.ts";
export type FieldIssue = { path: string; code: string; detail: string };

/** What a field of a request takes, as the end of the sentence "Enter …". */
const WANTED: Readonly<Record<string, string>> = {
  accent: "a colour such as #2f6f4e",
  album: "the name of an album",
  artist: "the name of an artist",
  artistName: "an artist name",
  bpm: `a tempo from 1 to ${MAX_BPM}`,
  catalogueNumber: "a catalogue number",
  composer: "the name of a composer",
  contactEmail: "an e-mail address such as name@example.com",
  credits: "a whole number, 0 or more",
  currentPassword: "your current password",
  deadline: "a day",
  email: "an e-mail address such as name@example.com",
  expiresAt: "a future date such as 24 December 2027",
  expiresInDays: `a number of days from 1 to ${MAX_PACK_DAYS}`,
  fullName: "a name",
  ipi: "an IPI name number",
  isni: "an ISNI",
  isrc: "an ISRC such as DE-AB1-26-00042",
  key: "a key such as F# minor",
  label: "a label",
  language: "a language such as English",
  lyrics: "lyrics",
  maxUses: "a whole number, 1 or more",
  message: "a message",
  name: "a name",
  newPassword: `a password of at least ${MIN_PASSWORD} characters`,
  notBefore: "a future day and time such as 3 March 2027 at 18:00",
  note: "a note",
  notes: "notes",
  password: `a password of at least ${MIN_LINK_PASSWORD} characters`,
  positionSec: "a time within the track",
  pro: "the name of a society",
  publisher: "the name of a publisher",
  query: "a few words about the music",
  recipient: "a name or an e-mail address",
  recipientEmail: "one e-mail address such as name@example.com",
  recipientEmails: "one e-mail address such as name@example.com",
  recipients: "at least one person",
  recordLabel: "the name of a record label",
  releaseDate: "a day, a month or a year, such as 2026-03-27, 2026-03 or 2026",
  role: "a role such as Composer",
  share: "a share from 0 to 100",
  text: "some text",
  thanks: "a sentence",
  title: "a title",
  until: "a future date such as 24 December 2027",
  upc: "the 12 digits of a UPC or the 13 of an EAN",
  url: "an address such as https://example.com/dubplate",
  website: "an address such as https://example.com",
  year: "a year",
};

/** Fields that may be empty although the server does not say so where it refuses something else. */
const MAY_BE_EMPTY: ReadonlySet<string> = new Set([
  "accent",
  "bpm",
  "deadline",
  "expiresAt",
  "isrc",
  "maxUses",
  "notBefore",
  "password",
  "recipientEmail",
  "recipientEmails",
  "releaseDate",
  "until",
  "upc",
  "website",
]);

/** What needs more than the field's own sentence, by the field and the rule. */
const SAID: Readonly<Record<string, string>> = {
  "isMarked no_ffmpeg": "This server cannot mark sound: ffmpeg is not installed.",
  "name required": "Enter a name or an e-mail address.",
  "scopes array_min_items": "Choose at least one thing that the key may do.",
  "shareholders repeated": "List each composer only once in each role.",
  "shareholders sum": "The shares add up to more than 100 %. Lower one of them.",
  "upc check_digit": "Check the digits: the last one does not fit the others.",
  "trackIds items": "Choose at least one track.",
};

/** Rules whose words are written for people: "is too light to be seen on light paper". */
const FOR_PEOPLE: readonly string[] = ["contrast", "different", "wrong"];

/** Refusals of a whole request that are about one of its fields. */
const FIELD_OF_CODE: Readonly<Record<string, string>> = {
  duplicate_email: "email",
  invalid_webhook_url: "url",
};

/** Returns the field that a refusal without fields is about, if it is about one. */
export const fieldOf = (code: string): string | undefined => FIELD_OF_CODE[code];

/** Returns what a field takes, in a sentence: "Enter an e-mail address, or leave it empty." */
export function wantedSentence(field: string, mayBeEmpty = MAY_BE_EMPTY.has(field)): string {
  const wanted = WANTED[field];
  if (wanted === undefined) return `Check ${wordsOf(field)}: this cannot be saved as it is.`;
  return `Enter ${wanted}${mayBeEmpty ? ", or leave it empty" : ""}.`;
}

/**
 * Returns what is wrong with a field in a sentence about the field. The server names rules for programs; what people read
 * is written here, for every form of the console.
 */
export function issueSentence({ path, code, detail }: FieldIssue): string {
  const names = path.split(".").filter((part) => !/^\d+$/.test(part));
  const field = names.findLast((name) => name in WANTED) ?? names.at(-1) ?? path;
  const said = SAID[`${field} ${code}`];
  if (said !== undefined) return said;
  if (FOR_PEOPLE.includes(code)) return `This ${detail}.`;
  const most = lengthOf(code, detail);
  if (most !== undefined) return `Shorten this to ${most} characters or fewer.`;
  const mayBeEmpty = MAY_BE_EMPTY.has(field) || /\bor null$/.test(detail);
  return wantedSentence(field, mayBeEmpty);
}

/** Returns how long a text may be, if it is too long. A text without a form that may be null can only be too long. */
function lengthOf(code: string, detail: string): string | undefined {
  const isLong = code.endsWith("max_length") || (code === "union" && /characters or null$/.test(detail));
  return isLong ? /(\d+) characters/.exec(detail)?.[1] : undefined;
}

const wordsOf = (field: string) => `“${field.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}”`;
