export { fitInbox } from "./fit.ts";
export { countInbox, listInbox, triage } from "./inbox.ts";
export { previewMail } from "./mail-preview.ts";
export { arrangePack } from "./order.ts";
export { packOf, sendPack } from "./pack.ts";
