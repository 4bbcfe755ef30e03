export { changeRights, RIGHTS_FIELDS, readRights } from "./change.ts";
export { findRights, rightsOfTracks } from "./read.ts";
export { changeSender, nextFileNumber, noteFileNumber, readSender } from "./sender.ts";
export { transferRights } from "./transfer.ts";
