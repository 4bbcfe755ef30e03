import { mapGenres } from "../../../../../db/taxonomy.ts";
import type { TagSuggestion } from "../../tags/shapes.ts";
import { degree, suggestion, weigh, within } from "./evidence.ts";
import type { Sound } from "./sound.ts";

/** Confidence of the file's own genre: the person who tagged the file had heard it. */
const FROM_FILE = 0.95;
const MOST = 3;

/** Returns the genres that a file names and the taxonomy contains. */
export function genresOfFile(texts: readonly string[] = []): TagSuggestion[] {
  return mapGenres(texts)
    .slice(0, MOST)
    .map(({ name }) => suggestion("genres", name, FROM_FILE));
}

/**
 * Returns what measurements alone can say about the genre. They recognise machine-made club music by its even beat and
 * level and its strong bass. Every other family of genres measures like its neighbours.
 */
export function genresOfSound({ beat, attacks, attacksPerSec, bass, rangeLu, bpm }: Sound): TagSuggestion[] {
  const evidence = [
    beat,
    degree(attacks, 0.9, 1.2),
    degree(attacksPerSec, 5, 6.5),
    degree(bass, 0.1, 0.17),
    degree(rangeLu, 4, 2),
    within(bpm, [112, 118], [138, 144]),
  ];
  return weigh("genres", [{ name: "Electronic", ceiling: 0.55, evidence }]);
}
