export { type AnsweredNotes, answerNotes, reopenNotes } from "./answer-many.ts";
export { updateComment } from "./answers.ts";
export { type CopiedNotes, copyNotes, dropCopies } from "./copied.ts";
export { deleteComment } from "./delete.ts";
export { type KeptNotes, keepNotes, restoreNotes } from "./kept.ts";
export {
  answersFor,
  findLinkNote,
  hasLinkNotes,
  listLinkRound,
  listLinkThread,
  playingLabels,
  type ThreadNote,
} from "./link-thread.ts";
export { addLinkComment, answerLinkNote } from "./links.ts";
export { listComments } from "./list.ts";
export { labelOf } from "./places.ts";
export { listReviewsBy, type ReviewRow } from "./review-queries.ts";
export { reviewByLink, reviewVersion } from "./reviews.ts";
export type { ShownComment } from "./shown.ts";
export { ANSWERED_MAIL_JOB, tellLinkAt } from "./tell-links.ts";
export { addComment } from "./write.ts";
