import { fold } from "../../../../kernel/text.ts";

/** A word of a name: compared in its folded form, looked up in the text index as it is spelled. */
export type NameWord = { text: string; spelling: string; start: number; end: number };

/** Letters that are typed without their stroke or as two letters, and that Unicode does not decompose. */
const PLAIN: Readonly<Record<string, string>> = {
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  ı: "i",
  ħ: "h",
  ß: "ss",
  æ: "ae",
  œ: "oe",
  þ: "th",
};
const WITH_STROKE = new RegExp(`[${Object.keys(PLAIN).join("")}]`, "g");
/** An apostrophe belongs to its word: "don't" is "dont". */
const WORD = /[\p{L}\p{N}\p{M}]+(?:['’ʼ][\p{L}\p{N}\p{M}]+)*/gu;
const EXTENSION = /\.(?:wav|wave|mp3|flac|ogg|oga|opus|m4a|mp4|aac|alac|aiff?|aifc|wma|caf|midi?|webm)$/i;
/** Longer runs of letters are not typed words. */
const MAX_LETTERS = 40;

/** Returns a word without case, accents and apostrophes. */
export function foldWord(word: string): string {
  return fold(word)
    .replace(/['’ʼ]/g, "")
    .replace(WITH_STROKE, (letter) => PLAIN[letter] ?? letter);
}

/** Returns the words of a name, with their places. */
export function nameWords(name: string): NameWord[] {
  return [...name.matchAll(WORD)].flatMap(({ 0: spelling, index }) => {
    const text = foldWord(spelling);
    if (text === "" || text.length > MAX_LETTERS) return [];
    return [{ text, spelling: spelling.toLowerCase(), start: index, end: index + spelling.length }];
  });
}

/** Returns a file's name without the extension of a format of sound. */
export function withoutExtension(name: string): string {
  return name.replace(EXTENSION, "");
}
