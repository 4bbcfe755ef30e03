import type { Composer } from "./types.ts";

/** Words of a name without accents, in alphabetical order: `Berg, Ada` is `Ada Berg`. */
const wordsOf = (name: string): string[] =>
  name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .toSorted();

const digitsOf = (number: string | null): string => (number ?? "").replace(/\D/g, "").replace(/^0+/, "");

/** What two entries of one person have in common: a number, or the words of a name. */
function signsOf({ ipi, isni, fullName, artistName }: Composer): string[] {
  const names = [fullName, artistName ?? ""].map((name) => wordsOf(name).join(" ")).filter(Boolean);
  return [
    ...(digitsOf(ipi) === "" ? [] : [`ipi ${digitsOf(ipi)}`]),
    ...(digitsOf(isni) === "" ? [] : [`isni ${digitsOf(isni)}`]),
    ...new Set(names),
    ...new Set(names.map(initialled)),
  ];
}

/** `ada berg` and `a berg` are both `=a berg`. The longest word stays, because it is mostly the family's. */
function initialled(name: string): string {
  const words = name.split(" ");
  const longest = words.toSorted((one, other) => other.length - one.length)[0];
  const others = words.filter((word) => word !== longest).map((word) => word.charAt(0));
  return others.length === 0 ? name : `=${others.toSorted().join("")} ${longest}`;
}

/** Returns the pairs that look alike, the older entry first: it stays when they are merged. */
export function alike(composers: readonly Composer[]): (readonly [Composer, Composer])[] {
  const bySign = new Map<string, Composer[]>();
  for (const composer of composers)
    for (const sign of signsOf(composer)) bySign.set(sign, [...(bySign.get(sign) ?? []), composer]);
  const pairs = new Map<string, readonly [Composer, Composer]>();
  for (const same of bySign.values()) {
    const [first, ...others] = same.toSorted(
      (one, other) => one.createdAt.localeCompare(other.createdAt) || (one.id < other.id ? -1 : 1),
    );
    for (const other of others)
      if (first && first.id !== other.id) pairs.set(`${first.id} ${other.id}`, [first, other]);
  }
  return [...pairs.values()];
}
