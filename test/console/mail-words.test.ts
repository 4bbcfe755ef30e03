import { describe, expect, test } from "bun:test";
import { mailWords } from "../../src/console/app/share/mail-words.ts";

describe("a mail says", () => {
  const NOW = new Date(2026, 0, 15, 12).getTime();
  const at = (day: number, hour: number, minute: number) =>
    new Date(2026, 0, day, hour, minute).toISOString();
  const [today, later] = [at(15, 14, 2), at(17, 9, 30)];

  test.each([
    ["Waiting", { state: "waiting", at: at(15, 12, 0) }],
    ["Waiting", { state: "ending" }],
    ["Waiting: goes out on 17 Jan 2026 at 09:30", { state: "waiting", at: later }],
    ["Waiting: tried again at 14:02", { state: "waiting", code: 450, answer: "450 Try again later" }],
    ["Handed over at 14:02", { state: "sent", code: 250, answer: "250 OK" }],
    ["Handed over on 17 Jan 2026 at 09:30", { state: "sent", at: later }],
    [
      "Refused: 550 5.1.1 No such mailbox",
      { state: "refused", code: 550, answer: "550 5.1.1 No such mailbox" },
    ],
    ["Refused: 550 No such mailbox", { state: "refused", code: 550, answer: "No such mailbox" }],
    ["Refused: the relay did not say why", { state: "refused" }],
    ["May have arrived; send again?", { state: "unsure" }],
    ["Asked not to be written to", { state: "cancelled", answer: "Asked not to be written to" }],
    ["Not sent", { state: "cancelled" }],
  ] as const)("%s", (words, mail) => {
    expect(mailWords({ at: today, code: null, answer: null, ...mail }, NOW)).toBe(words);
  });
});
