import { expect, test } from "bun:test";
import { languageCode } from "../../../src/kernel/languages.ts";
import { threeLetters } from "../../../src/media/retag/language-codes.ts";

/** Codes that others have replaced. */
const WITHDRAWN = ["bh", "in", "iw", "ji", "jw", "mo", "sh"];

test("each code of three letters is the language of its code of two", () => {
  const two = Array.from({ length: 26 * 26 }, (_, index) =>
    String.fromCharCode(97 + Math.floor(index / 26), 97 + (index % 26)),
  );
  const known = two.filter((code) => threeLetters(code) !== undefined);

  const wrong = known.filter(
    (code) =>
      languageCode(code) !== undefined && languageCode(threeLetters(code) ?? "") !== languageCode(code),
  );

  expect(wrong).toEqual([]);
  const current = two.filter((code) => languageCode(code) === code && !WITHDRAWN.includes(code));
  expect(current.filter((code) => threeLetters(code) === undefined)).toEqual([]);
});
