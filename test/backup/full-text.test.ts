import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createProgram } from "../support/process.ts";
import { createLibrary } from "./support.ts";

const SONGS = 8;

/** Returns the number of the track that the full-text index finds for each track's own words. */
function foundByWords(dataDir: string): { seq: number; found: number[] }[] {
  const db = new Database(join(dataDir, "dubplate.db"), { readonly: true });
  const find = db.query<{ rowid: number }, [string]>("SELECT rowid FROM track_text WHERE track_text MATCH ?");
  const found = db
    .query<{ seq: number; name: string }, []>("SELECT seq, name FROM tracks ORDER BY seq")
    .all()
    .map(({ seq, name }) => ({ seq, found: find.all(`name : "${name}"`).map(({ rowid }) => rowid) }));
  db.close();
  return found;
}

// VACUUM may renumber the rows of a table that does not declare its numbers, and the full-text index goes by them.
test("a backup's full-text index finds each song by its own words, also behind rows that were deleted", async () => {
  const program = createProgram({ FFMPEG_PATH: "" });
  const folder = mkdtempSync(join(tmpdir(), "dubplate-words-"));
  const restored = { extra: { DATA_DIR: join(folder, "restored") } };
  await createLibrary(program, { songs: SONGS });
  const db = new Database(join(program.dataDir, "dubplate.db"));
  db.run("PRAGMA foreign_keys = ON");
  db.run("DELETE FROM tracks WHERE seq IN (1, 2, 5)");
  db.close();

  await program.run(["backup", join(folder, "library.tar")]);
  await program.run(["restore", join(folder, "library.tar")], restored);

  const numbers = [3, 4, 6, 7, 8];
  const expected = numbers.map((seq) => ({ seq, found: [seq] }));
  expect(foundByWords(program.dataDir)).toEqual(expected);
  expect(foundByWords(restored.extra.DATA_DIR)).toEqual(expected);
  expect(await program.run(["verify"], restored)).toMatchObject({ code: 0, rows: [] });
  for (const each of [folder, `${program.dataDir}.music`]) rmSync(each, { recursive: true });
  await program.close();
});
