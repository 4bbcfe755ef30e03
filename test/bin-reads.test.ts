import { expect, test } from "bun:test";
import { readSource, sourceFiles } from "./support/source.ts";

/**
 * The files whose statements mean tracks and playlists in the bin too: they work on a track that is known by its id, they
 * keep what belongs to it, or they are given tracks that are not in the bin.
 */
const MEANS_ALL: readonly string[] = [
  "src/modules/library/analysis/checking/unchecked.ts",
  "src/modules/library/analysis/learning/learner.ts",
  "src/modules/library/analysis/learning/queries.ts",
  "src/modules/library/analysis/learning/refresh.ts",
  "src/modules/library/analysis/listening/unheard.ts",
  "src/modules/library/analysis/measured.ts",
  "src/modules/library/analysis/next-older.ts",
  "src/modules/library/analysis/places/heard.ts",
  "src/modules/library/analysis/places/unplaced.ts",
  "src/modules/library/analysis/queries.ts",
  "src/modules/library/analytics/record-queries.ts",
  "src/modules/library/artwork/queries.ts",
  "src/modules/library/catalog/bin.ts",
  "src/modules/library/catalog/deletion.ts",
  "src/modules/library/catalog/export.ts",
  "src/modules/library/catalog/fold-artists.ts",
  "src/modules/library/catalog/tracks.ts",
  "src/modules/library/catalog/transfer.ts",
  "src/modules/library/catalog/versions.ts",
  "src/modules/library/catalog/words.ts",
  "src/modules/library/desk/table/queries.ts",
  "src/modules/library/lyrics/export.ts",
  "src/modules/library/lyrics/queries.ts",
  "src/modules/library/playlists/card-queries.ts",
  "src/modules/library/playlists/export.ts",
  "src/modules/library/playlists/queries.ts",
  "src/modules/library/recordings/offers.ts",
  "src/modules/library/recordings/queries.ts",
  "src/modules/library/renditions/queries.ts",
  "src/modules/library/rights/export.ts",
  "src/modules/library/rights/queries.ts",
  "src/modules/library/sounds/compose.ts",
  "src/modules/library/sounds/passage-queries.ts",
  "src/modules/library/sounds/passages.ts",
  "src/modules/library/sounds/queries.ts",
  "src/modules/library/sounds/store.ts",
  "src/modules/library/tags/queries.ts",
  "src/modules/library/tracks/duplicates.ts",
  "src/modules/library/uploads/queries.ts",
  "src/modules/outward/assistant/queries.ts",
  "src/modules/people/rooms/queries.ts", // names of rooms that the caller is in
  "src/modules/proof/ledger/check.ts",
  "src/modules/proof/ledger/erase.ts",
  "src/modules/search/search/facts/sources.ts",
  "src/modules/search/search/index/load.ts",
  "src/modules/search/search/names/lookup.ts",
  "src/modules/search/search/queries.ts",
  "src/modules/search/search/seeds/named.ts",
  "src/modules/search/search/signals/text.ts",
  "src/modules/sharing/comments/carry/queries.ts",
  "src/modules/sharing/comments/export.ts",
  "src/modules/sharing/comments/thread-queries.ts",
  "src/modules/sharing/marks/make.ts", // a copy that was asked for
  "src/modules/sharing/shares/listening/queries.ts",
  "src/modules/sharing/shares/page-queries.ts",
  "src/modules/sharing/shares/queries.ts",
  "src/modules/whole/ownership/delete.ts",
  "src/modules/whole/ownership/import.ts",
];

const READ = /\b(?:FROM|JOIN)\s+(?:tracks|playlists)\b/;
const BUILT_READ =
  /\.(?:from|innerJoin|leftJoin)\((?:tracks|playlists|table)\b[\s\S]*?(?:\.get|\.all|\.prepare)\(/g;

/** Returns the statements of a source that read tracks or playlists and do not say whether those in the bin are meant. */
function undecided(text: string): string[] {
  const statements = text.match(/`[^`]*`|"[^"\n]*"/g) ?? [];
  const built = text.match(BUILT_READ) ?? [];
  return [
    ...statements.filter((sql) => READ.test(sql) && !sql.includes("deleted_at")),
    ...built.filter((chain) => !/deletedAt|deleted_at/.test(chain)),
  ];
}

test("every statement that reads tracks or playlists says whether those in the bin are meant", async () => {
  const files: string[] = [];
  for (const file of sourceFiles.filter((each) => each.startsWith("src/modules/")))
    if (undecided(await readSource(file)).length > 0) files.push(file);

  expect(files).toEqual([...MEANS_ALL]);
});

test.each([
  ["a statement", '"SELECT id FROM tracks WHERE id = ?"', 1],
  ["a joined table", "`SELECT 1 FROM x JOIN playlists p ON p.id = x.id`", 1],
  ["a statement that says so", "`SELECT id FROM tracks WHERE deleted_at IS NULL`", 0],
  ["another table", '"SELECT id FROM tracks_of_today"', 0],
  ["a built one", "db.select().from(tracks).where(eq(tracks.id, id)).get()", 1],
  ["a built one that says so", "db.select().from(tracks).where(isNull(tracks.deletedAt)).get()", 0],
])("%s is seen for what it is", (_, text, count) => {
  expect(undecided(text)).toHaveLength(count);
});
