export type { Offer } from "./decide.ts";
export { listAllRemembered, listIntakes, listRemembered } from "./list.ts";
export { recallFile, type Taken, takeFile } from "./take.ts";
export { undoIntake } from "./undo.ts";
export { takeUploaded } from "./uploaded.ts";
