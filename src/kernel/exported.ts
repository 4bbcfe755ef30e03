import { eq } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Db } from "../../db/client.ts";
import { type LibraryId, type PersonId, people, type versions } from "../../db/schema.ts";
import type { Settings } from "./settings.ts";
import { toIso } from "./time.ts";

/** What the lists of an export are made from. */
export type ExportSource = { db: Db; settings: Settings; accountId: LibraryId; files: ExportPaths };

/** The lists of `library.json` that a module writes, by their names. */
export type ExportLists = Readonly<Record<string, (source: ExportSource) => Iterable<Plain>>>;

/** Names the files of an export. Paths in it are relative to the export's folder, with `/`. */
export type ExportPaths = {
  /** Returns a path for a folder that no other file or folder has. */
  folder: (parent: string, stem: string) => string;
  /** Adds the original of a version; returns its path. */
  addOriginal: (version: typeof versions.$inferSelect, folder: string, stem: string) => string;
  /** Adds the picture with a storage key; returns its path, or null without a picture. */
  addPicture: (key: string | null, stem: string) => string | null;
};

/** A value of `library.json`. */
export type Plain = Record<string, unknown>;

/** Columns that hold a time in epoch milliseconds. */
const IS_TIME = /At$|^(at|deadline|publicSince|memberUntil|notBefore|sentUntil)$/;

/** Returns a row as `library.json` has it: times as ISO 8601, without bytes, and without the columns in `omit`. */
export function plain(row: object, omit: readonly string[] = []): Plain {
  return Object.fromEntries(
    Object.entries(row)
      .filter(([name, value]) => !omit.includes(name) && !(value instanceof Uint8Array))
      .map(([name, value]) => [name, typeof value === "number" && IS_TIME.test(name) ? toIso(value) : value]),
  );
}

/** Who made something. The name is null when the person is no longer on this server. */
type Maker = { id: PersonId; name: string | null };

/** Returns a function that names who made something; null for nobody. */
export function makersOf(db: Db): (id: PersonId | null) => Maker | null {
  const rows = db.select({ id: people.id, name: people.name }).from(people).all();
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return (id) => (id === null ? null : { id, name: names.get(id) ?? null });
}

/** Returns a list with the rows of a table that are an account's by `column`, as they are. */
export const rowsOf =
  (table: SQLiteTable, column: SQLiteColumn) =>
  ({ db, accountId }: ExportSource): Plain[] =>
    db
      .select()
      .from(table)
      .where(eq(column, accountId))
      .all()
      .map((row) => plain(row));

/** Returns a list with the rows of a table that people of an account made: who made each, without the account. */
export const madeRowsOf =
  (table: SQLiteTable, accountId: SQLiteColumn) =>
  ({ db, accountId: id }: ExportSource): Plain[] => {
    const makerOf = makersOf(db);
    const rows = db.select().from(table).where(eq(accountId, id)).all() as { personId: PersonId }[];
    return rows.map((row) => ({ ...plain(row, ["accountId", "personId"]), madeBy: makerOf(row.personId) }));
  };
