import { expect, test } from "bun:test";
import { join } from "node:path";
import { evaluateBriefs } from "../../lab/eval-briefs.ts";

/** Minimum F1 per field. It reveals a rule change that breaks other rules. */
const LEAST: Readonly<Record<string, number>> = {
  bpm: 0.97,
  duration: 0.97,
  key: 0.97,
  vocalPreference: 0.97,
  referenceArtist: 0.95,
  genres: 0.9,
  instruments: 0.9,
  moods: 0.9,
  lyricThemes: 0.8,
  negation: 0.93,
};

test.each([1, 2, 3, 4, 5, 6, 7, 8])("supervisors' briefs of batch %d are understood", async (batch) => {
  const fields = await evaluateBriefs(join(import.meta.dir, `briefs/batch-${batch}.jsonl`));

  const short = fields.filter(({ field, f1 }) => f1 !== null && f1 < (LEAST[field] ?? 0));
  expect(short).toEqual([]);
  expect(fields.reduce((sum, { judged }) => sum + judged, 0)).toBeGreaterThan(100);
});
