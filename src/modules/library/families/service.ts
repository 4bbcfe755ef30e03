export { type Family, familyOf, readFamily, summaryOf, toWire } from "./family.ts";
export { type Joining, join, leave, type ReplacedPlace, undoPlace } from "./join.ts";
export { decideSign, findSign, type NewSign, putSign } from "./signs.ts";
export { transferFamilies } from "./transfer.ts";
