import type { TaxonomyEntry } from "./define.ts";
import { FILE_GENRES } from "./file-genres.ts";
import { foldTag } from "./fold.ts";
import { GENRES } from "./genres.ts";
import { ID3_GENRES } from "./id3-genres.ts";

type Entries = readonly TaxonomyEntry[];

const NONE: Entries = [];
/** Files come from strangers: a longer text is not a list of genres and is not worth searching. */
const LONGEST_VALUE_CHARS = 500;

/** Built on first use: most runs of the program never read a file. */
let entriesByText: ReadonlyMap<string, Entries> | undefined;

/** Maps folded texts to entries. Aliases are added before names, so a name always wins. */
function indexTexts(): ReadonlyMap<string, Entries> {
  const byCode = new Map(GENRES.map((genre) => [genre.code, genre]));
  const byText = new Map<string, Entries>();
  for (const [text, codes] of Object.entries(FILE_GENRES)) {
    byText.set(
      foldTag(text),
      codes.flatMap((code) => byCode.get(code) ?? []),
    );
  }
  for (const genre of GENRES) for (const alias of genre.aliases ?? []) byText.set(foldTag(alias), [genre]);
  for (const genre of GENRES) byText.set(foldTag(genre.name), [genre]);
  return byText;
}

function lookUp(text: string): Entries {
  entriesByText ??= indexTexts();
  return entriesByText.get(foldTag(text)) ?? NONE;
}

const lookUpNumber = (digits: string): Entries => lookUp(ID3_GENRES[Number(digits)] ?? "");

/** "Soul & Funk" counts only when both halves are genres: "Rock & Chips" must not become Rock. */
function lookUpPair(text: string): Entries {
  const halves = text.split(/\s+(?:&|\+|and)\s+/i).map(lookUp);
  return halves.length > 1 && halves.every((half) => half.length > 0) ? halves.flat() : NONE;
}

/**
 * Returns the genres of a text without ID3 references: first as a whole, else piece by piece without bracketed remarks.
 * Pieces may begin with a conjunction: "Folk, World, & Country".
 */
function lookUpList(text: string): Entries {
  const whole = lookUp(text);
  if (whole.length > 0) return whole;
  return text
    .replace(/\([^)]*\)/g, " ")
    .split(/[/;,|\\]/)
    .map((piece) => piece.replace(/^\s*(?:&|and)\s/i, ""))
    .flatMap((piece) => {
      const single = lookUp(piece);
      return single.length > 0 ? single : lookUpPair(piece);
    });
}

/**
 * Returns the genres of one value: a bare number, or "(n)" references before an optional refinement (ID3v2.3, TCON).
 */
function lookUpValue(value: string): Entries {
  const text = value.trim();
  if (text.length > LONGEST_VALUE_CHARS) return NONE;
  if (/^\d{1,3}$/.test(text)) return lookUpNumber(text);
  const references = /^(?:\(\d{1,3}\))+/.exec(text)?.[0] ?? "";
  const refinement = lookUpList(text.slice(references.length));
  return [...[...references.matchAll(/\d+/g)].flatMap(([digits]) => lookUpNumber(digits)), ...refinement];
}

/**
 * Returns the taxonomy genres named by a file's genre texts, in order and without duplicates. Unknown genres are left
 * out, never guessed; so are values of more than 500 characters.
 *
 * @param texts Values as read from ID3 (names, "17", "(17)", "(4)(31)", "(4)Eurodisco", NUL-separated),
 *   Vorbis, MP4 or RIFF tags; one value may list several genres by slash, semicolon, comma or bar.
 */
export function mapGenres(texts: readonly string[]): TaxonomyEntry[] {
  return [...new Set(texts.flatMap((text) => text.split("\0")).flatMap(lookUpValue))];
}

/** Returns the first genre that a text names, read as {@link mapGenres} does, or undefined. */
export function mapGenre(text: string): TaxonomyEntry | undefined {
  return mapGenres([text])[0];
}
