export { forgetUndos } from "./bulk/bulk.ts";
export { addDemo } from "./demo.ts";
export { createDownloads } from "./download/download.ts";
export { dismissFirstSteps, firstSteps } from "./first-steps/first-steps.ts";
export { mergeAndKeep } from "./merge/merge.ts";
export { transferUndos } from "./transfer.ts";
export { type KeptRows, keepRows, requireUndo, undoRows } from "./undo-rows.ts";
