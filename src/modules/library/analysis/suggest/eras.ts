import { TAXONOMY } from "../../../../../db/taxonomy.ts";
import type { TagSuggestion } from "../../tags/shapes.ts";
import { suggestion } from "./evidence.ts";

/** Confidence of an era that the file's own genre names: "80s Pop", "Baroque". */
const FROM_FILE = 0.95;

/** Returns the text as words with a space before and after each, without apostrophes: "'80s Pop" is " 80s pop ". */
const wordsOf = (text: string): string =>
  ` ${text
    .toLowerCase()
    .replace(/['’]/g, "")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()} `;

const ERAS = TAXONOMY.eras.map(({ name, aliases = [] }) => ({ name, ways: [name, ...aliases].map(wordsOf) }));

/** Returns the eras that a file's genres name. How a recording sounds tells no era well enough; see record 0037. */
export function erasOfFile(genres: readonly string[] = []): TagSuggestion[] {
  const said = genres.map(wordsOf);
  return ERAS.filter(({ ways }) => ways.some((way) => said.some((words) => words.includes(way)))).map(
    ({ name }) => suggestion("eras", name, FROM_FILE),
  );
}
