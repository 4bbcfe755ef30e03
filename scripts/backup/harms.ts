import { Database } from "bun:sqlite";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** One kind of harm to a library that no server uses. */
export type Harm = {
  what: string;
  /** Does the harm. `verify` must report a finding with the fields of `expected`, and no other where `isOnlyOne`. */
  harm: (dataDir: string) => { expected: object; isOnlyOne: boolean; undo: () => void };
};

type Sample = { trackId: string; versionId: string; seq: number; sha256: string };

const PAGE_BYTES = 4096;

/** Every kind of harm that `verify` must name. */
export const HARMS: readonly Harm[] = [
  {
    what: "a flipped byte",
    harm: (dataDir) =>
      toSong(dataDir, "damaged", (path, bytes) =>
        writeFileSync(path, bytes.with(600, (bytes[600] ?? 0) ^ 1)),
      ),
  },
  {
    what: "a short file",
    harm: (dataDir) =>
      toSong(dataDir, "damaged", (path, bytes) => writeFileSync(path, bytes.subarray(0, bytes.length - 1))),
  },
  { what: "a missing file", harm: (dataDir) => toSong(dataDir, "missing", (path) => rmSync(path)) },
  {
    what: "a missing row",
    harm: (dataDir) =>
      toDatabase(dataDir, ({ trackId, seq }) => ({
        sql: `DELETE FROM track_text WHERE rowid = ${seq}`,
        expected: { kind: "missing", id: trackId },
        isOnlyOne: true,
      })),
  },
  {
    what: "a missing version",
    harm: (dataDir) =>
      toDatabase(dataDir, ({ trackId, versionId }) => ({
        sql: `DELETE FROM versions WHERE id = '${versionId}'`,
        expected: { kind: "dangling", id: trackId },
      })),
  },
  {
    what: "a row without its parent",
    harm: (dataDir) =>
      toDatabase(dataDir, ({ trackId, versionId }) => ({
        sql: `DELETE FROM tracks WHERE id = '${trackId}'`,
        expected: { kind: "dangling", id: `versions ${versionId}` },
      })),
  },
  {
    what: "a damaged page",
    harm: (dataDir) => {
      const { path, bytes, undo } = keep(dataDir, "dubplate.db");
      const page = pageOf(path, "versions");
      writeFileSync(path, Buffer.from(bytes).fill(7, (page - 1) * PAGE_BYTES, page * PAGE_BYTES));
      return { expected: { kind: "damaged", path: "dubplate.db" }, isOnlyOne: false, undo };
    },
  },
  {
    what: "a wrong secret",
    harm: (dataDir) => {
      const { path, undo } = keep(dataDir, "master-secret");
      writeFileSync(path, new Uint8Array(32).fill(7));
      return { expected: { kind: "damaged", path: "master-secret" }, isOnlyOne: true, undo };
    },
  },
];

function toSong(dataDir: string, kind: string, change: (path: string, bytes: Uint8Array) => void) {
  const { versionId, sha256 } = sampleOf(dataDir);
  const song = `audio/${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`;
  const { path, bytes, undo } = keep(dataDir, song);
  change(path, bytes);
  return { expected: { kind, path: song, id: versionId }, isOnlyOne: true, undo };
}

function toDatabase(
  dataDir: string,
  plan: (sample: Sample) => { sql: string; expected: object; isOnlyOne?: boolean },
) {
  const { sql, expected, isOnlyOne = false } = plan(sampleOf(dataDir));
  const { path, undo } = keep(dataDir, "dubplate.db");
  const db = new Database(path);
  db.run("PRAGMA foreign_keys = OFF");
  db.run(sql);
  db.run("PRAGMA wal_checkpoint(TRUNCATE)");
  db.close();
  return { expected, isOnlyOne, undo };
}

/** Reads a file, and puts it back later. */
function keep(dataDir: string, name: string) {
  const path = join(dataDir, name);
  const bytes = new Uint8Array(readFileSync(path));
  const copy = `${path}.kept`;
  cpSync(path, copy);
  const undo = () => {
    for (const leftover of [path, `${path}-wal`, `${path}-shm`]) rmSync(leftover, { force: true });
    cpSync(copy, path);
    rmSync(copy);
  };
  return { path, bytes, undo };
}

/** Returns a track in the middle of the library. */
function sampleOf(dataDir: string): Sample {
  const db = new Database(join(dataDir, "dubplate.db"), { readonly: true });
  const sample = db
    .query<Sample, []>(
      `SELECT t.id AS trackId, t.seq, v.id AS versionId, v.sha256 FROM tracks t JOIN versions v ON v.track_id = t.id
       ORDER BY t.seq LIMIT 1 OFFSET (SELECT count(*) / 2 FROM tracks)`,
    )
    .get();
  db.close();
  if (!sample) throw new Error("The library has no track");
  return sample;
}

function pageOf(path: string, table: string): number {
  const db = new Database(path, { readonly: true });
  const sql = "SELECT rootpage FROM sqlite_master WHERE name = ?";
  const page = db.query<{ rootpage: number }, [string]>(sql).get(table)?.rootpage ?? 0;
  db.close();
  return page;
}
