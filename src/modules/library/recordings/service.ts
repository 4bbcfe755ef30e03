export { alignSounds, offsetBetween } from "./align.ts";
export { CARRY_JOB, requestCarrying } from "./carrying.ts";
export { listRecordingGroups } from "./groups.ts";
export { type KeptSound, keepSound, restoreSound } from "./kept.ts";
export { fingerprintOf, kindredRecordings, sameRecording, storeRecording } from "./match.ts";
export { type Copy, listCopies, listMixes } from "./mixes.ts";
export {
  countMixOffers,
  declineMix,
  listMixOffers,
  moveOffers,
  offerMixes,
  transferMixOffers,
} from "./offers.ts";
export { peaksFile } from "./peaks-file.ts";
export { findSound, recordingsOf } from "./queries.ts";
export type { NewRecording } from "./recording.ts";
export { RELATE_JOB, requestRelating } from "./relating.ts";
export { ownerBitsOf, SKETCH_CODES } from "./sketch.ts";
export { transferRecordings } from "./transfer.ts";
