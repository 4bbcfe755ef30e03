import { expect, test } from "bun:test";
import { roundTrip } from "../../scripts/rights-check/round-trip.ts";

test.each(["2.1", "2.2"] as const)(
  "a registration of random works (CWR %s) is read back as it was typed, in every field, sum and count",
  async (version) => {
    expect(await roundTrip(version, 12, 5)).toEqual([]);
  },
);
