import { knownArtist, LONGEST_NAME, opensName } from "./artists.ts";
import { meaningOf, type TaxonomyTag, tagsNamed } from "./lexicon.ts";
import { NOT_ARTISTS } from "./not-artists.ts";
import type { Scopes } from "./scopes.ts";
import { isWithin, type Span, spanOf } from "./text.ts";

/** An artist whose sound the brief asks for. */
export type Reference = { name: string; span: Span; resolved: boolean; sound: readonly TaxonomyTag[] };
/** Returns the artist's name as the library spells it, or undefined when the library has nothing by that artist. */
export type FindArtist = (name: string) => string | undefined;

/** After these a name is an artist's, or something just as like it. */
const SURE =
  "in the (?:style|vein|lane|spirit|mould|mold|manner|school|footsteps|realm|ballpark|world|territory|tradition) of|similar (?:in (?:style|feel|sound|vibe) )?to|reminiscent of|sounds?[ -](?:a (?:lot|bit) )?like|sounding like|sound-?alikes?(?: (?:of|for|to))?|along the lines of|influenced by|for fans of|fans of|fan of|à la|a la|channel(?:l?ing|s)|(?:nods?|homage|tribute|akin|close|closer|nearer) to|(?:refs?|references?|ref tracks?|comps?|temp(?: track| music)?|temped with|artists?|sounds?[- ]like|rip-?off of)(?: (?:is|are|was|artists?))?\\s*[:=]?|obsessed with|inspired by|recalls|evokes|echo(?:es|ing) of|shades of|mix (?:of|between)|cross between|blend of|meets|style of|instead of|replace(?:ment for)?|alternative to|alternatives to|if|afford|more";
const LEAD = `(?:${SURE}|like|think|thinking|imagine|style:|vibe:|feel of|sound of|vibe of|vibes of)`;
const PERIOD =
  "(?:(?:early|earlier|late|later|mid|old|older|classic|vintage|recent|newer|new|peak|prime|90s|80s|70s|60s|2000s|era|young|stripped-back|acoustic|a|an|some|maybe|perhaps|say|more|something like|the band|the artist|artists? like|bands? like|acts? like|songs? by|tracks? by|music by|stuff by|anything by|work of|music of|of|from|by|by the|is|was|with|any)[- ](?:(?:period|era) )?)*";
const CAPITALISED =
  "(?!I\\b|I'|I’)(?:[\\p{Lu}][\\p{L}\\p{N}'’&$!-]*(?:\\.[\\p{L}\\p{N}]+)*(?:(?<=(?<![\\p{L}])(?:[\\p{Lu}]|St|Dr|Mr|Jr|Ms))\\.)?|\\d+[\\p{Lu}\\p{Ll}]*(?= \\p{Lu}))";
