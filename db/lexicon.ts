import artists from "./lexicon/artists.txt" with { type: "text" };
import careful from "./lexicon/careful.txt" with { type: "text" };
import characters from "./lexicon/characters.txt" with { type: "text" };
import common from "./lexicon/common.txt" with { type: "text" };
import dutchFacts from "./lexicon/dutch/facts.txt" with { type: "text" };
import dutchLibrary from "./lexicon/dutch/library.txt" with { type: "text" };
import dutchMeasures from "./lexicon/dutch/measures.txt" with { type: "text" };
import dutchNumerals from "./lexicon/dutch/numerals.txt" with { type: "text" };
import dutch from "./lexicon/dutch.txt" with { type: "text" };
import company from "./lexicon/english/company.txt" with { type: "text" };
import comparison from "./lexicon/english/comparison.txt" with { type: "text" };
import correction from "./lexicon/english/correction.txt" with { type: "text" };
import eraWords from "./lexicon/english/era.txt" with { type: "text" };
import englishFacts from "./lexicon/english/facts.txt" with { type: "text" };
import filler from "./lexicon/english/filler.txt" with { type: "text" };
import key from "./lexicon/english/key.txt" with { type: "text" };
import language from "./lexicon/english/language.txt" with { type: "text" };
import length from "./lexicon/english/length.txt" with { type: "text" };
import library from "./lexicon/english/library.txt" with { type: "text" };
import negation from "./lexicon/english/negation.txt" with { type: "text" };
import noArtist from "./lexicon/english/no-artist.txt" with { type: "text" };
import number from "./lexicon/english/number.txt" with { type: "text" };
import englishNumerals from "./lexicon/english/numerals.txt" with { type: "text" };
import reference from "./lexicon/english/reference.txt" with { type: "text" };
import spelling from "./lexicon/english/spelling.txt" with { type: "text" };
import strength from "./lexicon/english/strength.txt" with { type: "text" };
import subject from "./lexicon/english/subject.txt" with { type: "text" };
import tempo from "./lexicon/english/tempo.txt" with { type: "text" };
import tongue from "./lexicon/english/tongue.txt" with { type: "text" };
import unit from "./lexicon/english/unit.txt" with { type: "text" };
import voice from "./lexicon/english/voice.txt" with { type: "text" };
import eras from "./lexicon/eras.txt" with { type: "text" };
import frenchFacts from "./lexicon/french/facts.txt" with { type: "text" };
import frenchLibrary from "./lexicon/french/library.txt" with { type: "text" };
import frenchMeasures from "./lexicon/french/measures.txt" with { type: "text" };
import frenchNumerals from "./lexicon/french/numerals.txt" with { type: "text" };
import french from "./lexicon/french.txt" with { type: "text" };
import genres from "./lexicon/genres.txt" with { type: "text" };
import germanFacts from "./lexicon/german/facts.txt" with { type: "text" };
import germanLibrary from "./lexicon/german/library.txt" with { type: "text" };
import germanMeasures from "./lexicon/german/measures.txt" with { type: "text" };
import germanNumerals from "./lexicon/german/numerals.txt" with { type: "text" };
import german from "./lexicon/german.txt" with { type: "text" };
import grammar from "./lexicon/grammar.txt" with { type: "text" };
import idioms from "./lexicon/idioms.txt" with { type: "text" };
import instruments from "./lexicon/instruments.txt" with { type: "text" };
import italianFacts from "./lexicon/italian/facts.txt" with { type: "text" };
import italianLibrary from "./lexicon/italian/library.txt" with { type: "text" };
import italianMeasures from "./lexicon/italian/measures.txt" with { type: "text" };
import italianNumerals from "./lexicon/italian/numerals.txt" with { type: "text" };
import italian from "./lexicon/italian.txt" with { type: "text" };
import japanese from "./lexicon/japanese.txt" with { type: "text" };
import japaneseLibrary from "./lexicon/japanese-library.txt" with { type: "text" };
import moods from "./lexicon/moods.txt" with { type: "text" };
import movements from "./lexicon/movements.txt" with { type: "text" };
import moves from "./lexicon/moves.txt" with { type: "text" };
import ordinary from "./lexicon/ordinary.txt" with { type: "text" };
import polishFacts from "./lexicon/polish/facts.txt" with { type: "text" };
import polishLibrary from "./lexicon/polish/library.txt" with { type: "text" };
import polishMeasures from "./lexicon/polish/measures.txt" with { type: "text" };
import polishNumerals from "./lexicon/polish/numerals.txt" with { type: "text" };
import polish from "./lexicon/polish.txt" with { type: "text" };
import portugueseFacts from "./lexicon/portuguese/facts.txt" with { type: "text" };
import portugueseLibrary from "./lexicon/portuguese/library.txt" with { type: "text" };
import portugueseMeasures from "./lexicon/portuguese/measures.txt" with { type: "text" };
import portugueseNumerals from "./lexicon/portuguese/numerals.txt" with { type: "text" };
import portuguese from "./lexicon/portuguese.txt" with { type: "text" };
import russianFacts from "./lexicon/russian/facts.txt" with { type: "text" };
import russianLibrary from "./lexicon/russian/library.txt" with { type: "text" };
import russianMeasures from "./lexicon/russian/measures.txt" with { type: "text" };
import russianNumerals from "./lexicon/russian/numerals.txt" with { type: "text" };
import russian from "./lexicon/russian.txt" with { type: "text" };
import seeds from "./lexicon/seeds.txt" with { type: "text" };
import shorthand from "./lexicon/shorthand.txt" with { type: "text" };
import situations from "./lexicon/situations.txt" with { type: "text" };
import smallWords from "./lexicon/small-words.txt" with { type: "text" };
import spanishFacts from "./lexicon/spanish/facts.txt" with { type: "text" };
import spanishLibrary from "./lexicon/spanish/library.txt" with { type: "text" };
import spanishMeasures from "./lexicon/spanish/measures.txt" with { type: "text" };
import spanishNumerals from "./lexicon/spanish/numerals.txt" with { type: "text" };
import spanish from "./lexicon/spanish.txt" with { type: "text" };
import tempos from "./lexicon/tempos.txt" with { type: "text" };
import themes from "./lexicon/themes.txt" with { type: "text" };
import types from "./lexicon/types.txt" with { type: "text" };
import vocals from "./lexicon/vocals.txt" with { type: "text" };

