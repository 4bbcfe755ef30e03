import { fold } from "../../kernel/text.ts";

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(" "));

/** Words that say which state of a piece a file holds, and not which piece. A number may follow: `v7`, `mix3b`. */
const STATE = setOf(
  "v ver vers version rev mix mixdown premix rough final master mastered premaster bounce bounced render rendered export exported draft wip demo copy",
);
/** Words that say so only beside one of the above: `final new`, but not `Something New`. */
const BESIDE_STATE = setOf(
  "new newest latest last loud louder alt edit fix fixed update updated take print stereo ref hd hq 16bit 24bit 32bit 44k 48k 88k 96k 44khz 48khz 88khz 96khz",
);
const NUMBER = /^\d{1,3}[a-d]?$/;
/** Names that programs give by themselves. Files with such a name are not versions of one piece. */
const GENERIC = setOf(
  "a and audio beat bounce demo export file final idea loop master memo mix new of project recording render rough session song sound stem take test the track unknown untitled voice",
);
const ENDING =
  /\.(wav|wave|w64|aiff?|aifc|flac|mp[23]|m4a|mp4|aac|ogg|oga|opus|caf|wv|wma|au|snd|ac3|tta|dsf|ape)$/i;
const DATE = /(?<!\d)(20\d\d[-_. ]?[01]\d[-_. ]?[0-3]\d|[0-3]?\d[-_.][01]?\d[-_.](20)?\d\d)(?!\d)/g;
/** `01 `, `1. ` or `1 - ` in front of a name, and ` (2)` behind it. */
const PLACE = /^(0\d[\s_.-]+|\d{1,3}(\.\s*|\s*-\s+))(?=\D)/;
const COPY = /\s*\(\d{1,2}\)$/;

/** What a name says of a piece: its words, and the artist where the name says who it is. */
export type NameKey = { title: string; artist?: string };

/**
 * Returns what a name keeps when everything is left out that only says which version it is: `Night Bus (final mix 3)`,
 * `night_bus_v7.wav` and `2026-11-22 Night Bus bounce` are all `night bus`. `Mara - Night Bus` is that, and `night bus` by
 * Mara. Names that could be anything's have no key.
 */
export function nameKeys(name: string): NameKey[] {
  const bare = name.replace(ENDING, "").replace(COPY, "").replace(DATE, " ").trim().replace(PLACE, "");
  const [, artist, rest] = /^(.+?)\s+[-–—]\s+(.+)$/.exec(bare) ?? [];
  const [whole, title] = [titleKey(bare), rest === undefined ? undefined : titleKey(rest)];
  return [
    ...(whole === undefined ? [] : [{ title: whole }]),
    ...(artist === undefined || title === undefined ? [] : [{ title, artist: artistKey(artist) }]),
  ];
}

/** Returns an artist's name as {@link nameKeys} writes it. */
export const artistKey = (artist: string): string => wordsOf(artist).join(" ");

function titleKey(text: string): string | undefined {
  const words = withoutState(wordsOf(text));
  const title = words.join(" ");
  const isGeneric = words.every((word) => GENERIC.has(word) || /^\d+$/.test(word));
  return isGeneric || title.length < 3 ? undefined : title;
}

function withoutState(words: readonly string[]): readonly string[] {
  let [from, hasState] = [words.length, false];
  while (from > 1) {
    const [word = "", before = ""] = [words[from - 1], words[from - 2]];
    if (isState(word)) hasState = true;
    else if (!isOneOf(BESIDE_STATE, word) && !(NUMBER.test(word) && isState(before))) break;
    from--;
  }
  return hasState ? words.slice(0, from) : words;
}

const isState = (word: string) => isOneOf(STATE, word);

/** True for one of the words, or one with a number behind it. */
const isOneOf = (words: ReadonlySet<string>, word: string) =>
  words.has(word) || words.has(word.replace(/\d{1,3}[a-d]?$/, ""));

const wordsOf = (text: string): string[] =>
  fold(text)
    .replace(/['’]/g, "")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
