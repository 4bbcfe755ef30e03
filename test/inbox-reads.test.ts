import { expect, test } from "bun:test";
import { readSource, sourceFiles } from "./support/source.ts";

/** The files whose statements read an account's tracks and mean those that wait in the Inbox too, and why. */
const MEANS_WAITING: Readonly<Record<string, string>> = {
  "src/modules/library/albums/queries.ts": "what arrived with an album was sent by its owner",
  "src/modules/library/analysis/learning/learner.ts": "suggestions are made for submissions too",
  "src/modules/library/analysis/learning/refresh.ts": "suggestions are made for submissions too",
  "src/modules/library/analysis/listening/unheard.ts": "submissions are listened to as well",
  "src/modules/library/analysis/places/unplaced.ts": "submissions are listened to as well",
  "src/modules/library/analytics/dashboard-queries.ts": "names what happened, and a submission has happened",
  "src/modules/library/artwork/queries.ts": "a picture is kept while anything shows it",
  "src/modules/library/catalog/bin.ts": "a submission can be deleted and restored",
  "src/modules/library/catalog/deletion.ts": "everything goes with its account",
  "src/modules/library/catalog/export.ts": "an export has everything",
  "src/modules/library/catalog/transfer.ts": "everything moves with its account",
  "src/modules/library/catalog/words.ts": "the index has every track; what reads it chooses",
  "src/modules/library/desk/table/queries.ts":
    "narrows `track_rows`, which has what waits under an owner of its own",
  "src/modules/library/recordings/offers.ts": "an answer is kept wherever its two tracks are",
  "src/modules/library/sounds/queries.ts": "vectors are kept for submissions too",
  "src/modules/proof/ledger/check.ts": "versions of submissions have records as well",
  "src/modules/search/search/facts/sources.ts": "finds slots; `waitingSlots` leaves out those that wait",
  "src/modules/search/search/index/load.ts":
    "the Inbox is searched too; `waitingSlots` keeps it out of the library's searches",
  "src/modules/search/search/names/lookup.ts": "finds slots; `waitingSlots` leaves out those that wait",
  "src/modules/search/search/seeds/named.ts": "a part of a statement that leaves out what waits",
  "src/modules/search/search/signals/text.ts": "finds slots; `waitingSlots` leaves out those that wait",
  "src/modules/sharing/comments/export.ts": "an export has everything",
  "src/modules/sharing/comments/queries.ts": "a comment is deleted wherever its track is",
  "src/modules/sharing/leaks/queries.ts": "what leaked may wait in the Inbox as well",
  "src/modules/sharing/shares/answers/queries.ts": "an answer is about what its link leads to",
  "src/modules/sharing/shares/page-queries.ts": "a playlist shows what its owner put into it",
  "src/modules/whole/ownership/import.ts": "submissions are analysed as well",
};

const READ = /\b(?:FROM|JOIN)\s+tracks\b/;
const BUILT_READ =
  /\.(?:from|innerJoin|leftJoin)\((?:tracks|table)\b[\s\S]*?(?:\.get\(|\.all\(|\.prepare\(|;)/g;
const OF_OWNER = /owner_?id/i;
/** Reads tracks that the caller names, and so lists nothing. */
const IS_GIVEN =
  /\b(?:\w+\.)?(?:id|seq)\s*(?:=|IN)\s*\(?\s*(?:\?|(?:list|i|r|s)\.\w+|SELECT value FROM json_each)|eq\((?:tracks|table)\.id\b/;

/** Returns the statements of a source that read an account's tracks and do not say whether those in the Inbox are meant. */
function undecided(text: string): string[] {
  const statements = (text.match(/`[^`]*`|"[^"\n]*"/g) ?? []).filter((sql) => READ.test(sql));
  const built = text.match(BUILT_READ) ?? [];
  return [...statements, ...built].filter(
    (read) => OF_OWNER.test(read) && !IS_GIVEN.test(read) && !/in_inbox|inInbox/.test(read),
  );
}

test("every statement that lists an account's tracks says whether submissions in the Inbox are meant", async () => {
  const files: string[] = [];
  for (const file of sourceFiles.filter((each) => each.startsWith("src/modules/")))
    if (undecided(await readSource(file)).length > 0) files.push(file);

  expect(files).toEqual(Object.keys(MEANS_WAITING));
});

test.each([
  ["a list of an owner", "`SELECT id FROM tracks WHERE owner_id = ?1`", 1],
  ["a list that says so", "`SELECT id FROM tracks WHERE owner_id = ?1 AND in_inbox = 0`", 0],
  ["a joined list", "`SELECT 1 FROM x JOIN tracks t ON t.id = x.track_id WHERE t.owner_id = ?`", 1],
  ["a track that is named", "`SELECT 1 FROM tracks WHERE id = ?1 AND owner_id = ?2`", 0],
  ["another table", "`SELECT 1 FROM tracks_of_today WHERE owner_id = ?`", 0],
  ["a built list", "db.select().from(tracks).where(eq(tracks.ownerId, id)).all()", 1],
  [
    "a built one that is named",
    "db.select().from(tracks).where(and(eq(tracks.id, id), eq(tracks.ownerId, o))).get()",
    0,
  ],
])("%s is seen for what it is", (_, text, count) => {
  expect(undecided(text)).toHaveLength(count);
});
