import { describe, expect, test } from "bun:test";
import { placeNote } from "../../src/modules/sharing/comments/carry/place.ts";

const END = Number.POSITIVE_INFINITY;
/** A version of 400 s without its seconds 20 to 30. */
const CUT = [
  { fromSec: 0, toSec: 20, points: [[0, 0] as const], isFine: true },
  { fromSec: 20, toSec: 30, points: undefined, isFine: false },
  { fromSec: 30, toSec: END, points: [[30, -10] as const], isFine: true },
];
const LENGTH_SEC = 390;
const place = (positionSec: number, endSec: number | null = null) =>
  placeNote({ positionSec, endSec }, CUT, LENGTH_SEC);

describe("a note in a version with a cut", () => {
  test.each([
    [0, 0, "carried"],
    [18.4, 18.4, "carried"],
    [18.6, 18.6, "about"],
    [31.4, 21.4, "about"],
    [31.6, 21.6, "carried"],
    [299, 289, "carried"],
    [301, 291, "about"],
    [400, 390, "about"],
  ])("at %d s is at %d s, %s", (positionSec, atSec, how) => {
    expect(place(positionSec)).toEqual({ atSec, endSec: null, how } as ReturnType<typeof place>);
  });

  test("is gone where it was cut, and past the end", () => {
    const gone = { atSec: null, endSec: null, how: "gone" as const };
    expect(place(25)).toEqual(gone);
    expect(place(401)).toEqual(gone);
  });

  test("keeps the length of a range that ends behind the cut, and no more than the version has", () => {
    expect(place(15, 35)).toEqual({ atSec: 15, endSec: 35, how: "carried" });
    expect(place(290, 500)).toMatchObject({ atSec: 280, endSec: LENGTH_SEC });
    expect(place(399.95, 420)).toMatchObject({ atSec: 389.95, endSec: null });
  });
});

test("a note before the beginning of a trimmed version is gone", () => {
  const trimmed = [{ fromSec: 0, toSec: END, points: [[0, -1.5] as const], isFine: true }];

  expect(placeNote({ positionSec: 1.2, endSec: null }, trimmed, 50).how).toBe("gone");
  expect(placeNote({ positionSec: 1.49, endSec: null }, trimmed, 50)).toMatchObject({
    atSec: 0,
    how: "carried",
  });
});

test("a note in a version that cannot be compared is about at its second, within the version", () => {
  expect(placeNote({ positionSec: 30, endSec: 40 }, undefined, 35)).toEqual({
    ...{ atSec: 30, endSec: 35, how: "about" },
  });
  expect(placeNote({ positionSec: 30, endSec: 40 }, undefined, 20)).toEqual({
    ...{ atSec: 20, endSec: null, how: "about" },
  });
  expect(placeNote({ positionSec: 30, endSec: null }, undefined, null).atSec).toBe(30);
});

test("a note in the same recording is where it was, however late", () => {
  expect(placeNote({ positionSec: 2000, endSec: null }, "same", 2400)).toEqual({
    ...{ atSec: 2000, endSec: null, how: "carried" },
  });
});
