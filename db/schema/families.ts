import { integer, primaryKey, real, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** What a member of a family is. */
export type FamilyKind = "main" | "instrumental" | "acapella" | "clean" | "tv" | "stem" | "other";

/** What a stem has. */
export type StemPart =
  | "drums"
  | "bass"
  | "guitars"
  | "keys"
  | "strings"
  | "brass"
  | "vocals"
  | "backing"
  | "effects"
  | "other";

/** One song with everything made from it. It has two members at least; a trigger deletes it before it has one alone. */
export const families = sqliteTable("families", {
  id: text().primaryKey(),
  ownerId: text("owner_id").notNull(),
  /** A member. When it leaves, a trigger chooses the oldest whole song. */
  mainTrackId: text("main_track_id").notNull(),
  createdAt: integer("created_at").notNull(),
  /** Of which versions the stems were last taken from the main mix. Null: never. */
  stemsOf: text("stems_of"),
  /** What was left of the main mix. Null: they do not line up with it. */
  stemsResidualDb: real("stems_residual_db"),
  stemsLackPart: text("stems_lack_part").$type<StemPart>(),
  /** What is left in the band below, relative to the main mix there. Null: nothing is missing. */
  stemsLackDb: real("stems_lack_db"),
  /** Null: from the lowest, to the highest. */
  stemsLackFromHz: integer("stems_lack_from_hz"),
  stemsLackToHz: integer("stems_lack_to_hz"),
});

/** Tracks in families; each is in one at most. */
export const familyMembers = sqliteTable("family_members", {
  trackId: text("track_id").primaryKey(),
  familyId: text("family_id").notNull(),
  kind: text().$type<FamilyKind>().notNull(),
  /** Of a stem. Null: not said. */
  part: text().$type<StemPart>(),
  /** 5 to 600. Null: the whole song. */
  editSec: integer("edit_sec"),
  joinedBy: text("joined_by").$type<"owner" | "name_and_sound">().notNull(),
  /** Links to the whole family leave it out. */
  hiddenFromLinks: integer("hidden_from_links", { mode: "boolean" }).notNull().default(false),
  joinedAt: integer("joined_at").notNull(),
});

/** What speaks for two tracks being of one family, and what their owner said to that. */
export const familySigns = sqliteTable(
  "family_signs",
  {
    /** The lesser id of the two. */
    trackId: text("track_id").notNull(),
    otherId: text("other_id").notNull(),
    nameKind: text("name_kind").$type<FamilyKind>(),
    nameEditSec: integer("name_edit_sec"),
    namePart: text("name_part").$type<StemPart>(),
    /** Where the other one begins in the track. */
    offsetMs: real("offset_ms"),
    /** Of the fingerprints where they line up, 0..1. */
    bitErrorRate: real("bit_error_rate"),
    /** Share of the shorter one that lines up, 0..1. */
    overlap: real(),
    /** What is left when one is taken from the other, relative to the mix. */
    residualDb: real("residual_db"),
    /** How likely a voice is in what is left, 0..1. */
    residualVoice: real("residual_voice"),
    /** Version of the rules that judged. */
    rules: text().notNull(),
    state: text().$type<"open" | "joined" | "refused">().notNull(),
    decidedAt: integer("decided_at"),
    /** Which of the two would join the other. Null: nothing is asked. */
    askedId: text("asked_id"),
    /** What the sound says that one is. */
    soundKind: text("sound_kind").$type<"instrumental" | "less" | "part" | "same" | "stem">(),
    soundEditSec: integer("sound_edit_sec"),
    foundAt: integer("found_at").notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.trackId, table.otherId] })],
);
