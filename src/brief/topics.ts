import type { Reading } from "./match.ts";
import { spansOf } from "./reading.ts";
import type { Span } from "./text.ts";

/** A subject of at most three words. */
const SUBJECT = /^[\p{L}'-]+(?: [\p{L}'-]+){0,2}/u;

/**
 * Finds the subjects of talks and pictures ("a segment on grief", "an episode about anger"): the music need not have a
 * feeling named there.
 */
export function findTopics(reading: Reading): Span[] {
  return spansOf(reading, "subject.talk about").map(({ end }) => {
    const subject = SUBJECT.exec(reading.text.slice(end));
    return { start: end, end: end + (subject?.[0].length ?? 0) };
  });
}
