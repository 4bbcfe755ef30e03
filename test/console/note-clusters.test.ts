import { expect, test } from "bun:test";
import { clustersOf, type Spot } from "../../src/console/app/screens/track/clusters.ts";

const at = (fromSec: number, toSec: number | null = null): Spot => ({
  id: `${fromSec}`,
  fromSec,
  toSec,
  isOpen: true,
  isAbout: false,
  author: "Ana",
  text: "",
});

test("notes that would overlap become one mark, which reaches as far as its longest range", () => {
  const clusters = clustersOf([at(1), at(1.4, 9), at(1.9), at(2), at(5)], 1);

  expect(clusters.map(({ spots, fromSec, toSec }) => [spots.length, fromSec, toSec])).toEqual([
    [3, 1, 9],
    [1, 2, 2],
    [1, 5, 5],
  ]);
});

test("5,000 notes are put together at any zoom, and none is lost", () => {
  const spots = Array.from({ length: 5000 }, (_, index) => at(index / 20, index / 20 + 2));
  for (const gapSec of [0.01, 1, 60]) {
    const clusters = clustersOf(spots, gapSec);

    expect(clusters.reduce((sum, { spots }) => sum + spots.length, 0)).toBe(5000);
  }
});
