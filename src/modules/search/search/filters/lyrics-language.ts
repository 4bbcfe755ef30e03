import { franc } from "franc-min";
import type { Db } from "../../../../../db/client.ts";
import { languageCode } from "../../../../kernel/languages.ts";
import { languageNumber, UNREAD_LYRICS } from "../index/codes.ts";
import type { Shard } from "../index/shard.ts";
import { selectLyrics } from "../queries.ts";
import { plainWords } from "./words.ts";

/** With fewer different words than this in a Latin script, lyrics are too often just "la la la". */
const MIN_LATIN_WORDS = 9;
const MIN_CHARACTERS = 10;
const TEXTS_AT_ONCE = 500;

/**
 * Returns the ISO 639-1 code of the language of lyrics, judged by their script and trigrams, or undefined when they
 * have too few words. Each word counts once: a refrain says no more about the language than its first line.
 */
export function detectLanguage(lyrics: string): string | undefined {
  const words = [...new Set(plainWords(lyrics))];
  const isLatin = /\p{Script=Latin}/u.test(lyrics);
  if (isLatin && words.length < MIN_LATIN_WORDS) return undefined;
  const code = franc(words.join(" "), { minLength: MIN_CHARACTERS });
  return code === "und" ? undefined : languageCode(code);
}

/**
 * Detects the language of the lyrics of slots without a written language, once per slot. A detection costs 40
 * microseconds, so only searches that ask for a language pay for it.
 */
export function readLyrics(db: Db, { columns, ownerId }: Shard, slots: Uint32Array): void {
  const unread = slots.filter((slot) => columns.language[slot] === UNREAD_LYRICS);
  for (let at = 0; at < unread.length; at += TEXTS_AT_ONCE) {
    const some = unread.subarray(at, at + TEXTS_AT_ONCE);
    const lyrics = selectLyrics(
      db,
      ownerId,
      Array.from(some, (slot) => columns.seq[slot] ?? 0),
    );
    for (const slot of some)
      columns.language[slot] = languageNumber(detectLanguage(lyrics.get(columns.seq[slot] ?? 0) ?? ""));
  }
}
