export { forgetUndos } from "./bulk.ts";
export { createDownloads, type Download } from "./download.ts";
export { transferUndos } from "./transfer.ts";
