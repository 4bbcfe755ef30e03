export { membersBeside } from "./beside.ts";
export { type Family, familyOf, readFamily, summaryOf, toWire } from "./family.ts";
export {
  type FormerPlace,
  givePlaceBack,
  join,
  leave,
  type ReplacedPlace,
  takePlace,
  undoPlace,
} from "./join.ts";
export { countLinks } from "./queries.ts";
export { areOneFamily } from "./same.ts";
export { decideSign, findSign, type NewSign, putSign } from "./signs.ts";
export { NO_PLACES, type Places, placesAmong, songsAmong } from "./songs.ts";
export { type FoundSum, isStem, requestSum, SUM_STEMS_JOB, storeSum, sumKey } from "./sum.ts";
export { transferFamilies } from "./transfer.ts";
