import { Type } from "@sinclair/typebox";
import { Paging } from "../../../../http/envelope.ts";
import { op } from "../../../../http/operation.ts";
import { listAnswers, settleAnswer } from "./service.ts";
import { AnswerParams, AnswersQuery, OpenCount, SettleAnswer, ShareAnswer } from "./shapes.ts";

const tag = "Shares";

/** What recipients of links answer. */
export const answerOperations = [
  op({
    at: "GET /answers",
    id: "listAnswers",
    session: "read:shares",
    input: { query: AnswersQuery },
    tag,
    summary: "List what recipients of your links answered, newest first",
    description: "One answer per link and track: a new one replaces it and is open again.",
    answer: Type.Array(ShareAnswer),
    siblings: { paging: Paging, openCount: OpenCount },
    refusals: [],
    run: (deps, { actor, query }) => listAnswers(deps, actor.accountId, query),
  }),
  op({
    at: "PATCH /answers/:id",
    id: "settleAnswer",
    session: "update:shares",
    input: { params: AnswerParams, body: SettleAnswer },
    tag,
    summary: "Say that you are done with an answer, or open it again",
    answer: ShareAnswer,
    refusals: ["answer_not_found"],
    run: (deps, { actor, params, body }) => settleAnswer(deps, actor.accountId, params.id, body),
  }),
];
