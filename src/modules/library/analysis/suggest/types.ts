import type { TagSuggestion } from "../../tags/shapes.ts";
import { suggestion } from "./evidence.ts";

/** Words that people use in file names, and the type that each means; the sound itself does not show the type. */
const TYPE_WORDS: readonly [words: RegExp, type: string][] = [
  [/\b(?:instrumental|no vo(?:x|cals?)|tv track|minus one)\b/i, "Instrumental Version"],
  [/\b(?:a ?c+app?ella|vocals? only)\b/i, "A Cappella Version"],
  [/\b(?:full mix|main mix|final mix|final master|full version)\b/i, "Full Mix"],
  [/\bclean (?:version|edit|mix)\b/i, "Clean Version"],
  [/\b(?:radio|single) (?:edit|mix|version)\b/i, "Radio Edit"],
  [/\b(?:extended|club) (?:mix|version)\b/i, "Extended Mix"],
  [/\b(?:remix|rmx|bootleg|vip mix)\b/i, "Remix"],
  [/\b(?:acoustic|unplugged|stripped) (?:version|mix|take|session)\b/i, "Acoustic Version"],
  [/\blive (?:version|session|recording|take|at)\b/i, "Live Recording"],
  [/\bdemo\b/i, "Demo"],
  [/\b(?:rough mix|rough|wip|work in progress|unmastered)\b/i, "Rough Mix"],
  [/\b(?:voice memo|voice note)\b/i, "Voice Memo"],
  [/\b(?:type beat|beat (?:idea|\d+)|beats)\b/i, "Beat"],
  [/\btop ?line\b/i, "Topline"],
  [/\bunderscore\b/i, "Underscore"],
  [/\b(?:cut ?down|(?:15|30|60) ?s(?:ec|econds?)? (?:edit|cut|version))\b/i, "Cutdown"],
  [/\b(?:sting(?:er)?|jingle|sonic logo)\b/i, "Sting"],
  [/\bstems?\b/i, "Stem"],
  [/\bloop\b/i, "Loop"],
  [/\bone ?shot\b/i, "One-Shot"],
  [/\b(?:interlude|skit)\b/i, "Interlude"],
];
const FROM_NAME = 0.7;
const MOST = 2;

/** Returns the types that a track's title or file name names. */
export function typesNamed(names: readonly string[]): TagSuggestion[] {
  // In file names, underscores, hyphens and dots stand for spaces.
  const text = names.join(" / ").replace(/[_\-.()[\]]+/g, " ");
  return TYPE_WORDS.filter(([words]) => words.test(text))
    .slice(0, MOST)
    .map(([, type]) => suggestion("types", type, FROM_NAME));
}
