export type { Offer } from "./decide.ts";
export { listIntakes, listRemembered, toRemembered } from "./list.ts";
export { selectRemembered } from "./queries.ts";
export { recallFile, type Taken, takeFile } from "./take.ts";
export { undoIntake } from "./undo.ts";
export { takeUploaded } from "./uploaded.ts";
