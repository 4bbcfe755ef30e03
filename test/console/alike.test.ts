import { expect, test } from "bun:test";
import { alike } from "../../src/console/app/screens/composers/alike.ts";

const composer = (fullName: string, createdAt: number, more: { ipi?: string; isni?: string } = {}) => ({
  id: `shr_${createdAt}`,
  fullName,
  artistName: null,
  email: null,
  publisher: null,
  pro: null,
  ipi: null,
  isni: null,
  trackCount: 0,
  problems: [],
  createdAt: new Date(createdAt).toISOString(),
  ...more,
});
type Person = Parameters<typeof composer>;

test.each<[what: string, one: Person, other: Person, isPair: boolean]>([
  ["a name in another order", ["Ada Berg", 1], ["Berg, Ada", 2], true],
  ["accents", ["Zoë Sørensen", 1], ["Zoe Sørensen", 2], true],
  ["initials", ["Ada Berg", 1], ["A. Berg", 2], true],
  [
    "one IPI, with and without zeros",
    ["Ada", 1, { ipi: "00017798450" }],
    ["B", 2, { ipi: "17798450" }],
    true,
  ],
  ["one ISNI", ["Ada", 1, { isni: "0000 0001 2150 090X" }], ["B", 2, { isni: "000000012150090X" }], true],
  ["another family", ["Ada Berg", 1], ["Ada Holm", 2], false],
  ["other initials", ["Ada Berg", 1], ["B. Berg", 2], false],
])("composers look alike by %s", (_, one, other, isPair) => {
  const [first, second] = [composer(...one), composer(...other)];

  const pairs = alike([second, first]);

  expect(pairs).toEqual(isPair ? [[first, second]] : []);
});

test("three entries of one person are offered beside the oldest", () => {
  const [one, two, three] = [composer("Ada Berg", 1), composer("Berg Ada", 2), composer("A. Berg", 3)];

  expect(alike([three, one, two])).toEqual([
    [one, two],
    [one, three],
  ]);
});
