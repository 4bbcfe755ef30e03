export { dashboard } from "./dashboard.ts";
export { deleteActivityOf } from "./deletion.ts";
export { createDownloadCounter } from "./downloads.ts";
export { entityStats, topEntities } from "./entities.ts";
export { isListen, LISTENED_RULE } from "./listened.ts";
export { readBounds, refuseReversed } from "./range.ts";
export {
  type Activity,
  type LeftOut,
  listShareActivity,
  listVisitorActivity,
  noteHeard,
  recordActivity,
  type ShareActivity,
  settleActivity,
  userActor,
} from "./record.ts";
export {
  listShareEvents,
  listSharesOfTrack,
  listUnusedShares,
  type ShareEvent,
  usesOfShares,
} from "./share-rows.ts";
export { sumShares } from "./share-sums.ts";
export { transferActivity } from "./transfer.ts";
export {
  countActivity,
  countLeftOut,
  countsByDay,
  type DayCount,
  firstActiveDay,
  type ListenRow,
  listListens,
  type Span,
} from "./trends.ts";
