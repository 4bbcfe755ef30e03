import { Type } from "@sinclair/typebox";
import { Paging } from "../../../http/envelope.ts";
import { op } from "../../../http/operation.ts";
import {
  AnsweredQuestion,
  AnswerQuestion,
  FamilyQuestion,
  KeptQuery,
  KeptTrack,
  QuestionParams,
  QuestionsQuery,
  Total,
} from "./shapes.ts";

/** What compares tracks is loaded with the first request for questions. */
const service = () => import("./service.ts");

const tag = "Tracks";

/** What may belong together, and what was kept together by itself. */
export const kinshipOperations = [
  op({
    at: "GET /families/questions",
    id: "listFamilyQuestions",
    session: "read:tracks",
    input: { query: QuestionsQuery },
    tag,
    summary: "List tracks that may be of the song of another one, newest first",
    description:
      "Either their names or their sound says so. Where both do, a new track joins by itself. A question goes with its answer, and when " +
      "the track joins a set.",
    answer: Type.Array(FamilyQuestion),
    siblings: { paging: Paging, total: Total },
    refusals: ["track_not_found"],
    run: async (deps, { actor, query }) => (await service()).listQuestions(deps, actor.accountId, query),
  }),
  op({
    at: "POST /families/questions/:trackId/:otherId",
    id: "answerFamilyQuestion",
    session: "update:tracks",
    input: { params: QuestionParams, body: AnswerQuestion },
    tag,
    summary: "Say whether a track is of the song of another one",
    description: "`DELETE /api/v1/tracks/{trackId}/family` takes a *yes* back.",
    answer: AnsweredQuestion,
    refusals: ["track_not_found", "not_found", "family_full"],
    run: async (deps, { actor, params, body }) =>
      (await service()).answerQuestion(deps, { ownerId: actor.accountId, ...params, given: body }),
  }),
  op({
    at: "GET /families/kept",
    id: "listKeptTracks",
    session: "read:tracks",
    input: { query: KeptQuery },
    tag,
    summary: "List tracks that joined sets by themselves in the last 30 days, newest first",
    description:
      "Their names and their sound agreed. `DELETE /api/v1/tracks/{trackId}/family` takes one out again, and it stays out.",
    answer: Type.Array(KeptTrack),
    siblings: { paging: Paging },
    refusals: [],
    run: async (deps, { actor, query }) => (await service()).listKept(deps, actor.accountId, query),
  }),
];
