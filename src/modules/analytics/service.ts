export { dashboard } from "./dashboard.ts";
export { createDownloadCounter } from "./downloads.ts";
export { entityStats, topEntities } from "./entities.ts";
export {
  type Activity,
  listShareActivity,
  recordActivity,
  type ShareActivity,
  userActor,
} from "./record.ts";
