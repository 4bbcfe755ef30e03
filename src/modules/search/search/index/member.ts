import type { FamilyKind } from "../../../../../db/schema.ts";
import { FAMILY_KINDS } from "../../../library/families/shapes.ts";

/** The number of a track without a family, and the code of what it is in one. */
export const NO_FAMILY = 0;

/** Above the kind, three bits, a code has the length of the edit in seconds; 0 for the whole song. */
const KIND_BITS = 3;
const KIND_MASK = (1 << KIND_BITS) - 1;

/** Returns the code of what a member of a family is, in sixteen bits. */
export function memberCode(kind: FamilyKind, editSec: number | null): number {
  return 1 + FAMILY_KINDS.indexOf(kind) + ((editSec ?? 0) << KIND_BITS);
}

/** Returns true when a code is that of a kind, the whole song or an edit of it. */
export function isOfKind(code: number, kind: FamilyKind): boolean {
  return (code & KIND_MASK) === 1 + FAMILY_KINDS.indexOf(kind);
}

/** Returns the length of an edit in seconds; 0 for a whole song and for what is in no family. */
export const editOf = (code: number): number => code >> KIND_BITS;
