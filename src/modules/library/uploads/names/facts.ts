/** A part of a name that states a fact about the file: `at` and `to` are where it stands. */
export type Fact = {
  from: number;
  to: number;
  /** As a label writes it; empty for how the file was written, which two versions of a song share. */
  text: string;
  /** True: it says by itself that it is no part of a title. */
  isSure: boolean;
};

/** What a rule finds, and what a label says of it. */
type Rule = { of: RegExp; isSure: boolean; say?: (groups: Record<string, string | undefined>) => string };

const START = "(?<![\\p{L}\\p{N}])";
const END = "(?![\\p{L}\\p{N}])";
const NUMBER = "\\d{1,3}(?:[.,]\\d{1,2})?";
const RATE = "(?:44[.,]1|88[.,]2|176[.,]4|44|48|88|96|176|192)";
const DEPTH = "(?:16|24|32)";
const BITS = "(?:[\\s-]?(?:bits?|float|fp)|b|f)";
const KILO = "\\s?k(?:hz)?";
const TEMPO = `(?:(?<bpm>${NUMBER})[\\s-]?[bB][pP][mM]|[bB][pP][mM][\\s-]?(?<after>${NUMBER}))`;
const ACCIDENTAL = "(?:#|♯|b|♭|[\\s-]?sharp|[\\s-]?flat|is|es)?";
const MODE = "[\\s_-]?(?:min(?:or)?|maj(?:or)?|moll|dur|mineur|majeur|menor|mayor|minore|maggiore)";
/** A key that says its mode, `A` itself left out: `F# minor`, `Dm`. */
const KEY = `[A-Ha-h]${ACCIDENTAL}${MODE}|[A-H][#♯b♭]?m`;
const GAP = "[\\s_,-]+";

const rule = (pattern: string, isSure: boolean, say?: Rule["say"]): Rule => ({
  of: new RegExp(`${START}${pattern}${END}`, "giu"),
  isSure,
  ...(say && { say }),
});

const tempoOf = ({ bpm, after, plain }: Record<string, string | undefined>) =>
  `${(bpm ?? after ?? plain ?? "").replace(",", ".")} BPM`;
/** A tempo with a key. Case counts: `Am` is a key, `am` is a word. */
const keyed = (pattern: string): Rule => ({
  of: new RegExp(`${START}${pattern}${END}`, "gu"),
  isSure: true,
  say: (groups) => `${tempoOf(groups)} ${groups.key}`,
});

/** How a file was written, how loud it is, how fast and in which key: the longest that a place can mean comes first. */
const RULES: readonly Rule[] = [
  rule(`${RATE}${KILO}[\\s_./-]*${DEPTH}${BITS}?`, true),
  rule(`${DEPTH}${BITS}[\\s_./-]*${RATE}(?:${KILO})?`, true),
  rule(`${RATE}${KILO}|${NUMBER}\\s?khz|(?:44100|48000|88200|96000|192000)(?:\\s?hz)?`, true),
  rule(`${RATE}[-_/]${DEPTH}|${DEPTH}[-_/]${RATE}`, true),
  rule(`${DEPTH}${BITS}|\\d{2,3}\\s?kb(?:ps|it(?:\\/s)?)`, true),
  rule(
    `(?<sign>[-–−+]?)(?<level>${NUMBER})\\s?(?<unit>lufs|lkfs|lu|db(?:fs|tp|u)?)`,
    true,
    ({ sign, level, unit }) => `${(sign ?? "").replace(/[–−]/, "-")}${level} ${unitOf(unit ?? "")}`,
  ),
  keyed(`${TEMPO}${GAP}(?<key>${KEY}|[A-G][#♯b♭]?)`),
  keyed(`(?<key>${KEY})[_,-][\\s_-]*${TEMPO}`),
  keyed(`(?<plain>[6-9]\\d|1\\d\\d)${GAP}(?<key>${KEY})`),
  rule(TEMPO, true, tempoOf),
  {
    of: new RegExp(`(?<!\\bin\\s)${START}(?<key>${KEY})${END}`, "gu"),
    isSure: false,
    say: ({ key }) => key ?? "",
  },
  rule("(?:44|48|88|96)(?:16|24|32)|(?:16|24|32)(?:44|48|88|96)", false),
  rule("(?<month>20\\d\\d[-_.](?:0[1-9]|1[0-2]))", true, ({ month }) => month ?? ""),
  rule("(?<year>(?:19|20)\\d\\d)", false, ({ year }) => year ?? ""),
  // A step of a fader, and a day without its year: `vox +1`, `09-02`.
  { of: /(?:(?<=[\s_(])[-–−+]|(?<=\p{L})\+)\d{1,2}(?:[.,]\d)?(?=[\s_)]|$)/gu, isSure: false, say: () => "" },
  rule("(?:0[1-9]|[12]\\d|3[01])-(?:0[1-9]|1[0-2])|(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])", false),
];

const UNITS = ["LUFS", "LKFS", "LU", "dB", "dBFS", "dBTP", "dBu"];
const unitOf = (unit: string) => UNITS.find((each) => each.toLowerCase() === unit.toLowerCase()) ?? unit;

/** Finds the facts that a name states, none of which overlap. */
export function factsIn(name: string): Fact[] {
  const facts: Fact[] = [];
  for (const { of, isSure, say } of RULES)
    for (const match of name.matchAll(of)) {
      const [from, to] = [match.index, match.index + match[0].length];
      if (facts.some((other) => from < other.to && to > other.from)) continue;
      facts.push({ from, to, text: say?.(match.groups ?? {}) ?? "", isSure });
    }
  return facts;
}
