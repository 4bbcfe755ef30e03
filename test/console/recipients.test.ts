import { describe, expect, test } from "bun:test";
import { readRecipient, readRecipients } from "../../src/console/app/share/recipients.ts";

describe("somebody a link is for", () => {
  test.each([
    ["Ada", { name: "Ada", email: "" }],
    ["ada@example.com", { name: "ada@example.com", email: "ada@example.com" }],
    ["Ada Lind <ada@example.com>", { name: "Ada Lind", email: "ada@example.com" }],
    ['"Lind, Ada" <ada@example.com>', { name: "Lind, Ada", email: "ada@example.com" }],
    ["<ada@example.com>", { name: "ada@example.com", email: "ada@example.com" }],
    ["Ada <at home>", { name: "Ada <at home>", email: "" }],
    ["Ada @ Harbour", { name: "Ada @ Harbour", email: "" }],
  ])("is read from %s", (written, wanted) => {
    expect(readRecipient(written)).toEqual(wanted);
  });

  test("is one of a list of addresses as mail programs copy it", () => {
    expect(readRecipients("Ada <ada@example.com>, Ben\n\nbo@example.com;")).toEqual([
      { name: "Ada", email: "ada@example.com" },
      { name: "Ben", email: "" },
      { name: "bo@example.com", email: "bo@example.com" },
    ]);
  });
});
