export { listAllRemembered, listIntakes, listRemembered } from "./list.ts";
export { takeFile } from "./take.ts";
export { transferIntakes } from "./transfer.ts";
export { undoIntake } from "./undo.ts";
export { takeUploaded } from "./uploaded.ts";