/** One line of a lexicon file: the heads before the colon, and the forms after it. */
export type LexiconLine = { heads: readonly string[]; forms: readonly string[] };

/** Words for tags, in addition to their names and aliases, by tag category. */
export const TAG_WORDS = {
  genres: linesOf(genres),
  moods: linesOf(moods),
  instruments: linesOf(instruments),
  vocalTypes: linesOf(vocals),
  lyricThemes: linesOf(themes),
  audioTypes: linesOf(types),
  tempos: linesOf(tempos),
  eras: linesOf(eras),
  characters: linesOf(characters),
  movements: linesOf(movements),
} as const;

/** Scenes and uses with the tags that they suggest; a head is `Tag` (a mood or a movement) or `category/Tag`. */
export const SITUATIONS = linesOf(situations);

/** Widely known artists under the genre they are known for; `!` marks a name that is also an ordinary word. */
export const ARTISTS = linesOf(artists);

/** Words that mean a tag only in some contexts, under `alone`, `listed` or `music`. */
export const CAREFUL = linesOf(careful);

/** Phrases that contain a musical word but mean something else, under `ignore`. */
export const IDIOMS = linesOf(idioms);

/** Ordinary English words that look like a misspelt word of these files. */
export const ORDINARY_WORDS = linesOf(ordinary);

/** Common English words, which alone are no name. */
export const COMMON_WORDS = linesOf(common);

/** Studio shorthand under the words that it abbreviates. */
export const SHORTHAND = linesOf(shorthand);

/** Words of grammar and politeness, by language. */
export const SMALL_WORDS = linesOf(smallWords);

/** How words change, under `<language> endings` and `<language> joints`. */
export const GRAMMAR = linesOf(grammar);

/** Words of other languages under the English words that they mean. */
export const GLOSSARIES = {
  french: linesOf(french),
  german: linesOf(german),
  italian: linesOf(italian),
  portuguese: linesOf(portuguese),
  spanish: linesOf(spanish),
  dutch: linesOf(dutch),
  polish: linesOf(polish),
  russian: linesOf(russian),
  japanese: linesOf(japanese),
} as const;

