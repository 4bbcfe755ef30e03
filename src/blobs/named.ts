import { type Db, prepared } from "../../db/client.ts";
import { isSha256 } from "./paths.ts";
import type { Shelf } from "./quarantine.ts";

const anyVersion = prepared((db) =>
  db.$client.prepare<{ id: string }, [string]>("SELECT id FROM versions WHERE sha256 = ? LIMIT 1"),
);

/** True when a version has these bytes. */
export const isNamed = (db: Db, sha256: string): boolean => anyVersion(db).get(sha256) !== null;

/** The originals in the data folder: `audio/ab/cd/abcd…`, named by versions. */
export const audioShelf: Shelf = { folder: "audio", isOurs: isSha256, isNamed };
