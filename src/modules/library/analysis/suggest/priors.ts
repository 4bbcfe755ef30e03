import type { HeardPassages } from "../../../../ears/places.ts";
import type { TagSuggestion } from "../../tags/shapes.ts";
import { isForEars, tagsHeard, unsaid } from "../tagger/heard.ts";
import { impliedBy, instrumentsHeard } from "../tagger/instruments.ts";
import { tagsTaught } from "../tagger/tagger.ts";
import type { FileInfo } from "../task.ts";
import { charactersOfSound } from "./characters.ts";
import { erasOfFile } from "./eras.ts";
import { genresOfFile, genresOfSound } from "./genres.ts";
import { moodsOfSound, moodsUnderEars } from "./moods.ts";
import { movementsOfSound } from "./movements.ts";
import { type Measurements, soundOf } from "./sound.ts";
import { typesNamed } from "./types.ts";
import { vocalsHeard, vocalsOfSound } from "./vocals.ts";

/** Shorter recordings are sounds, stings and loops: they get no mood or movement. */
const LEAST_MUSIC_SECONDS = 12;

/** What suggestions are made from. */
export type SuggestionBasis = {
  /** The result of `summarise` in src/audio. */
  features: Readonly<Record<string, number>>;
  analysis: Measurements;
  /** The file's own tags. */
  embedded: Pick<FileInfo["tags"], "title" | "genres">;
  filename: string;
  /** The result of `describe` in src/audio; null for silence. */
  descriptors: Float32Array | null;
  /** What `createEars` of src/ears heard; null for silence, short sounds, and tracks that were analysed before. */
  heard: Float32Array | null;
  /** What was heard in each passage of the whole recording; left out until the server has had the time to. */
  passages?: HeardPassages;
};

/**
 * Returns the tags expected on a recording before any learning: every tag that has a rule, with the rule's confidence,
 * what the file and its title say, what the ears heard and, where they have not listened, what the small tagger is sure of. Tags that none of these
 * can detect are left out (themes) or, like vocals that only the syllables tell, too uncertain to suggest.
 */
export function priorsOf(basis: SuggestionBasis): TagSuggestion[] {
  const surest = new Map<string, TagSuggestion>();
  for (const tag of [...named(basis), ...heardOf(basis)]) {
    const key = `${tag.category} ${tag.id}`;
    if (tag.confidence > (surest.get(key)?.confidence ?? -1)) surest.set(key, tag);
  }
  return [...surest.values()];
}

/** Returns what the file and its title say. */
function named({ embedded, filename }: SuggestionBasis): TagSuggestion[] {
  const types = typesNamed([embedded.title ?? "", filename]);
  return [...genresOfFile(embedded.genres), ...erasOfFile(embedded.genres), ...types];
}

/** Returns what the sound says; of genres nothing if the file names one, and nothing at all of sounds and stings. */
function heardOf(basis: SuggestionBasis): TagSuggestion[] {
  const { analysis, embedded, descriptors, heard, passages } = basis;
  if (analysis.durationSec < LEAST_MUSIC_SECONDS) return [];
  const rules = ruled(basis);
  const taught = descriptors ? tagsTaught(descriptors) : [];
  const all =
    heard && descriptors
      ? underEars(heardBy(heard, descriptors, passages), [...rules, ...taught.map(unsaid)])
      : [...rules, ...taught];
  const hasGenre = genresOfFile(embedded.genres).length > 0;
  return all.filter(({ category }) => category !== "genres" || !hasGenre);
}

/** Returns what the ears are asked about, and what that implies. */
function heardBy(
  heard: Float32Array,
  descriptors: Float32Array,
  passages: HeardPassages | undefined,
): TagSuggestion[] {
  const tags = [...tagsHeard(heard, descriptors), ...instrumentsHeard(heard, passages)];
  return [...tags, ...impliedBy(tags)];
}

/** From this confidence on, somebody speaks and no drums play: the evidence is that nothing has a beat or a scale. */
const SPEAKS_ALONE = 0.4;
/** A choir need not be certain for music to be called instrumental no more. */
const MAY_BE_CHOIR = 0.3;

/**
 * Returns what the ears say, and of the rest what they do not contradict: a choir is no instrumental. Consonants of somebody who
 * speaks alone are no drums.
 */
function underEars(ears: readonly TagSuggestion[], rest: readonly TagSuggestion[]): TagSuggestion[] {
  const speaksAlone = rest.some(
    ({ name, confidence }) => name === "Spoken Word" && confidence >= SPEAKS_ALONE,
  );
  const hasVoices = ears.some(
    ({ category, name, confidence }) =>
      category === "vocals" || (name === "Choir" && confidence >= MAY_BE_CHOIR),
  );
  const isContradicted = ({ category, name }: TagSuggestion) =>
    hasVoices && category === "vocals" && name === "Instrumental";
  return [
    ...ears.filter(({ name }) => !(speaksAlone && name === "Drums")),
    ...rest.filter((tag) => !isForEars(tag) && !isContradicted(tag)),
  ];
}

function ruled({ features, analysis, heard }: SuggestionBasis): TagSuggestion[] {
  const sound = soundOf(features, analysis);
  if (!sound) return [];
  return [
    ...genresOfSound(sound),
    ...(heard ? moodsUnderEars(moodsOfSound(sound), heard) : moodsOfSound(sound)),
    ...movementsOfSound(sound),
    ...charactersOfSound(sound),
    ...(heard ? vocalsHeard(heard, features) : vocalsOfSound(features.voiceLikelihood)),
  ];
}
