import { readFileSync } from "node:fs";
import type { FactRange, FindPerson } from "../../src/brief/fact-wish.ts";
import type { Interpretation } from "../../src/brief/interpretation.ts";
import { parseBrief } from "../../src/brief/read.ts";
import { toIso } from "../../src/kernel/time.ts";

/** A Sunday afternoon. */
export const NOW = Date.UTC(2026, 10, 22, 15);

/** The people of the briefs, and their lists, in the forms that languages with cases give them. */
const KNOWN = /^(?:ana|anę|anie|any|аной|ане|bo|бо|bo larsen|kim|ana@example.com|cargo|me)$/i;
const LISTS = /^(?:summer|dusk)$/i;
const findPerson: FindPerson = (fact, text) =>
  (fact === "playlists" || fact === "albums" ? LISTS : KNOWN).test(text)
    ? { name: text, stored: [text] }
    : undefined;

/** Returns the lines of a file of briefs, each with how it is read. */
export const factBriefs = (file: string): (readonly [brief: string, reading: string])[] =>
  readFileSync(`test/search/briefs/${file}`, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [brief = "", reading = ""] = line.split(" => ");
      return [brief, inOrder(reading.split("; "))] as const;
    });

const inOrder = (parts: readonly string[]): string => parts.toSorted().join("; ");

/** Says how a brief is read: "-sent @Bo 2026-10-01..; +Dark; !word" for a word that nothing was made of. */
export function factReading(brief: string): string {
  const read = parseBrief(brief, { findArtist: () => undefined, now: NOW, findPerson });
  const parts = [...ofLibrary(read), ...ofMusic(read), ...read.unread.map(({ written }) => `!${written}`)];
  const said = parts.filter((part) => part !== "");
  return inOrder(said.length === 0 && read.isOpen ? ["anything"] : said);
}

function ofLibrary({ filters, ordering, unasked = [] }: Interpretation): string[] {
  const { facts = [], created, played, tagged, versions, availableAs = [] } = filters;
  const is = (name: string, value: boolean | undefined) =>
    value === undefined ? "" : value ? name : `-${name}`;
  return [
    ...groupsOf(facts),
    created ? `created ${periodText(created)}` : "",
    is("played", played),
    is("tagged", tagged),
    versions === undefined ? "" : `versions >=${versions}`,
    ...availableAs.map((as) => `available ${as}`),
    ordering ? orderText(ordering) : "",
    ...unasked.map((name) => `?${name}`),
  ];
}

function orderText({ by, direction, person, time }: NonNullable<Interpretation["ordering"]>): string {
  const about = [...(person ? [`@${person.name}`] : []), ...(time ? [periodText(time)] : [])];
  return [direction === "desc" ? "most" : "least", by, ...about].join(" ");
}

function ofMusic(read: Interpretation): string[] {
  const tags = (sign: string, wishes: Interpretation["wanted"]) =>
    wishes.map(({ tags: [tag] }) => `${sign}${tag?.entry.name}`).join(" ");
  return [
    tags("+", read.wanted),
    tags("-", read.unwanted),
    read.bpmRange ? `bpm ${read.bpmRange.join("..")}` : "",
    read.durationRange ? `length ${read.durationRange.join("..")}` : "",
    read.vocalPreference ?? "",
    read.language ?? "",
    ...read.references.map(({ name }) => `like ${name}`),
  ];
}

type Facts = NonNullable<Interpretation["filters"]["facts"]>;

function groupsOf(facts: Facts): string[] {
  const groups = Map.groupBy(facts, (wish) => wish.either ?? wish);
  return [...groups.values()].map((group) => group.map(wishText).join(" / "));
}

function wishText({ fact, isNot, range, time, person }: Facts[number]): string {
  const about = [
    ...(range ? [rangeText(range)] : []),
    ...(person ? [`@${person.name}`] : []),
    ...(time ? [periodText(time)] : []),
  ];
  return [`${isNot ? "-" : ""}${fact}`, ...about].join(" ");
}

function rangeText({ above, least, most, below }: FactRange): string {
  if (least !== undefined && least === most) return `=${least}`;
  const parts = [
    [">=", least],
    [">", above],
    ["<=", most],
    ["<", below],
  ];
  return parts.flatMap(([sign, value]) => (value === undefined ? [] : `${sign}${value}`)).join(" ");
}

const periodText = ({ from, to }: { from: number | null; to: number | null }) =>
  [from, to].map((at) => (at === null ? "" : dayText(at))).join("..");

const dayText = (at: number): string =>
  toIso(at)
    .replace(/T00:00:00.*$/, "")
    .replace(/:00:00.*$/, "");
