import { blob, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { LibraryId, PersonId } from "./person.ts";

/** Mails that leave the server, and what became of each. */
export const mails = sqliteTable("mails", {
  seq: integer().primaryKey({ autoIncrement: true }),
  id: text().notNull(),
  /** Null: the server's own, such as a new password. */
  accountId: text("account_id").$type<LibraryId>(),
  kind: text().notNull(),
  /** A deed's name: another mail of the same is not written. */
  dedupe: text().notNull(),
  toEmail: text("to_email").notNull(),
  toName: text("to_name"),
  shareId: text("share_id"),
  requestId: text("request_id"),
  invitationId: text("invitation_id"),
  subject: text().notNull(),
  /** Sealed. Null once it is over. */
  body: blob({ mode: "buffer" }),
  madeBy: text("made_by").$type<PersonId>(),
  /** `ending`: its last bytes may have arrived. `unsure`: a person decides whether it goes out again. */
  state: text().$type<"waiting" | "ending" | "sent" | "refused" | "unsure" | "cancelled">().notNull(),
  dueAt: integer("due_at"),
  expiresAt: integer("expires_at"),
  tries: integer().notNull().default(0),
  /** How often its end was on its way when the connection or the program ended. */
  unsure: integer().notNull().default(0),
  /** Of the relay's last answer. */
  code: integer(),
  answer: text(),
  createdAt: integer("created_at").notNull(),
  endedAt: integer("ended_at"),
});

/** Addresses that want no more mail, of one library or of the whole server. */
export const mailStops = sqliteTable("mail_stops", {
  email: text().notNull(),
  accountId: text("account_id").$type<LibraryId>(),
  at: integer().notNull(),
  source: text().$type<"link" | "owner">().notNull(),
});

/** Of what a member wants to hear by mail, and how often. */
export const mailWishes = sqliteTable(
  "mail_wishes",
  {
    personId: text("person_id").$type<PersonId>().notNull(),
    accountId: text("account_id").$type<LibraryId>().notNull(),
    every: text().$type<"off" | "hourly" | "daily" | "weekly">().notNull(),
    kinds: text({ mode: "json" }).$type<string[]>().notNull(),
    sentUntil: integer("sent_until").notNull(),
  },
  (table) => [primaryKey({ columns: [table.personId, table.accountId] })],
);

/** New addresses of people that wait for their confirmation. */
export const emailChanges = sqliteTable("email_changes", {
  personId: text("person_id").$type<PersonId>().primaryKey(),
  email: text().notNull(),
  /** SHA-256. */
  tokenHash: blob("token_hash", { mode: "buffer" }).notNull(),
  expiresAt: integer("expires_at").notNull(),
});
