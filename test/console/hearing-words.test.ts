import { describe, expect, test } from "bun:test";
import { funnelSentence } from "../../src/console/app/screens/briefs/funnel.ts";

/** Somebody who was asked, as far as the sentence counts. */
const asked = (state?: string, submissionCount = 0) =>
  ({ submissionCount, mail: state === undefined ? null : { state } }) as never;

describe("the sentence of a brief", () => {
  test("says of everybody once how far they came", () => {
    const all = [
      asked("sent", 2),
      asked("refused", 1),
      asked("refused"),
      asked("waiting"),
      asked("ending"),
      asked("cancelled"),
      asked("sent"),
      asked("unsure"),
      asked(),
    ];

    expect(funnelSentence(all)).toBe(
      "Of 9 people asked: 2 sent music, 1 could not be reached, 1 got no mail, 2 wait for the mail, 3 have sent nothing yet.",
    );
    expect(funnelSentence([asked()])).toBe("Of 1 person asked: 1 has sent nothing yet.");
  });
});