/**
 * Words that say how the others are meant, by language and topic: numbers, units, comparisons, negations. Each form is
 * of the type `topic.head`, whatever its language; `src/brief/pattern.ts` describes the notation of forms.
 */
export const TYPED_WORDS = {
  english: {
    comparison: linesOf(comparison),
    correction: linesOf(correction),
    reference: linesOf(reference),
    key: linesOf(key),
    noArtist: linesOf(noArtist),
    spelling: linesOf(spelling),
    tongue: linesOf(tongue),
    filler: linesOf(filler),
    company: linesOf(company),
    voice: linesOf(voice),
    subject: linesOf(subject),
    strength: linesOf(strength),
    language: linesOf(language),
    era: linesOf(eraWords),
    length: linesOf(length),
    library: linesOf(library),
    fact: linesOf(englishFacts),
    negation: linesOf(negation),
    number: linesOf(number),
    tempo: linesOf(tempo),
    unit: linesOf(unit),
  },
  dutch: { ...byTopic(dutchMeasures), library: linesOf(dutchLibrary), fact: linesOf(dutchFacts) },
  french: { ...byTopic(frenchMeasures), library: linesOf(frenchLibrary), fact: linesOf(frenchFacts) },
  german: { ...byTopic(germanMeasures), library: linesOf(germanLibrary), fact: linesOf(germanFacts) },
  italian: { ...byTopic(italianMeasures), library: linesOf(italianLibrary), fact: linesOf(italianFacts) },
  polish: { ...byTopic(polishMeasures), library: linesOf(polishLibrary), fact: linesOf(polishFacts) },
  portuguese: {
    ...byTopic(portugueseMeasures),
    library: linesOf(portugueseLibrary),
    fact: linesOf(portugueseFacts),
  },
  russian: { ...byTopic(russianMeasures), library: linesOf(russianLibrary), fact: linesOf(russianFacts) },
  spanish: { ...byTopic(spanishMeasures), library: linesOf(spanishLibrary), fact: linesOf(spanishFacts) },
  /** Read in the brief as it was written, before its language is known. */
  any: { seed: linesOf(seeds), move: linesOf(moves) },
} as const;

/** Numbers in words, by language; `src/brief/numerals.ts` joins them. */
export const NUMERALS = {
  english: linesOf(englishNumerals),
  dutch: linesOf(dutchNumerals),
  french: linesOf(frenchNumerals),
  german: linesOf(germanNumerals),
  italian: linesOf(italianNumerals),
  polish: linesOf(polishNumerals),
  portuguese: linesOf(portugueseNumerals),
  russian: linesOf(russianNumerals),
  spanish: linesOf(spanishNumerals),
} as const;

/** Japanese words about the library: the language has no blanks between words, so they are found anywhere. */
export const JAPANESE_LIBRARY = linesOf(japaneseLibrary);

/**
 * Reads a lexicon file: `Head, Other Head: form, other form`; `#` begins a comment, blank lines part paragraphs.
 *
 * @throws Error when a line has no colon, or nothing on one side of it, which is a mistake in the file.
 */
export function linesOf(text: string): LexiconLine[] {
  return text.split("\n").flatMap((line, index) => {
    if (line.trim() === "" || line.startsWith("#")) return [];
    const colon = line.indexOf(": ");
    const [heads, forms] = [split(line.slice(0, colon)), split(line.slice(colon + 1))];
    if (colon < 1 || forms.length === 0)
      throw new Error(`Line ${index + 1} of a lexicon file has no forms: ${line}`);
    return [{ heads, forms }];
  });
}

/** Reads a file whose heads begin with their topic, `comparison.over: mehr als`, and returns its lines by topic. */
function byTopic(text: string): Readonly<Record<string, readonly LexiconLine[]>> {
  const lines = linesOf(text).map(({ heads: [first = "", ...others], forms }) => {
    const [topic = "", head = ""] = first.split(".");
    return { topic, heads: [head, ...others], forms };
  });
  return Object.groupBy(lines, ({ topic }) => topic) as Readonly<Record<string, readonly LexiconLine[]>>;
}

function split(list: string): string[] {
  return list
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}
