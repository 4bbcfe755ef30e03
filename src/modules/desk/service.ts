export { forgetUndos } from "./bulk.ts";
export { addDemo } from "./demo.ts";
export { createDownloads } from "./download.ts";
export { dismissFirstSteps, firstSteps } from "./first-steps.ts";
export { mergeAndKeep } from "./merge.ts";
export { transferUndos } from "./transfer.ts";
export { type KeptRows, keepRows, undoRows } from "./undo-rows.ts";
