import { describe, expect, test } from "bun:test";
import { type Link, stateOf } from "../../src/console/app/screens/links/state.ts";
import { readOpens, writeOpens } from "../../src/console/app/share/opens.ts";

/** 15 January 2026 at 12:00 on this clock. */
const NOW = new Date(2026, 0, 15, 12).getTime();
const at = (...parts: [number, number, number, number?, number?]): string => new Date(...parts).toISOString();

describe("when a link opens", () => {
  test.each([
    ["3 March 2027 at 18:00", at(2027, 2, 3, 18)],
    ["3 March 2027, 18:00", at(2027, 2, 3, 18)],
    ["3 March 2027 6 pm", at(2027, 2, 3, 18)],
    ["3 March 2027 12:30 am", at(2027, 2, 3, 0, 30)],
    ["March 3, 2027 18:00", at(2027, 2, 3, 18)],
    ["2027-03-03 18:00", at(2027, 2, 3, 18)],
    ["2027-03-03T18:00", at(2027, 2, 3, 18)],
    ["3.3.2027 18:00", at(2027, 2, 3, 18)],
    ["3 March 2027", at(2027, 2, 3)],
    ["3 March at 18:00", at(2026, 2, 3, 18)],
    ["3 January at 18:00", at(2027, 0, 3, 18)],
    ["15 January 18:00", at(2026, 0, 15, 18)],
  ])("is read from %s", (text, wanted) => {
    expect(readOpens(text, NOW)).toBe(wanted);
  });

  test.each(["", "Now", " now "])("is at once for “%s”", (text) => {
    expect(readOpens(text, NOW)).toBeNull();
  });

  test.each([
    "3 March 2025 at 18:00",
    "15 January 2026 11:59",
    "soon",
    "18",
    "31 February 2027 18:00",
    "2027-02-31",
    "3 March 2027 25:00",
    "3 March 2027 18:61",
  ])("is not read from %s", (text) => {
    expect(readOpens(text, NOW)).toBeUndefined();
  });

  test("is read as it is written", () => {
    const opens = at(2027, 2, 3, 18, 5);

    expect(readOpens(writeOpens(opens), NOW)).toBe(opens);
    expect(writeOpens(null)).toBe("");
  });
});

describe("a link that is not active", () => {
  const [past, future] = ["2020-01-01T00:00:00.000Z", "2999-01-01T00:00:00.000Z"];
  const link = {
    active: false,
    turned: "on",
    revokedAt: null,
    maxUses: null,
    uses: 0,
    notBefore: null,
    expiresAt: null,
  };
  const stateWith = (more: object) => stateOf({ ...link, ...more } as Link);

  test.each([
    ["Not open yet", { notBefore: future }],
    // What was read before it opened.
    ["Live", { notBefore: past }],
    ["Expired", { notBefore: past, expiresAt: past }],
    ["Expired", { notBefore: future, expiresAt: past }],
    ["Used up", { notBefore: past, maxUses: 2, uses: 2 }],
    ["Revoked", { notBefore: future, revokedAt: past }],
    ["Off", { notBefore: future, turned: "off" }],
  ])("is %s", (state, more) => {
    expect(stateWith(more)).toBe(state as ReturnType<typeof stateOf>);
  });
});
