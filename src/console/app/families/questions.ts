import { api, dataOf } from "../api/client.ts";
import { type AnswerOf, changed, query } from "../api/queries.ts";
import { toast } from "../ui/toast.tsx";
import { asWords } from "./words.ts";

/** A track that may be of the song of another one. */
export type Question = AnswerOf<"/app/families/questions">["data"][number];

/** The largest number of questions that a page of the list has. */
const MAX_LISTED = 200;

/** Everything that may belong together, page by page. */
export const QUESTIONS = query(
  "/app/families/questions",
  { query: { limit: MAX_LISTED } },
  { tracks: "all", analysis: "all" },
);

/** The first of them, and how many there are. */
export const FIRST_QUESTION = query(
  "/app/families/questions",
  { query: { limit: 1 } },
  { tracks: "all", analysis: "all" },
);

/** What may belong together with a track. */
export const questionsOf = (trackId: string) =>
  query("/app/families/questions", { query: { trackId } }, { tracks: "all", analysis: "all" });

/** "Is this the instrumental of “Night Drive”?" */
export const askedIn = ({ otherTitle, ...question }: Question): string =>
  `Is this the ${asWords(question)} of “${otherTitle}”?`;

/** Has a track join the set of another one, as was asked. The toast has an "Undo". */
export async function sayYes({ id, title, otherId, otherTitle, ...question }: Question): Promise<void> {
  await answer(id, otherId, "yes");
  toast(`Kept “${title}” with “${otherTitle}” as its ${asWords(question)}.`, {
    undo: () => takeOut(id),
  });
}

/** Says that two tracks are of different songs: nobody asks again. */
export async function sayNo({ id, title, otherId, otherTitle }: Question): Promise<void> {
  await answer(id, otherId, "no");
  toast(`“${title}” is kept apart from “${otherTitle}”.`);
}

/** Answers a question. */
export async function answer(trackId: string, otherId: string, said: "yes" | "no"): Promise<void> {
  await dataOf(
    api.POST("/app/families/questions/{trackId}/{otherId}", {
      params: { path: { trackId, otherId } },
      body: { answer: said },
    }),
  );
  changed("tracks", [trackId, otherId]);
}

/** Takes a track out of its set, for good. */
export async function takeOut(trackId: string): Promise<void> {
  await dataOf(api.DELETE("/app/tracks/{trackId}/family", { params: { path: { trackId } } }));
  changed("tracks", null);
}
