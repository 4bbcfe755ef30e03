import { blob, integer, primaryKey, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { PersonId } from "./person.ts";

/** Playlists and albums; their public link is a share. */
export const playlists = sqliteTable("playlists", {
  id: text().primaryKey(),
  ownerId: text("owner_id").notNull(),
  name: text().notNull(),
  description: text(),
  /** Key of the picture in storage. */
  image: text(),
  collaborative: integer({ mode: "boolean" }).notNull().default(false),
  isPinned: integer("is_pinned", { mode: "boolean" }).notNull().default(false),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
  /** Null: not in the bin. */
  deletedAt: integer("deleted_at"),
  kind: text().$type<"playlist" | "album">().notNull().default("playlist"),
  /** This and what follows says something of an album; a playlist that was one keeps it. */
  artist: text(),
  albumType: text("album_type").$type<"album" | "ep" | "single" | "compilation">(),
  label: text(),
  catalogueNumber: text("catalogue_number"),
  /** `YYYY`, `YYYY-MM` or `YYYY-MM-DD`. */
  releaseDate: text("release_date"),
  /** 12 or 13 digits, the last of which checks the others. */
  upc: text(),
  /** Who made it. Null: before there were members, or the operator. */
  madeBy: text("made_by").$type<PersonId>(),
});

/** Tracks of playlists in order; a track may occur in a playlist twice. */
export const playlistTracks = sqliteTable("playlist_tracks", {
  id: integer().primaryKey(),
  playlistId: text("playlist_id").notNull(),
  trackId: text("track_id").notNull(),
  /** Ascending, with gaps. */
  position: integer().notNull(),
  addedAt: integer("added_at").notNull(),
});

/** Public links to a track or a playlist. */
export const shares = sqliteTable("shares", {
  id: text().primaryKey(),
  ownerId: text("owner_id").notNull(),
  entity: text().$type<"track" | "playlist">().notNull(),
  entityId: text("entity_id").notNull(),
  /** 128 random bits; the last part of the public address. */
  token: text().notNull(),
  /** Argon2id; null: no password. */
  passwordHash: text("password_hash"),
  expiresAt: integer("expires_at"),
  maxUses: integer("max_uses"),
  uses: integer().notNull().default(0),
  allowDownload: integer("allow_download", { mode: "boolean" }).notNull().default(false),
  allowComments: integer("allow_comments", { mode: "boolean" }).notNull().default(false),
  /** Visitors see tempo, key and credits. */
  showDetails: integer("show_details", { mode: "boolean" }).notNull().default(false),
  /** Null: for anyone. */
  recipient: text(),
  createdAt: integer("created_at").notNull(),
  revokedAt: integer("revoked_at"),
  /** Whether the owner has turned it on or off; `not-yet`: never on. Null: live since it was made. */
  turned: text().$type<"not-yet" | "on" | "off">(),
  /** Who made it. Null: before there were members, or the operator. */
  madeBy: text("made_by").$type<PersonId>(),
  /** The recipient is asked to approve versions. */
  allowReview: integer("allow_review", { mode: "boolean" }).notNull().default(false),
  /** Where mails about it go. It is on no page. */
  recipientEmail: text("recipient_email"),
  /** Epoch milliseconds: nothing opens before. */
  notBefore: integer("not_before"),
  /** The recipient is asked for an answer to each track. */
  askAnswer: integer("ask_answer", { mode: "boolean" }).notNull().default(false),
  /** Of a track: what is kept with it goes along, also what joins later. */
  wholeFamily: integer("whole_family", { mode: "boolean" }).notNull().default(false),
  /** Visitors read the words, and see them run along. */
  showLyrics: integer("show_lyrics", { mode: "boolean" }).notNull().default(false),
  /** What visitors hear and download carries a mark that tells whose copy it is. */
  isMarked: integer("is_marked", { mode: "boolean" }).notNull().default(false),
  /** Which parts of a track are heard is kept. */
  noteParts: integer("note_parts", { mode: "boolean" }).notNull().default(true),
});

/** Whose copy carries which code. It outlives the link, the package, the version and the track. */
export const markedCopies = sqliteTable("marked_copies", {
  id: text().primaryKey(),
  accountId: text("account_id").notNull(),
  shareId: text("share_id"),
  packageId: text("package_id"),
  versionId: text("version_id").notNull(),
  trackId: text("track_id").notNull(),
  kind: text().$type<"listen" | "download" | "package">().notNull(),
  /** 16 random bytes. What one recipient of a link hears and downloads of a version has the same. */
  code: blob({ mode: "buffer" }).notNull(),
  /** In the owner's words, when it was made. Null: anyone. */
  recipient: text(),
  createdAt: integer("created_at").notNull(),
  /** When the first byte of it left. Null: it is only prepared. */
  deliveredAt: integer("delivered_at"),
  /** When it could not be made. Null: it can, or nobody tried. */
  failedAt: integer("failed_at"),
});

/** What the recipient of a link says to a track. */
export const shareAnswers = sqliteTable("share_answers", {
  id: text().primaryKey(),
  shareId: text("share_id").notNull(),
  trackId: text("track_id").notNull(),
  /** The version that was heard. Null: it was deleted. */
  versionId: text("version_id"),
  answer: text().$type<"interested" | "pass" | "instrumental" | "terms">().notNull(),
  text: text(),
  at: integer().notNull(),
  /** When somebody of the library was done with it. */
  doneAt: integer("done_at"),
});

/** Comments on a whole track, or on a position in it. */
export const comments = sqliteTable("comments", {
  id: text().primaryKey(),
  trackId: text("track_id").notNull(),
  /** Null: a visitor of a share link. */
  authorId: text("author_id"),
  authorName: text("author_name").notNull(),
  shareId: text("share_id"),
  text: text().notNull(),
  positionSec: real("position_sec"),
  createdAt: integer("created_at").notNull(),
  /** The version that was heard. Null: it was deleted. */
  versionId: text("version_id"),
  /** What that version was called then. Null: an old comment, whose version is only the probable one. */
  heardLabel: text("heard_label"),
  /** Seconds in the version that was heard. Null: a moment, or the whole track. */
  endSec: real("end_sec"),
  /** Of a reply: the note. */
  parentId: text("parent_id"),
  /** When it was marked answered. Null: it is open. */
  resolvedAt: integer("resolved_at"),
  /** Null beside a time: the recipient of the link. */
  resolvedBy: text("resolved_by").$type<PersonId>(),
  /** What they were called then. */
  resolvedName: text("resolved_name"),
  /** The version that answers it. Null beside a time: it was deleted. */
  resolvedIn: text("resolved_in"),
  /** Of the visitor who wrote it. */
  visit: text(),
  /** Its text is gone, and it stays for its replies. */
  deletedAt: integer("deleted_at"),
});

/** Where a note is in a version other than the one in which it was heard. */
export const commentPlaces = sqliteTable(
  "comment_places",
  {
    commentId: text("comment_id").notNull(),
    versionId: text("version_id").notNull(),
    /** Seconds. Null: the version does not have that passage. */
    atSec: real("at_sec"),
    endSec: real("end_sec"),
    /** `placed`: by hand. */
    how: text().$type<"carried" | "about" | "gone" | "placed">().notNull(),
  },
  (table) => [primaryKey({ columns: [table.commentId, table.versionId] })],
);

/** What a person, or the recipient of a link, says of a version. */
export const reviews = sqliteTable("reviews", {
  id: text().primaryKey(),
  trackId: text("track_id").notNull(),
  versionId: text("version_id").notNull(),
  personId: text("person_id").$type<PersonId>(),
  shareId: text("share_id"),
  /** Of the person or the recipient then. */
  name: text().notNull(),
  state: text().$type<"approved" | "changes">().notNull(),
  text: text(),
  at: integer().notNull(),
});

/** What an account has saved. */
export const saves = sqliteTable(
  "saves",
  {
    personId: text("person_id").$type<PersonId>().notNull(),
    entity: text().$type<"track" | "playlist">().notNull(),
    entityId: text("entity_id").notNull(),
    accountId: text("account_id").notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.personId, table.entity, table.entityId] })],
);
