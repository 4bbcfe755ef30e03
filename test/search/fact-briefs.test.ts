import { describe, expect, test } from "bun:test";
import { factBriefs, factReading } from "./fact-readings.ts";

describe("briefs about stored facts are read", () => {
  const files = ["facts-1.txt", "facts-2.txt", "facts-3.txt"];
  test.each(files.flatMap(factBriefs))("%s", (brief, reading) => {
    expect(factReading(brief)).toBe(reading);
  });
});
