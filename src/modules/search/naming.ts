import { type Interpretation, namesIn } from "./brief/interpretation.ts";
import { languageName } from "./languages.ts";
import { keyName } from "./musical-key.ts";

const MAX_NAME = 120;
const MAX_WORDS = 8;

/** Returns the reading of a brief as one sentence; a plain statement when nothing was understood. */
export function summaryOf(brief: Interpretation): string {
  if (!brief.briefParsed) return "Nothing in the brief was recognised; ranked by its words.";
  const what = [...describeSound(brief), ...describeMeasures(brief)].join(", ");
  const unwanted = brief.unwanted.flatMap(({ tags }) => tags[0]?.entry.name ?? []);
  const without =
    unwanted.length > 0 ? `${what ? ", not " : "Not "}${[...new Set(unwanted)].join(", ")}` : "";
  return `${capitalised(what)}${without}.`;
}

/** Returns a playlist title such as "Dark Techno at 132 BPM", 1 to 120 characters. */
export function suggestedNameOf(query: string, brief: Interpretation): string {
  const mood = namesIn(brief.wanted, "moods").at(0) ?? namesIn(brief.wanted, "characters").at(0);
  const genre = namesIn(brief.wanted, "genres").at(0);
  const era = namesIn(brief.wanted, "eras").at(0);
  const instrument = namesIn(brief.wanted, "instruments").at(0);
  const theme = namesIn(brief.wanted, "lyricThemes").at(0);
  const noun =
    genre ??
    instrument ??
    (mood || era ? (brief.vocalPreference === "instrumental" ? "Instrumentals" : "Tracks") : undefined);
  const words =
    noun && [mood === noun ? undefined : mood, era, noun].filter((word) => word !== undefined).join(" ");
  const subject = words ?? (theme ? `Songs about ${theme}` : undefined);
  const tail = tailOf(brief);
  if (subject) return `${subject}${tail}`.slice(0, MAX_NAME);
  if (tail) return `Tracks${tail}`.slice(0, MAX_NAME);
  return titleFrom(query);
}

function tailOf({ bpmRange, key, referenceArtist }: Interpretation): string {
  if (referenceArtist) return ` in the Style of ${referenceArtist}`;
  if (bpmRange) return ` at ${rangeText(bpmRange)} BPM`;
  return key ? ` in ${keyName(key)}` : "";
}

function describeSound({ wanted, vocalPreference, referenceArtist, language }: Interpretation): string[] {
  const categories = ["moods", "characters", "movements", "eras", "genres"] as const;
  const words = categories.flatMap((category) => namesIn(wanted, category).slice(0, 3));
  const instruments = namesIn(wanted, "instruments");
  const themes = namesIn(wanted, "lyricThemes");
  return [
    [...new Set(words)].join(" "),
    instruments.length > 0 ? `with ${instruments.join(" and ")}` : "",
    themes.length > 0 ? `about ${themes.join(" and ")}` : "",
    vocalPreference === "vocal" ? "with vocals" : vocalPreference === "instrumental" ? "without vocals" : "",
    language ? `in ${languageName(language)}` : "",
    referenceArtist ? `like ${referenceArtist}` : "",
  ].filter((part) => part !== "");
}

function describeMeasures({ bpmRange, durationRange, key, keyMode, energy }: Interpretation): string[] {
  return [
    bpmRange ? `${rangeText(bpmRange)} BPM` : "",
    durationRange ? `${rangeText(durationRange)} seconds` : "",
    key ? `in ${keyName(key)}` : keyMode ? `in a ${keyMode} key` : "",
    energy === null ? "" : `energy ${Math.round(energy * 100)}%`,
  ].filter((part) => part !== "");
}

function rangeText([min, max]: readonly [number, number]): string {
  const [low, high] = [Math.round(min), Math.round(max)];
  return low === high ? String(low) : `${low}-${high}`;
}

/** The first words of the brief, without what breaks a title. */
function titleFrom(query: string): string {
  const words = query
    .replace(/[^\p{L}\p{N}\p{M}'&#\s-]/gu, " ")
    .trim()
    .split(/\s+/)
    .slice(0, MAX_WORDS);
  return capitalised(words.join(" ")).slice(0, MAX_NAME).trim() || "Search Results";
}

function capitalised(text: string): string {
  return text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
}
