import { type Interpretation, namesIn, type Wish } from "../../../../brief/interpretation.ts";
import type { TaxonomyTag } from "../../../../brief/meaning.ts";
import type { Move } from "../../../../brief/moves.ts";
import { factOfOrder, isFactOrder } from "../../../../kernel/facts.ts";
import { languageName } from "../../../../kernel/languages.ts";
import { keyName } from "../../../../kernel/musical-key.ts";
import { clockText } from "../../../../kernel/time.ts";
import { strangerTexts, unaskedTexts } from "../facts/texts.ts";
import { movesText, moveText } from "./moves.ts";
import { boundsOf } from "./naming.ts";
import { filterTexts, orderText } from "./stated.ts";

/** The outcome of a search that its summary describes. */
export type Outcome = {
  count: number;
  /** Tracks that met every constraint. */
  left: number;
  /** Analysed tracks of the account. */
  tracks: number;
  moved?: MovedFrom;
};

/** What became of the comparatives of a brief. */
export type MovedFrom = {
  /** What they compare with: "Night Ferry", "the average of Night Ferry and Slow Tide". */
  name: string;
  /** How many tracks follow all that could be measured, and whether these are enough to be the only results. */
  following: number;
  isEnough: boolean;
  measured: readonly Move[];
  unmeasured: readonly Move[];
};

const MOST_NAMES = 3;
const FEELINGS = ["moods", "characters", "movements"] as const;
/** Words of tags that keep their capital inside a sentence. */
const PROPER = new Set(
  [
    "African Afro American Americana Asian Balkan Bollywood British Caribbean Celtic Chicago Christian Christmas Cubano",
    "Detroit Dixieland East Eastern Ethio French Goa Hammond Hawaiian Indian Italo Jersey Latin Mexican Middle Motown",
    "Native Northern Philly Rhodes Southern West Western Wurlitzer",
  ]
    .join(" ")
    .split(" "),
);

/** Sums up a search in one sentence that a person would write, and says when nothing came of it. */
export function summaryOf(brief: Interpretation, outcome?: Outcome): string {
  const isUnaskedOnly = brief.unasked !== undefined && brief.said.every(({ about }) => about === "unasked");
  const said = isUnaskedOnly
    ? []
    : [brief.briefParsed ? `${capitalised(sentenceOf(brief))}.` : plainSummary(brief, outcome)];
  const sentence = [...said, ...unaskedTexts(brief.unasked), ...strangers(brief)].join(" ");
  if (isUnaskedOnly) return sentence;
  if (!outcome || outcome.count > 0) return [sentence, ...movedTexts(outcome?.moved)].join(" ");
  if (outcome.tracks === 0) return `${sentence} There is no analysed music to search yet.`;
  return brief.briefParsed && outcome.left > 0 ? `${sentence} Nothing in the library fits.` : sentence;
}

/** Says where too few tracks follow the comparatives, and which of them nothing can be measured by. */
function movedTexts(moved: MovedFrom | undefined): string[] {
  if (!moved) return [];
  const { name, following, isEnough, measured, unmeasured } = moved;
  const asked = `${movesText(measured)}${measured.every(isComparative) ? ` than ${name}` : ""}`;
  const few = following === 1 ? "Only one track is" : `Only ${following} tracks are`;
  return [
    ...(isEnough
      ? []
      : [
          following === 0
            ? `No track is ${asked}: these come nearest.`
            : `${few} ${asked}; the others come behind.`,
        ]),
    ...(unmeasured.length > 0
      ? [`“${movesText(unmeasured)}” is left out, for ${name} has no such measurement.`]
      : []),
  ];
}

const isComparative = ({ dimension, way }: Move) => dimension !== "key" && way !== "same";

/** Says what became of a query that none of the readers understood. */
function plainSummary({ unread, isOpen }: Interpretation, outcome?: Outcome): string {
  const words = unread.slice(0, MOST_NAMES).map(({ written }) => `“${written}”`);
  const named = unread.length > words.length ? `${words.join(", ")} and more` : listed(words);
  if (words.length === 0)
    return isOpen || (outcome?.count ?? 0) > 0
      ? "Everything, newest first."
      : "The query says nothing that tracks could be found by.";
  return outcome && outcome.count === 0
    ? `Nothing in the query was understood, and no name or text in the library has ${named}.`
    : `Looked for ${named} in names and texts.`;
}

