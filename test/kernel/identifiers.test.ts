import { describe, expect, test } from "bun:test";
import { toGtin, toIpi, toIsni, toIsrc, toIswc } from "../../src/kernel/identifiers.ts";

const KINDS: Readonly<Record<string, (text: string) => string | undefined>> = {
  ISWC: toIswc,
  IPI: toIpi,
  ISNI: toIsni,
  ISRC: toIsrc,
  GTIN: toGtin,
};

describe("identifiers", () => {
  test.each([
    ["ISWC", "T-034.524.680-1", "T0345246801"],
    ["ISWC", "iswc t0345246801", "T0345246801"],
    ["IPI", "199", undefined],
    ["IPI", "00000000199", "00000000199"],
    ["IPI", "00000000297", "00000000297"],
    ["IPI", "00000000395", "00000000395"],
    ["IPI", "00000000493", "00000000493"],
    ["IPI", "00017798450", "00017798450"],
    ["IPI", "17798450", "00017798450"],
    ["IPI", "000 177 984 50", "00017798450"],
    ["ISNI", "0000000121032683", "0000000121032683"],
    ["ISNI", "0000 0001 2103 2683", "0000000121032683"],
    ["ISNI", "ISNI 0000-0001-2281-955X", "000000012281955X"],
    ["ISRC", "de-ab1-26-00042", "DEAB12600042"],
    ["ISRC", "ISRC DEAB12600042", "DEAB12600042"],
    ["ISRC", "ISRC12600042", "ISRC12600042"],
    ["GTIN", "4006381333931", "4006381333931"],
    ["GTIN", "0 36000 29145 2", "036000291452"],
    ["GTIN", "96385074", "96385074"],
  ])("the %s %s is %p without what stands between its signs", (kind, text, bare) => {
    expect(KINDS[kind]?.(text)).toBe(bare);
  });

  test.each([
    ["ISWC", ["T-034.524.680-2", "0345246801", "T034524680", "T03452468011", ""]],
    ["IPI", ["00017798451", "00017789450", "1234", "0001779845X", "00000000000", ""]],
    ["ISNI", ["0000000121032684", "000000012103268", "X000000121032683", ""]],
    ["ISRC", ["DEAB1260004", "1EAB12600042", "DEAB126000421", "DEAB1260004X", ""]],
    ["GTIN", ["4006381333932", "40063813339", "0000000000000", "036000291453", ""]],
  ])("an %s that is none is told from one", (kind, texts) => {
    expect(texts.filter((text) => KINDS[kind]?.(text) !== undefined)).toEqual([]);
  });

  test.each([
    ["ISWC", "T0345246801"],
    ["IPI", "00017798450"],
    ["ISNI", "0000000121032683"],
    ["GTIN", "4006381333931"],
  ])("a wrong digit of an %s is noticed, wherever it is", (kind, right) => {
    const wrong = [...right].flatMap((sign, at) =>
      /\d/.test(sign)
        ? [...Array(10).keys()]
            .map(String)
            .flatMap((digit) => (digit === sign ? [] : right.slice(0, at) + digit + right.slice(at + 1)))
        : [],
    );
    const unnoticed = wrong.filter((text) => KINDS[kind]?.(text) !== undefined);

    // The weights of an ISWC are not all prime to ten, which its scheme allows.
    expect(unnoticed.length / wrong.length).toBeLessThan(kind === "ISWC" ? 0.15 : 0.001);
  });
});
