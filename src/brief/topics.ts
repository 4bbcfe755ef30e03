import { type Span, spanOf } from "./text.ts";

/** What is said or shown over the music has a subject of its own: "a segment on grief", "an episode about anger". */
const TALK =
  /\b(?:segments?|episodes?|meditations?|talks?|chapters?|articles?|essays?|interviews?|discussions?|lectures?|workshops?|webinars?|panels?|podcasts?|documentar(?:y|ies)|docs?|exhibitions?|exhibits?|piece to camera) (?:on|about)\s+(?=\p{L})/gu;
const WORDS_OF_SUBJECT = 3;

/** Finds the subjects of talks and pictures: a feeling named there is not one that the music should have. */
export function findTopics(plain: string): Span[] {
  return [...plain.matchAll(TALK)].map((match) => {
    const { end } = spanOf(match);
    const subject = new RegExp(`^[\\p{L}'-]+(?: [\\p{L}'-]+){0,${WORDS_OF_SUBJECT - 1}}`, "u").exec(
      plain.slice(end),
    );
    return { start: end, end: end + (subject?.[0].length ?? 0) };
  });
}
