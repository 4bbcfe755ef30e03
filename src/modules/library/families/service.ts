export { type Family, type FamilyMember, familyOf } from "./family.ts";
export { type Joining, join, leave } from "./join.ts";
export { transferFamilies } from "./transfer.ts";