function sentenceOf(brief: Interpretation): string {
  const { wanted, references, filters, ordering, language } = brief;
  const tempos = brief.bpmRange ? [] : names(wanted, "tempos");
  const feelings = FEELINGS.flatMap((category) => names(wanted, category).slice(0, MOST_NAMES));
  const themes = names(wanted, "lyricThemes");
  const seeds = brief.seeds.map(({ name }) => name);
  const noun = nounOf(brief);
  // "Epic epic orchestral": what the genre says is not said before it.
  const isSaid = (word: string) => ` ${noun} `.includes(` ${word} `);
  const adjectives = [...new Set([...tempos, ...feelings])].filter((word) => !isSaid(word)).join(", ");
  const others = references.filter(({ name }) => !seeds.includes(name));
  const clauses = [
    adjectives,
    names(wanted, "eras")
      .filter((era) => !isSaid(era))
      .join(" "),
    // "Like Night Ferry, slower": beside a seed, "music" says nothing.
    seeds.length > 0 && adjectives === "" && PLAIN_NOUNS.includes(noun) ? "" : noun,
    seeds.length > 0 ? `like ${listed(seeds)}` : "",
    withText(brief),
    themes.length > 0 ? `about ${listed(themes)}` : "",
    ...measuresOf(brief),
    language ? `sung in ${languageName(language)}` : "",
    brief.line === null ? "" : `with the words “${brief.line.trim()}”`,
    brief.vocalPreference === "instrumental" ? "without vocals" : "",
    others.length > 0 ? `like ${listed(others.map(({ name }) => name))}` : "",
  ].filter((clause) => clause !== "");
  const conditions = Object.values(filterTexts(filters));
  return [
    // "Dark music sent to Bo"; several follow one after the other.
    ...(conditions.length > 1 ? [clauses.join(" "), ...conditions] : [[...clauses, ...conditions].join(" ")]),
    ...brief.moves.map(moveText),
    ...unwantedOf(brief),
    ...(ordering ? [orderText(ordering)] : []),
  ].join(", ");
}

/** "techno and house", otherwise "music", or "tracks" where nothing is said about the sound. */
/** Says whom nobody is called like, of the conditions and of the order. */
function strangers({ filters: { facts = [] }, ordering }: Interpretation): string[] {
  const { by, person } = ordering ?? {};
  const ordered =
    by !== undefined && isFactOrder(by) && person ? [{ fact: factOfOrder(by).fact.name, person }] : [];
  return strangerTexts([...facts, ...ordered]);
}

function nounOf({ wanted, unwanted, filters, ordering, ...rest }: Interpretation): string {
  const genres = names(wanted, "genres").slice(0, MOST_NAMES);
  const nouns = genres.length > 0 ? genres : names(wanted, "audioTypes").slice(0, 1);
  if (nouns.length > 0) return listed(nouns);
  const { bpmRange, durationRange, key, keyMode, vocalPreference, language, references } = rest;
  const measures = [bpmRange, durationRange, key, keyMode, vocalPreference, language, rest.energy];
  const isMusic =
    wanted.length + unwanted.length + references.length > 0 || measures.some((each) => each !== null);
  return isMusic ? "music" : "tracks";
}

const PLAIN_NOUNS: readonly string[] = ["music", "tracks"];

function withText({ wanted, vocalPreference, said }: Interpretation): string {
  const voices = names(wanted, "vocalTypes").filter((name) => name !== "instrumental");
  const sung = vocalPreference === "vocal" && voices.length === 0 ? ["vocals"] : [];
  const energy = said.flatMap(({ about, name }) => (about === "energy" && name ? [`${name} energy`] : []));
  const things = [...names(wanted, "instruments"), ...voices, ...sung, ...new Set(energy)];
  return things.length > 0 ? `with ${listed(things)}` : "";
}

function measuresOf({ bpmRange, durationRange, key, keyMode }: Interpretation): string[] {
  return [
    key ? `in ${keyName(key)}` : keyMode ? `in a ${keyMode} key` : "",
    bpmRange ? `${boundsOf(bpmRange, "bpm", String)} BPM` : "",
    durationRange ? `${boundsOf(durationRange, "seconds", clockText)} long` : "",
  ];
}

/** "not sad", "no drums or brass" */
function unwantedOf({ unwanted }: Interpretation): string[] {
  const isFeeling = ({ tags }: Wish) =>
    tags.some(({ category }) => category === "tempos" || FEELINGS.some((each) => each === category));
  const first = (wishes: readonly Wish[]) => [
    ...new Set(wishes.flatMap(({ tags }) => (tags[0] ? [lower(tags[0].entry.name)] : []))),
  ];
  const [feelings, things] = [
    first(unwanted.filter(isFeeling)),
    first(unwanted.filter((wish) => !isFeeling(wish))),
  ];
  return [
    ...(feelings.length > 0 ? [`not ${listed(feelings, "or")}`] : []),
    ...(things.length > 0 ? [`no ${listed(things, "or")}`] : []),
  ];
}

const names = (wishes: readonly Wish[], category: TaxonomyTag["category"]): string[] =>
  namesIn(wishes, category).map(lower);

/** Returns a tag's name as it is written inside a sentence: "drum & bass", "UK garage", "Latin jazz". */
function lower(name: string): string {
  return name.replace(/[\p{L}\d&]+/gu, (word) =>
    PROPER.has(word) || /^(?:[B-Z]|[\p{Lu}\d&]{2,})$/u.test(word) ? word : word.toLowerCase(),
  );
}

/** "a, b and c" */
function listed(items: readonly string[], joint = "and"): string {
  const last = items.at(-1) ?? "";
  return items.length < 2 ? last : `${items.slice(0, -1).join(", ")} ${joint} ${last}`;
}

const capitalised = (text: string): string => text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
