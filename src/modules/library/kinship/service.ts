export { answerQuestion, listKept, listQuestions } from "./questions.ts";
export type { RelatePool } from "./task.ts";
