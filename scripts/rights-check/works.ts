/** A writer as people type them, and as a registration has them. */
type Writer = {
  first: string;
  last: string;
  role: string;
  designation: string;
  share: number;
  ipi: string | null;
  pro: string | null;
  isOurs: boolean;
  plain: { first: string; last: string };
};

/** A work as people type it, and as a registration has it. */
export type Work = {
  title: string;
  plain: { title: string };
  workNumber: string;
  iswc: string | null;
  isrc: string | null;
  releaseDate: string | null;
  durationSec: number;
  writers: Writer[];
};

const WORDS = [
  ["Café", "CAFE"],
  ["Über", "UBER"],
  ["Ærø", "AERO"],
  ["Night", "NIGHT"],
  ["Łódź", "LODZ"],
  ["Straße", "STRASSE"],
  ["don’t", "DON'T"],
  ["Ñandú", "NANDU"],
  ["“Blue”", '"BLUE"'],
  ["7", "7"],
  ["Þór", "THOR"],
  ["A–Z", "A-Z"],
] as const;
const NAMES = [
  ["Zoë", "ZOE"],
  ["Åsa", "ASA"],
  ["Ben", "BEN"],
  ["Søren", "SOREN"],
  ["van Dyk", "VAN DYK"],
  ["O’Neil", "O'NEIL"],
  ["Müller", "MULLER"],
  ["Đorđe", "DORDE"],
  ["İnci", "INCI"],
] as const;
const ROLES = [
  ["Composer", "C"],
  ["Lyricist", "A"],
  ["Composer and lyricist", "CA"],
  ["Songwriter", "CA"],
  ["Arranger", "AR"],
] as const;
const SOCIETIES = ["GEMA", "PRS for Music", "ASCAP", "APRA AMCOS", "SACEM", "STIM", null] as const;
const IPIS = ["00000000199", "00000000297", "00000000395", "00000000493", "00017798450", null] as const;

/** Returns a work that is made of a number: the same one each time. */
export function randomWork(seed: number): Work {
  let state = seed * 2_654_435_761 + 1;
  const below = (count: number): number => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9) >>> 0;
    return state % count;
  };
  const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item;
  const words = Array.from({ length: 1 + below(4) }, () => pick(WORDS));
  const count = 1 + below(9);
  const shares = below(3) === 0 ? uneven(count, below) : Array<number>(count).fill(100 / count);
  const writers = shares.map((share, at): Writer => {
    const [[first, plainFirst], [last, plainLast], [role, designation]] = [
      pick(NAMES),
      pick(NAMES),
      pick(ROLES),
    ];
    return {
      ...{ first, last, role, designation, share, ipi: pick(IPIS), pro: pick(SOCIETIES) },
      isOurs: at === 0 || below(3) > 0,
      plain: { first: plainFirst, last: plainLast },
    };
  });
  return {
    title: words.map(([word]) => word).join(" "),
    plain: { title: words.map(([, word]) => word).join(" ") },
    workNumber: `W${seed}`,
    iswc: below(2) === 0 ? iswcOf(below(1_000_000_000)) : null,
    isrc: below(3) > 0 ? `DEAB1${String(26 * 100_000 + below(99_999))}` : null,
    releaseDate: below(2) === 0 ? "2026-11-20" : null,
    durationSec: 1 + below(4000),
    writers,
  };
}

/** Shares of different sizes that add up to 100. */
function uneven(count: number, below: (count: number) => number): number[] {
  const shares = Array.from({ length: count - 1 }, () => (1 + below(Math.floor(9000 / count))) / 100);
  return [...shares, Math.round((100 - shares.reduce((sum, share) => sum + share, 0)) * 100) / 100];
}

/** @see ISO 15707, annex A */
function iswcOf(number: number): string {
  const digits = String(number).padStart(9, "0");
  const sum = [...digits].reduce((total, digit, at) => total + (at + 1) * Number(digit), 1);
  return `T${digits}${(10 - (sum % 10)) % 10}`;
}
