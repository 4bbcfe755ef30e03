import { describe, expect, test } from "bun:test";
import { funnelSentence } from "../../src/console/app/screens/briefs/funnel.ts";
import { answeredSentence } from "../../src/console/app/screens/insights/answered.ts";

const NOBODY = { people: 0, interested: 0, instrumental: 0, terms: 0, pass: 0, silent: 0, notOpened: 0 };

describe("the sentence of the Insights", () => {
  test.each([
    [
      { people: 12, interested: 3, instrumental: 1, pass: 2, silent: 2, notOpened: 4 },
      "Of 12 people: 3 interested, 1 needs an instrumental, 2 passed, 4 not opened.",
    ],
    [{ people: 3, instrumental: 2, terms: 1 }, "Of 3 people: 2 need an instrumental, 1 asks for terms."],
    [{ people: 2, terms: 2 }, "Of 2 people: 2 ask for terms."],
    [{ people: 1, silent: 1 }, "Of 1 person: nobody has answered."],
    [{ people: 0 }, undefined],
  ])("counts those whom links asked, each once: %p", (figures, said) => {
    expect(answeredSentence({ ...NOBODY, ...figures })).toBe(said);
  });
});

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