const NAME = `(?:[Tt]he )?${CAPITALISED}(?:[ \\t]+(?:(?:of|the|and|&|\\+|de|la|del|der|van|von|y|da|do|dos|di|le|&)\\s+){0,2}${CAPITALISED}){0,5}(?: \\d+(?![\\d:]| ?(?:bpm|bmp|min|sec|s\\b)))?`;
const AFTER_LEAD = new RegExp(`(?<![\\p{L}])(${LEAD})\\s+["“']?(?:${PERIOD})`, "giu");
const NAME_HERE = new RegExp(`^${NAME}`, "u");
const BEFORE_SUFFIX = new RegExp(
  `(${NAME})(?:[- ]?(?:esque|ish)|[- ](?:type|style|styled|inspired|influenced|like|adjacent|leaning)(?: beats?)?|[- ](?:vibes?|territory|meets|energy|sound|feel|ref(?:erence)?|type beat|soundalike|sound-alike|flavou?r|era|school|worship))(?![\\p{L}])`,
  "gu",
);
const LOWER_SUFFIX =
  /(?<![\p{L}'.])([\p{L}'.]{1,30}(?: [\p{L}'.]{1,30}){0,3})(?:[- ]?esque|[- ]type beats?|[- ]style|[- ]inspired|[- ]vibes?|[- ]meets)(?![\p{L}])/gu;
const WEAK =
  /^(?:like|think|thinking|imagine|more|if|afford|meets|replace|instead of|with|temp|artist|style:|vibe:)/i;

/**
 * Finds the artists that the music should be like, the first said first: a known artist, one of the library's, or a
 * capitalised name after "in the style of", "like" and so on.
 *
 * @param text The brief in its own case, with the same offsets as the scopes.
 */
export function findReferences(text: string, scopes: Scopes, findArtist: FindArtist): Reference[] {
  const named = [
    ...afterLeads(text, findArtist),
    ...beforeSuffixes(text, findArtist),
    ...knownAnywhere(text),
  ];
  const isWanted = ({ span }: Reference) => !isWithin(scopes.unwanted, span.start);
  const hasWanted = named.some(isWanted);
  const found = named
    .filter(
      (each) =>
        isWanted(each) ||
        (isOnlyUnaffordable(text, each.span) && !(hasWanted && isReplaced(text, each.span))),
    )
    .toSorted((a, b) => a.span.start - b.span.start || b.span.end - a.span.end);
  const apart = found.filter(
    ({ span }, index) => found.findIndex((other) => overlaps(other.span, span)) === index,
  );
  return apart.filter(({ name }, index) => apart.findIndex((other) => other.name === name) === index);
}

const overlaps = (a: Span, b: Span) => a.start < b.end && b.start < a.end;

/** "We can't afford X" still wants the sound. */
function isOnlyUnaffordable(text: string, { start }: Span): boolean {
  return (
    /\b(?:afford|license|licence|clear|instead of|alternative to|replace(?:ment for)?|unlike)\s+(?:the |a |an |any |early )?$/i.test(
      text.slice(0, start),
    ) && !/\bunlike\s+$/i.test(text.slice(0, start))
  );
}

/** "Instead of X, think Y" asks for Y; with no other name it asks for something like X. */
function isReplaced(text: string, { start }: Span): boolean {
  return /\binstead of\s+(?:the |more |another )?$/i.test(text.slice(0, start));
}

function afterLeads(text: string, findArtist: FindArtist): Reference[] {
  return [...text.matchAll(AFTER_LEAD)].flatMap((lead) => {
    const start = spanOf(lead).end;
    return listedNames(text, start, findArtist, WEAK.test(lead[1] ?? ""));
  });
}

/** "X, Y and Z": every name of the list. */
function listedNames(text: string, start: number, findArtist: FindArtist, isWeak: boolean): Reference[] {
  const names: Reference[] = [];
  let at = start;
  while (names.length < 6) {
    const reference =
      ownName(text, at, findArtist) ?? knownName(text, at, true) ?? capitalisedName(text, at, isWeak);
    if (!reference) break;
    names.push(reference);
    const join =
      /^["”']?\s*(?:,|\/|\+|&|\bx\b|,?\s*(?:and|or|meets|with a (?:touch|bit|dash|hint) of|crossed with|vs\.?)\b)\s*["“']?(?:maybe |early |late |or |and |a bit of |some )*/i.exec(
        text.slice(reference.span.end),
      );
    if (!join) break;
    at = reference.span.end + join[0].length;
  }
  return names;
}

function beforeSuffixes(text: string, findArtist: FindArtist): Reference[] {
  const capital = [...text.matchAll(BEFORE_SUFFIX)].flatMap((match) => {
    const start = match.index + ordinaryStart(match[0]);
    return (
      knownName(text, start, true) ??
      ownName(text, start, findArtist) ??
      capitalisedName(text, start, WEAK_SUFFIX.test(match[0])) ??
      []
    );
  });
  const lower = [...text.matchAll(LOWER_SUFFIX)].flatMap((match) => {
    const words = (match[1] ?? "").split(" ");
    for (let from = 0; from < words.length; from++) {
      const name = words.slice(from).join(" ");
      const own = findArtist(name);
      const start = match.index + (match[1] ?? "").length - name.length;
      if (own !== undefined)
        return [
          {
            name: own,
            span: { start, end: start + name.length },
            resolved: true,
            sound: knownArtist(own)?.sound ?? [],
          },
        ];
    }
    return [];
  });
  return [...capital, ...lower];
}

const WEAK_SUFFIX = /(?:feel|sound|vibes?|energy|style|like|inspired|type|leaning|flavou?r|era|school)$/;

/** Where the name begins in "Something Neil Young-ish": a sentence's first word has a capital too. */
function ordinaryStart(name: string): number {
  const first = /^([\p{L}']+)\s+(?=\p{Lu})/u.exec(name);
  return first?.[1] && NOT_ARTISTS.has(first[1].toLowerCase()) && first[1].toLowerCase() !== "the"
    ? first[0].length
    : 0;
}

/** The longest run of words from here that is an artist of the library. */
function ownName(text: string, start: number, findArtist: FindArtist): Reference | undefined {
  for (const candidate of runsFrom(text, start, 4)) {
    const name = findArtist(candidate);
    if (name === undefined || (candidate.length < 4 && candidate === candidate.toLowerCase())) continue;
    return {
      name,
      span: { start, end: start + candidate.length },
      resolved: true,
      sound: knownArtist(name)?.sound ?? [],
    };
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

/** An ordinary word needs its capital and a lead; one lower-case word needs a lead. */
function isSpelledAsName(candidate: string, isOrdinary: boolean, isLed: boolean): boolean {
  const isCapital = /\p{Lu}/u.test(candidate);
  if (isOrdinary) return isCapital && isLed;
  // "the doors open" is no name.
  if (/^[Tt]he \p{Ll}+$/u.test(candidate)) return isLed;
  return isCapital || isLed || / /.test(candidate);
}

/** Known artists are a reference wherever they stand. */
function knownAnywhere(text: string): Reference[] {
  return [...text.matchAll(/(?<![\p{L}\p{N}'’])[\p{L}\p{N}$]/gu)].flatMap(
    (match) => knownName(text, match.index, false) ?? [],
  );
}

/** Runs of words from a place, the longest first. */
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
  const match = NAME_HERE.exec(text.slice(start, start + 80));
  if (!match) return undefined;
  const name = match[0]
    .replace(/[-.'’&!]+$/, "")
    .replace(/^the /, "")
    .replace(/(?:['’]s)$/, "")
    .replace(/-?(?:esque|ish)$/, "")
    .replace(
      /-(?:style|styled|type|inspired|like|influenced|leaning|adjacent|flavou?red|tinged|infused)$/,
      "",
    );
  if (!isNameLike(name, isWeak) || isTitle(text, start, match[0])) return undefined;
  return { name, span: { start, end: start + match[0].length }, resolved: false, sound: [] };
}

/** What is left of "Spanish" and "Irish" without their ending. */
const NATIONS = /^(?:Span|Ir|Engl|Brit|Scott|Swed|Dan|Finn|Pol|Turk|Jew|Yidd|Flem|Kurd|Corn|Moor|Gael)$/;

/** "like Techno" asks for a genre, "like Paris" for a place; "LIKE THIS" shouts. */
function isNameLike(name: string, isWeak: boolean): boolean {
  if (name.length < 2 || NATIONS.test(name) || tagsNamed(name).length > 0 || meaningOf(name)) return false;
  const words = name.toLowerCase().split(/\s+/);
  if (
    NOT_ARTISTS.has(name.toLowerCase()) ||
    words.every((word) => NOT_ARTISTS.has(word) || meaningOf(word) !== undefined)
  )
    return false;
  if (words.some((word) => NOT_ARTISTS.has(`*${word}`))) return false;
  const isShouting = name === name.toUpperCase() && words.length > 1;
  return !isShouting && !(isWeak && words.length === 1 && NOT_ARTISTS.has(words[0] ?? ""));
}

/** "like Running Up That Hill by ..." names a title: what is in quotation marks, or before "by". */
function isTitle(text: string, start: number, name: string): boolean {
  return /["“]\s*$/.test(text.slice(0, start)) || /^["”]?\s+by\b/.test(text.slice(start + name.length));
}
