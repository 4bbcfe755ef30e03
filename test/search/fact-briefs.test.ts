import { describe, expect, test } from "bun:test";
import { factBriefs, factReading } from "./fact-readings.ts";

describe("briefs about stored facts are read", () => {
  test.each([...factBriefs("facts-1.txt"), ...factBriefs("facts-2.txt")])("%s", (brief, reading) => {
    expect(factReading(brief)).toBe(reading);
  });
});
