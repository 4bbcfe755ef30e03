import { expect, test } from "bun:test";
import { randomFrom } from "../../../src/demo/dsp/random.ts";
import { createShard } from "../../../src/modules/search/search/index/shard.ts";
import { addColumns, type ColumnScores } from "../../../src/modules/search/search/signals/columns.ts";
import { durationRamps, rampScore, tempoRamps } from "../../../src/modules/search/search/signals/ranges.ts";
import { createTally } from "../../../src/modules/search/search/signals/tally.ts";

const random = randomFrom("columns test");
/** More than two blocks. */
const TRACKS = 20_001;

const column = (from: number, to: number) =>
  Float64Array.from({ length: TRACKS }, () =>
    random() < 0.1 ? Number.NaN : Math.round(from + random() * (to - from)),
  );

const everyTrack = Uint32Array.from({ length: TRACKS }, (_, slot) => slot);

test.each([
  ["all tracks", everyTrack],
  ["some tracks", everyTrack.filter(() => random() < 0.5)],
  ["no track", new Uint32Array(0)],
])("adds to the sums of %s what the scores of each are, to the last bit", (_, slots) => {
  const shard = createShard("usr_columns", 0, TRACKS);
  shard.length = TRACKS;
  const [bpm, otherBpm, lengths] = [column(50, 200), column(50, 200), column(0, 400)];
  const codes = Uint8Array.from({ length: TRACKS }, () => random() * 4);
  const byCode = Float32Array.from([0, 0.3, 0.7, 1]);
  const tempo = tempoRamps([120, 125]);
  const length = durationRamps([0, 180]);
  const columns: ColumnScores[] = [
    {
      channel: "tempo",
      weight: 2,
      scores: { values: bpm, others: otherBpm, ramps: tempo },
      missFactor: 0.55,
    },
    { channel: "vocals", weight: 1.5, scores: { codes, scores: byCode }, missFactor: 0.3 },
    { channel: "duration", weight: 1, scores: { values: lengths, ramps: length }, undescribedPart: 0.3 },
  ];
  const tally = createTally(shard, { slots, marks: new Uint8Array(TRACKS) });
  tally.weights.set("tags", 1);
  for (const slot of slots) tally.totals[slot] = Math.max(0, random() - 0.5);
  const before = tally.totals.slice();

  addColumns(tally, columns);

  const totals = before.slice();
  const factors = new Float32Array(TRACKS).fill(1);
  const add = (slot: number, score: number, part: number, miss: number) => {
    if (score > 0) totals[slot] = (totals[slot] ?? 0) + part * score;
    else factors[slot] = (factors[slot] ?? 0) * miss;
  };
  const at = (values: Float64Array, slot: number) => values[slot] ?? Number.NaN;
  for (const slot of slots) {
    const either = Math.max(rampScore(tempo, at(bpm, slot)), rampScore(tempo, at(otherBpm, slot)));
    add(slot, either, 2, 0.55);
    add(slot, byCode[codes[slot] ?? 0] ?? 0, 1.5, 0.3);
    add(slot, rampScore(length, at(lengths, slot)), (before[slot] ?? 0) > 0 ? 1 : 0.3, 1);
  }
  expect(Buffer.compare(bytesOf(tally.totals), bytesOf(totals))).toBe(0);
  expect(Buffer.compare(bytesOf(tally.factors ?? new Float32Array(0)), bytesOf(factors))).toBe(0);
});

const bytesOf = ({ buffer, byteOffset, byteLength }: Float32Array) =>
  new Uint8Array(buffer, byteOffset, byteLength);
