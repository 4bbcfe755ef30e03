import { type Interpretation, namesIn } from "../../../../brief/interpretation.ts";
import { keyName } from "../../../../kernel/musical-key.ts";
import { clockText } from "../../../../kernel/time.ts";
import { MAX_SUGGESTED_NAME } from "../shapes.ts";
import { OPEN_ENDS } from "../signals/ranges.ts";
import { moveText } from "./moves.ts";

const MAX_WORDS = 8;

/** Returns a playlist title such as "Dark Techno at 132 BPM", 1 to 120 characters. */
export function suggestedNameOf(query: string, brief: Interpretation): string {
  const subject = subjectOf(brief);
  const tail = tailOf(brief);
  const like = likeOf(brief);
  if (like) return capitalised(subject ? `${subject} ${like}` : like).slice(0, MAX_SUGGESTED_NAME);
  if (subject) return `${subject}${tail}`.slice(0, MAX_SUGGESTED_NAME);
  if (tail || brief.vocalPreference !== null)
    return `${plainNoun(brief.vocalPreference)}${tail}`.slice(0, MAX_SUGGESTED_NAME);
  return titleFrom(query);
}

/** "like Night Ferry, slower" */
function likeOf({ seeds, moves }: Interpretation): string | undefined {
  // An artist's name follows "in the Style of".
  if (!seeds.some(({ kind }) => kind === "track")) return undefined;
  return [`like ${seeds.map(({ name }) => name).join(" and ")}`, ...moves.map(moveText)].join(", ");
}

/** "Dark 1980s Synth-Pop", "Sad Piano", "Songs about Home". */
function subjectOf({ wanted, vocalPreference, referenceArtist }: Interpretation): string | undefined {
  const first = (category: Parameters<typeof namesIn>[1]) => namesIn(wanted, category)[0];
  const [mood, era, theme, genre] = [
    first("moods") ?? first("characters"),
    first("eras"),
    first("lyricThemes"),
    first("genres"),
  ];
  // Beside an artist's name an instrument says too little about the sound.
  const noun = genre ?? (referenceArtist ? undefined : first("instruments"));
  if (!noun && theme) return [mood, era, `Songs about ${theme}`].filter(isText).join(" ");
  if (!noun && !mood && !era) return undefined;
  const isSaid = (word: string) => noun?.toLowerCase().includes(word.toLowerCase()) ?? false;
  // "Instrumental" is informative only before a genre.
  const kind = genre && vocalPreference === "instrumental" ? "Instrumental" : undefined;
  const words = [mood, era, kind].filter(isText).filter((word) => !isSaid(word));
  return [...words, noun ?? plainNoun(vocalPreference)].join(" ");
}

function plainNoun(preference: Interpretation["vocalPreference"]): string {
  if (preference === null) return "Tracks";
  return preference === "instrumental" ? "Instrumentals" : "Songs";
}

const isText = (word: string | undefined): word is string => word !== undefined;

function tailOf({ bpmRange, key, referenceArtist }: Interpretation): string {
  if (referenceArtist) return ` in the Style of ${referenceArtist}`;
  if (bpmRange) return ` ${boundsText(bpmRange, OPEN_ENDS.bpm, { exact: "at ", text: String })} BPM`;
  return key ? ` in ${keyName(key)}` : "";
}

/** Writes a range of tempo: "120-130 BPM", "up to 100 BPM". */
export const tempoText = (range: readonly [number, number]): string =>
  `${boundsText(range, OPEN_ENDS.bpm, { exact: "", text: String })} BPM`;

/** Writes a range of lengths: "2:00-3:00", "up to 1:30". */
export const lengthText = (range: readonly [number, number]): string =>
  boundsText(range, OPEN_ENDS.seconds, { exact: "", text: clockText });

/** Writes a range in a sentence: "between 120 and 130", "at 132", "up to 100". */
export function boundsOf(
  [min, max]: readonly [number, number],
  unit: keyof typeof OPEN_ENDS,
  text: (value: number) => string,
): string {
  const [low, high] = [Math.round(min), Math.round(max)];
  if (low === high) return unit === "bpm" ? `at ${text(low)}` : text(low);
  if (low <= OPEN_ENDS[unit][0]) return `up to ${text(high)}`;
  return high >= OPEN_ENDS[unit][1] ? `from ${text(low)}` : `between ${text(low)} and ${text(high)}`;
}

type Wording = { exact: string; text: (value: number) => string };

/** Writes bounds as "120-130", "132", "up to 100" or "from 150": an end that the brief left open is not shown. */
function boundsText(
  [min, max]: readonly [number, number],
  open: readonly [number, number],
  { exact, text }: Wording,
): string {
  const [low, high] = [Math.round(min), Math.round(max)];
  if (low === high) return `${exact}${text(low)}`;
  if (low <= open[0]) return `up to ${text(high)}`;
  if (high >= open[1]) return `from ${text(low)}`;
  return `${exact}${text(low)}-${text(high)}`;
}

/** Returns the first words of the brief, without characters that do not belong in a title. */
function titleFrom(query: string): string {
  const words = query
    .replace(/[^\p{L}\p{N}\p{M}'&#\s-]/gu, " ")
    .trim()
    .split(/\s+/)
    .slice(0, MAX_WORDS);
  return capitalised(words.join(" ")).slice(0, MAX_SUGGESTED_NAME).trim() || "Search Results";
}

function capitalised(text: string): string {
  return text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
}
