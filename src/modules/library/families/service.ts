export { type Family, familyOf, readFamily, summaryOf, toWire } from "./family.ts";
export { type Joining, join, leave, type ReplacedPlace, undoPlace } from "./join.ts";
export { decideSign, findSign, type NewSign, putSign } from "./signs.ts";
export {
  type FormerPlace,
  givePlaceBack,
  type Joining,
  join,
  leave,
  type ReplacedPlace,
  takePlace,
  undoPlace,
} from "./join.ts";
export { areOneFamily } from "./same.ts";
export { transferFamilies } from "./transfer.ts";
