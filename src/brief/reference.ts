import { knownArtist, LONGEST_NAME, opensName } from "./artists.ts";
import { meaningOf, tagsNamed } from "./lexicon.ts";
import { asksForName, lowerNameEnd } from "./lower-names.ts";
import type { Reading } from "./match.ts";
import type { TaxonomyTag } from "./meaning.ts";
import { nameEnd } from "./name.ts";
import { headsOf } from "./phrases.ts";
import { begins, endOf, endsAt, spansOf } from "./reading.ts";
import type { Scopes } from "./scopes.ts";
import { isWithin, type Span, spanOf } from "./text.ts";

/** An artist whose sound the brief asks for. */
export type Reference = { name: string; span: Span; resolved: boolean; sound: readonly TaxonomyTag[] };
/** Returns the artist's name as the library spells it, or undefined when the library has nothing by that artist. */
export type FindArtist = (name: string) => string | undefined;

const names = headsOf("reference");
const others = headsOf("noArtist");

/**
 * Finds the artists that the music should sound like, in the brief's order: a known artist, an artist of the library,
 * or a capitalised name after "in the style of", "like" and so on.
 *
 * @param text The brief in its original case, with the same offsets as the reading.
 */
export function findReferences(
  text: string,
  reading: Reading,
  scopes: Scopes,
  findArtist: FindArtist,
): Reference[] {
  const brief: Brief = { text, reading, findArtist };
  const named = [
    ...afterLeads(brief),
    ...beforeSuffixes(brief),
    ...beforeLowerSuffixes(brief),
    ...knownAnywhere(text),
  ];
  const isWanted = ({ span }: Reference) => !isWithin(scopes.unwanted, span.start);
  const hasWanted = named.some(isWanted);
  const found = named
    .filter(
      (each) =>
        isWanted(each) ||
        (endsAt(reading, "reference.cannot be had", each.span.start) &&
          !(hasWanted && endsAt(reading, "reference.put off", each.span.start))),
    )
    .toSorted((a, b) => a.span.start - b.span.start || b.span.end - a.span.end);
  const apart = found.filter(
    ({ span }, index) => found.findIndex((other) => overlaps(other.span, span)) === index,
  );
  return apart.filter(({ name }, index) => apart.findIndex((other) => other.name === name) === index);
}

const overlaps = (a: Span, b: Span) => a.start < b.end && b.start < a.end;

/** A brief in its original case and as a reading. */
type Brief = { text: string; reading: Reading; findArtist: FindArtist };

/** Finds names after a lead. "We can't afford X" still wants the sound; "instead of X, think Y" asks for Y. */
function afterLeads(brief: Brief): Reference[] {
  return spansOf(brief.reading, "reference.name after").flatMap(({ start, end }) => {
    const isWeak = begins(brief.reading, "reference.weak", start);
    return listedNames(brief, end, isWeak, asksForName(brief.reading, start));
  });
}

/** Returns every name of a list: "X, Y and Z". */
function listedNames(
  { text, reading, findArtist }: Brief,
  start: number,
  isWeak: boolean,
  mayBeLower: boolean,
): Reference[] {
  const found: Reference[] = [];
  let at: number | undefined = start;
  while (found.length < MOST_LISTED && at !== undefined) {
    const reference =
      ownName(text, at, findArtist) ??
      knownName(text, at, true) ??
      capitalisedName(text, at, isWeak) ??
      (mayBeLower ? lowerName(text, at) : undefined);
    if (!reference) break;
    found.push(reference);
    at = endOf(reading, "reference.next name", reference.span.end);
  }
  return found;
}

const MOST_LISTED = 6;

/** Finds names before a suffix: "Coldplay-ish", "a Neil Young type beat". */
function beforeSuffixes(brief: Brief): Reference[] {
  const { text, findArtist } = brief;
  const found: Reference[] = [];
  for (let at = 0; at < text.length; ) {
    const end = nameEnd(text, at);
    const suffix = end === undefined ? undefined : lastSuffix(brief, at, end);
    if (suffix) {
      const start = at + ordinaryStart(text.slice(at, suffix.end));
      const reference =
        knownName(text, start, true) ??
        ownName(text, start, findArtist) ??
        capitalisedName(text, start, isWeakSuffix(text.slice(suffix.start, suffix.end)));
      if (reference) found.push(reference);
    }
    at = suffix?.end ?? end ?? at + 1;
  }
  return found;
}

