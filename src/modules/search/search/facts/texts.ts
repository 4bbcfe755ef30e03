import { type FactRange, type FactWish, factPieceName } from "../../../../brief/fact-wish.ts";
import type { LibraryFilters } from "../../../../brief/library-filters.ts";
import { type Fact, type FactName, type FactOrder, factOf, factOfOrder } from "../../../../kernel/facts.ts";
import { DAY_MS, toIso } from "../../../../kernel/time.ts";
import type { StoredFact } from "../fact-shapes.ts";
import { isUnplaced } from "./edges.ts";

const dates = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });
/** Writes a time as "12 March 2026", in UTC. */
export const dateText = (at: number): string => dates.format(at);

/** Why search does not look at something, by the head of the lexicon after "unasked". */
export const UNASKED_TEXTS: Readonly<Record<string, string>> = {
  hit: "How likely something is to be a hit is not known here.",
  streams: "Plays on other services are not known here: ask for plays through links.",
  charts: "Places in charts are not kept here.",
  money: "What music earns or costs is not kept here.",
  tears: "What people felt is not kept here: ask for comments, answers or approvals.",
  studio: "Who mixed, mastered, recorded or produced it is not kept here: ask for composers.",
  skips: "What people skipped is not asked for here: see the listening of a link.",
  bin: "What is in the bin is never found: see the bin.",
  failed: "Only what was analysed is found: the library lists the other tracks by their status.",
  inbox: "What waits in the Inbox is not found: see the Inbox.",
  readiness: "Whether a track is ready for release stands on its page, and is not searched for.",
  released: "Whether something is out is not kept here: ask for a release date.",
  commentText: "What comments say is not searched: ask for comments, by whom and when.",
  contracts: "Contracts and licences are not kept here.",
  own: "What you listened to or opened here yourself is not kept: ask for what was played and opened through links.",
  role: "A part of the query asks for something that your role does not see, and was left out.",
};

/** Returns the sentences for what cannot be asked, each once. */
export const unaskedTexts = (names: readonly string[] = []): string[] => [
  ...new Set(names.flatMap((name) => UNASKED_TEXTS[name] ?? [])),
];

/** Says each wish about a fact, by the name that pieces of a query have for it. */
export function factTexts(facts: LibraryFilters["facts"] = []): Record<string, string> {
  return Object.fromEntries(
    facts.map((wish, index) => {
      const isOther = wish.either !== undefined && facts[index - 1]?.either === wish.either;
      return [factPieceName(index), isOther ? `or ${factText(wish)}` : factText(wish)];
    }),
  );
}

/** Says a wish: "never sent to Ana", "with more than 5 plays", "sample rate over 48 kHz". */
export function factText({ fact, isNot, range, time, person }: FactWish): string {
  const row = factOf(fact);
  const about = aboutTexts(fact, { time, person });
  if (range) {
    const amount = rangeText(row, range);
    return [row.kind === "number" ? `${row.says} ${amount}` : `with ${amount}`, ...about].join(" ");
  }
  // "Without open comments by Bo", "not played since March".
  const says = isNot
    ? about.length > 0 && row.saysNot === `never ${row.says}`
      ? `not ${row.says}`
      : row.saysNot
    : row.says;
  return [says, ...about].join(" ");
}

type About = { time?: FactWish["time"] | undefined; person?: FactWish["person"] | undefined };

/** Says through whom and when: "to Bo", "since 3 May 2026". */
export const aboutTexts = (fact: FactName, { time, person }: About): string[] => [
  ...(person ? [`${factOf(fact).joins ?? "by"} ${person.name}`] : []),
  ...(time ? [timeText(time)] : []),
];

function timeText({ from, to }: NonNullable<FactWish["time"]>): string {
  if (from === null) return to === null ? "" : `before ${dateText(to)}`;
  if (to === null) return `since ${dateText(from)}`;
  return to - from <= DAY_MS ? `on ${dateText(from)}` : `from ${dateText(from)} to ${dateText(to - 1)}`;
}

function rangeText(row: Fact, { above, least, most, below }: FactRange): string {
  const [name, stored] = row.unit ?? ["", 1];
  const shown = (value: number) => String(Math.round((value / stored) * 1000) / 1000);
  const last = most ?? below ?? above ?? least;
  const [one, many] = row.counted ?? [name, name];
  const isExact = least !== undefined && least === most;
  const limits = isExact
    ? [["", least] as const]
    : ([
        ["more than ", above],
        ["at least ", least],
        ["at most ", most],
        ["less than ", below],
      ] as const);
  const parts = limits.flatMap(([words, value]) => (value === undefined ? [] : [words + shown(value)]));
  return `${row.unit ? "of " : ""}${parts.join(" and ")} ${last === 1 ? one : many}`;
}

/** Says the value that gives a track its place in an order: "12 plays", "last sent on 3 October 2026". */
export function factValueText(by: FactOrder, value: number | undefined): string | undefined {
  if (value === undefined || Number.isNaN(value)) return undefined;
  const { fact, isTime } = factOfOrder(by);
  if (isTime) return `${fact.latest?.[1] ?? fact.says} on ${dateText(value)}`;
  if (!fact.unit) return `${value} ${fact.counted?.[value === 1 ? 0 : 1] ?? ""}`.trim();
  const [name, stored] = fact.unit;
  return `${fact.says} ${Math.round((value / stored) * 100) / 100} ${name}`;
}

/** True for a wish about somebody whom the fact does not know, or about an instrument that the ears do not. */
export const isOfStranger = ({ facts = [] }: LibraryFilters, name: string): boolean =>
  facts.some((wish, index) => name === factPieceName(index) && !isKnown(wish));

function isKnown({ fact, person }: Pick<FactWish, "fact" | "person">): boolean {
  if (!person) return true;
  return factOf(fact).joins === "with" ? !isUnplaced(person) : person.stored.length > 0;
}

/** Says whom nobody is called like. */
export const strangerTexts = (facts: readonly Pick<FactWish, "fact" | "person">[] = []): string[] =>
  facts.flatMap((wish) => (isKnown(wish) ? [] : strangerText(wish)));

function strangerText({ fact, person }: Pick<FactWish, "fact" | "person">): string {
  const { joins } = factOf(fact);
  if (joins === "with") return `Where “${person?.name}” plays is not known here.`;
  return joins === "on"
    ? `There is no list called “${person?.name}”.`
    : `Nobody called “${person?.name}” is known for that.`;
}

/** Returns a wish in its wire form, numbers in the fact's unit. */
export function wireFact({ fact, isNot, range = {}, time, person, either }: FactWish): StoredFact {
  const stored = factOf(fact).unit?.[1] ?? 1;
  const { above, least, most, below } = range;
  return {
    fact,
    isNot,
    ...(above !== undefined && { moreThan: above / stored }),
    ...(least !== undefined && { atLeast: least / stored }),
    ...(most !== undefined && { atMost: most / stored }),
    ...(below !== undefined && { lessThan: below / stored }),
    ...(time && time.from !== null && { after: toIso(time.from) }),
    ...(time && time.to !== null && { before: toIso(time.to) }),
    ...(person && { who: person.name, isKnown: isKnown({ fact, person }) }),
    ...(either !== undefined && { either }),
  };
}
