import { expect, test } from "bun:test";
import { CERTAIN, likeliestIn, PLACED_NAMES, placesOf } from "../../src/ears/places.ts";

/** Makes passages of three seconds of likelihoods of "Piano", in percent. */
function heard(...percents: readonly number[]) {
  const likelihoods = new Uint8Array(PLACED_NAMES.length * percents.length);
  const at = PLACED_NAMES.indexOf("Piano") * percents.length;
  likelihoods.set(
    percents.map((percent) => Math.round((CERTAIN * percent) / 100)),
    at,
  );
  return { stepSec: 3, likelihoods };
}

const pianoIn = (lengthSec: number, ...percents: readonly number[]) =>
  placesOf(heard(...percents), "Piano", lengthSec).map(({ fromSec, toSec }) => [fromSec, toSec]);

test("a place goes from the first to the last passage in which something is likely, and over one where it is not", () => {
  expect(pianoIn(30, 0, 0, 90, 90, 20, 90, 90, 0, 0, 0)).toEqual([[6, 21]]);
});

test("two places are told apart, and the last one ends with the recording", () => {
  expect(pianoIn(28, 80, 80, 80, 0, 0, 0, 0, 80, 80, 80)).toEqual([
    [0, 9],
    [21, 28],
  ]);
});

test("a single passage is no place, and nor is what is never more than likely", () => {
  expect(pianoIn(24, 0, 0, 0, 60, 0, 0, 0, 0)).toEqual([]);
  expect(pianoIn(24, 45, 45, 45, 45, 45, 45, 45, 45)).toEqual([]);
  expect(placesOf(heard(90, 90, 90), "Harp", 9)).toEqual([]);
});

test("what plays in a third of a recording is as likely as in that third, and a single passage is not enough", () => {
  const third = heard(0, 0, 0, 0, 0, 0, 100, 80, 100, 80, 100, 80, 0, 0, 0, 0, 0, 0);

  expect(likeliestIn(third, "Piano")).toBeCloseTo(0.9, 2);
  expect(likeliestIn(heard(0, 0, 0, 0, 100, 0, 0, 0), "Piano")).toBeCloseTo(1 / 6, 2);
  expect(likeliestIn(heard(60, 80), "Piano")).toBeCloseTo(0.7, 2);
});