/** Returns the last suffix that begins in a name or directly after it. */
function lastSuffix({ text, reading }: Brief, from: number, to: number): Span | undefined {
  const endings = [...text.slice(from + 1, to + "-esque".length).matchAll(/[- ]?(?:esque|ish)(?!\p{L})/gu)];
  const ending = endings.filter(({ index }) => from + 1 + index <= to).at(-1);
  for (let at = to; at > from; at--) {
    if (ending && from + 1 + ending.index === at) return { start: at, end: at + ending[0].length };
    const end = /[- ]/.test(text[at] ?? "") ? endOf(reading, "reference.name before", at) : undefined;
    // "Evening! Sound bath": another capitalised word is not a suffix.
    if (end !== undefined && isLower(text.slice(at, end))) return { start: at, end };
  }
  return undefined;
}

function isWeakSuffix(suffix: string): boolean {
  return isOf(names, /\p{L}+$/u.exec(suffix)?.[0] ?? "", "weak suffix");
}

const FEW_WORDS = /(?<![\p{L}'.])[\p{L}'.]{1,30}(?: [\p{L}'.]{1,30}){0,3}$/u;

/** "lumen vale vibes": finds names of the library, in any case, before a suffix. */
function beforeLowerSuffixes({ text, reading, findArtist }: Brief): Reference[] {
  const endings = [...reading.text.matchAll(/[- ]?esque(?!\p{L})/gu)].map(spanOf);
  const suffixes = [...endings, ...spansOf(reading, "reference.own name before")];
  return suffixes
    .filter(({ start, end }) => isLower(text.slice(start, end)))
    .toSorted((a, b) => a.start - b.start)
    .flatMap(({ start: end }) => {
      const words = (FEW_WORDS.exec(text.slice(0, end))?.[0] ?? "").split(" ");
      for (let from = 0; from < words.length; from++) {
        const name = words.slice(from).join(" ");
        const own = name === "" ? undefined : findArtist(name);
        if (own !== undefined) return [owned(own, { start: end - name.length, end })];
      }
      return [];
    });
}

const isLower = (text: string) => text === text.toLowerCase();

function owned(name: string, span: Span): Reference {
  return { name, span, resolved: true, sound: knownArtist(name)?.sound ?? [] };
}

function isOf(words: ReadonlyMap<string, readonly string[]>, word: string, type: string): boolean {
  return words.get(word)?.includes(type) ?? false;
}

/** Returns where the name begins in "Something Neil Young-ish": the first word of a sentence has a capital too. */
function ordinaryStart(name: string): number {
  const first = /^([\p{L}']+)\s+(?=\p{Lu})/u.exec(name);
  const word = first?.[1]?.toLowerCase() ?? "the";
  return first && isOf(others, word, "word") && word !== "the" ? first[0].length : 0;
}

/** Finds the longest run of words from a place that names an artist of the library. */
function ownName(text: string, start: number, findArtist: FindArtist): Reference | undefined {
  for (const candidate of runsFrom(text, start, 4)) {
    const name = findArtist(candidate);
    if (name === undefined || (candidate.length < 4 && candidate === candidate.toLowerCase())) continue;
    return owned(name, { start, end: start + candidate.length });
  }
  return undefined;
}

function knownName(text: string, start: number, isLed: boolean): Reference | undefined {
  const first = /^[^\s,;:!?|()"“”]+/u.exec(text.slice(start, start + 40))?.[0] ?? "";
  if (
    !opensName(first.replace(/(?:['’]s|[-.]?\p{Ll}+(?:esque|ish))$/u, "")) &&
    !opensName(first.split("-")[0] ?? "")
  )
    return undefined;
  const runs = runsFrom(text, start, LONGEST_NAME);
  // "AC/DC" is one name, and "X/Y" may be two.
  const parts = runs.filter((run) => run.includes("/")).map((run) => run.slice(0, run.indexOf("/")));
  for (const candidate of [...runs, ...parts]) {
    const artist = knownArtist(
      candidate
        .replace(/['’]s$/, "")
        .replace(/(?:[- ](?:esque|ish|y|style|type|inspired|like|vibes?))$/i, ""),
    );
    if (!artist || !isSpelledAsName(candidate, artist.isOrdinary, isLed)) continue;
    return {
      name: artist.name,
      span: { start, end: start + candidate.length },
      resolved: true,
      sound: artist.sound,
    };
  }
  return undefined;
}

/** An ordinary word needs a capital and a lead to be a name; a single lower-case word needs a lead. */
function isSpelledAsName(candidate: string, isOrdinary: boolean, isLed: boolean): boolean {
  const isCapital = /\p{Lu}/u.test(candidate);
  if (isOrdinary) return isCapital && isLed;
  // "the doors open" is not a name.
  if (/^[Tt]he \p{Ll}+$/u.test(candidate)) return isLed;
  return isCapital || isLed || / /.test(candidate);
}

/** Finds known artists, which are references anywhere in the text. */
function knownAnywhere(text: string): Reference[] {
  return [...text.matchAll(/(?<![\p{L}\p{N}'’])[\p{L}\p{N}$]/gu)].flatMap(
    (match) => knownName(text, match.index, false) ?? [],
  );
}

/** Returns the runs of words from a place, the longest first. */
function runsFrom(text: string, start: number, most: number): string[] {
  const piece =
    /^[^\s,;:!?|()"“”]+(?:[ \t]+[^\s,;:!?|()"“”]+)*/u.exec(text.slice(start, start + 80))?.[0] ?? "";
  const words = piece.split(/(?<=\S)(?=\s)/).slice(0, most);
  return words.map((_, index) =>
    words
      .slice(0, words.length - index)
      .join("")
      .replace(/[.,'’]+$/, ""),
  );
}

function capitalisedName(text: string, start: number, isWeak: boolean): Reference | undefined {
  const end = nameEnd(text, start);
  if (end === undefined) return undefined;
  const whole = text.slice(start, end);
  const name = whole
    .replace(/[-.'’&!]+$/, "")
    .replace(/^the /, "")
    .replace(/(?:['’]s)$/, "")
    .replace(/-?(?:esque|ish)$/, "")
    .replace(/-(\p{L}+)$/u, (all, word: string) => (isOf(names, word, "joined suffix") ? "" : all));
  if (!isNameLike(name, isWeak) || isTitle(text, start, whole)) return undefined;
  return { name, span: { start, end }, resolved: false, sound: [] };
}

/** "sounds like lumen vale": a name in lower case needs a lead that nothing but a name follows. */
function lowerName(text: string, start: number): Reference | undefined {
  const end = lowerNameEnd(text, start);
  if (end === undefined || isTitle(text, start, text.slice(start, end))) return undefined;
  return { name: text.slice(start, end), span: { start, end }, resolved: false, sound: [] };
}

/** Excludes genres ("like Techno"), places ("like Paris") and shouting ("LIKE THIS"). */
function isNameLike(name: string, isWeak: boolean): boolean {
  const lower = name.toLowerCase();
  const isNation = isOf(others, lower, "nation") && name !== lower;
  if (name.length < 2 || isNation || tagsNamed(name).length > 0 || meaningOf(name)) return false;
  const words = lower.split(/\s+/);
  const isOther = (word: string) => isOf(others, word, "word");
  if (isOther(lower) || words.every((word) => isOther(word) || meaningOf(word) !== undefined)) return false;
  if (words.some((word) => isOf(others, word, "never"))) return false;
  const isShouting = name === name.toUpperCase() && words.length > 1;
  return !isShouting && !(isWeak && words.length === 1 && isOther(lower));
}

/** "like Running Up That Hill by ..." names a title, as does a name in quotation marks. */
function isTitle(text: string, start: number, name: string): boolean {
  return /["“]\s*$/.test(text.slice(0, start)) || /^["”]?\s+by\b/.test(text.slice(start + name.length));
}
