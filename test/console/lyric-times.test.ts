import { expect, test } from "bun:test";
import {
  lineAt,
  nextSung,
  nudged,
  shifted,
  stampOf,
  withTime,
} from "../../src/console/app/screens/track/lyrics/times.ts";

const lines = (...times: (number | null)[]) => times.map((atMs, index) => ({ text: `Line ${index}`, atMs }));
const times = (of: readonly { atMs: number | null }[]) => of.map(({ atMs }) => atMs);

test("a line that is tapped again takes times with it that are out of order now", () => {
  expect(times(withTime(lines(1000, 2000, 3000, 4000), 1, 3500))).toEqual([1000, 3500, null, 4000]);
  expect(times(withTime(lines(1000, 2000, 3000), 2, 500))).toEqual([null, null, 500]);
});

test("a line is moved between the lines around it, and not before the beginning", () => {
  expect(times(nudged(lines(1000, 1020, null, 1060), 1, 50))).toEqual([1000, 1060, null, 1060]);
  expect(times(nudged(lines(1000, 1020), 1, -50))).toEqual([1000, 1000]);
  expect(times(nudged(lines(20, null), 0, -50))).toEqual([0, null]);
  expect(times(nudged(lines(20, null), 1, -50))).toEqual([20, null]);
  expect(times(shifted(lines(20, null, 300), -100))).toEqual([0, null, 200]);
});

test("blank lines are passed over, and the line that is sung is the last that has begun", () => {
  const song = [
    { text: "One", atMs: 100 },
    { text: " ", atMs: null },
    { text: "Two", atMs: 300 },
  ];

  expect([nextSung(song, 0), nextSung(song, 2), nextSung(song, 2, -1), nextSung(song, 0, -1)]).toEqual([
    2, 2, 0, 0,
  ]);
  expect([lineAt(song, 99), lineAt(song, 299), lineAt(song, 300)]).toEqual([-1, 0, 2]);
  expect([stampOf(0), stampOf(62_345), stampOf(59_999)]).toEqual(["0:00.00", "1:02.35", "1:00.00"]);
});
