import { sizeInWords } from "./text.ts";
import { DAY_MS } from "./time.ts";

/** Limits that several parts have in common. Those of one module are in its `shapes.ts`. */

/** The largest audio file, however it comes. */
export const MAX_FILE_BYTES = 2 ** 30;
export const MAX_FILE_SIZE = sizeInWords(MAX_FILE_BYTES);

/** Most bytes of a JSON body (specification section 8), and of one field of a form. */
export const JSON_LIMIT_BYTES = 10 * 2 ** 20;
export const MAX_FIELD_BYTES = 2 ** 20;
/** Most bytes of a form without files. */
export const FORM_LIMIT_BYTES = 64 * 2 ** 10;
/** The most that one page of a listing has, and what it has unless asked. */
export const MAX_PAGE = 200;
export const USUAL_PAGE = 50;
/** Characters of a time or a day. */
export const MAX_TIME = 40;
/** How long the answer to an Idempotency-Key is kept, and the longest such key. */
export const IDEMPOTENCY_HOURS = 24;
export const MAX_IDEMPOTENCY_KEY = 255;

/** Characters of the words of a song, and how many lines have times. */
export const MAX_LYRICS = 100_000;
export const MAX_LYRIC_LINES = 3000;
/** The latest that a line is sung: a day. */
export const MAX_LYRIC_MS = DAY_MS;
