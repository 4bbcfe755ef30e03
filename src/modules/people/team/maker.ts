import type { PersonId, Role } from "../../../../db/schema.ts";
import type { OnBehalf } from "../../../kernel/actor.ts";
import { type Allowed, allowedTo } from "../../../kernel/roles.ts";
import { ALL_SCOPES } from "../../../kernel/scopes.ts";

/** What is read of the person who made a key or a grant, with the key or the grant itself. */
export type Maker = {
  /** Null: made by the operator, or a platform key. */
  madeBy: PersonId | null;
  isMakerActive: 0 | 1 | null;
  makerMemberId: string | null;
  makerRole: Role | null;
  makerReach: string | null;
  makerSeesSplits: 0 | 1 | null;
  makerSeesListening: 0 | 1 | null;
  makerEndsAt: number | null;
};

/**
 * Returns the columns of a {@link Maker}, of the tables that {@link joinMaker} joins. The maker is whom the row names, also when that
 * person is deleted: nobody in their place would mean that the row may all that it says.
 */
export const makerColumns = (
  person: string,
) => `${person} AS madeBy, mp.active AS isMakerActive, mm.id AS makerMemberId, mm.role AS makerRole,
  mm.reach AS makerReach, mm.sees_splits AS makerSeesSplits, mm.sees_listening AS makerSeesListening, mm.ends_at AS makerEndsAt`;

/** Joins the maker of a row whose columns name the library and the person. */
export const joinMaker = (library: string, person: string) =>
  `LEFT JOIN people mp ON mp.id = ${person}
   LEFT JOIN members mm ON mm.account_id = ${library} AND mm.person_id = ${person}`;

/**
 * Returns what the maker of something may now: no key and no grant may do more. Null when a maker is no longer in the library, so
 * that what they made ends; undefined when no member made it, or the owner: then it may what it says.
 */
export function allowedToMaker(maker: Maker, at: number): Allowed | null | undefined {
  if (maker.madeBy === null) return undefined;
  const { makerRole: role, makerReach: reach, makerEndsAt: endsAt } = maker;
  const isIn = maker.isMakerActive === 1 && role !== null && reach === "library" && (endsAt ?? at + 1) > at;
  if (!isIn) return null;
  if (role === "owner") return undefined;
  return allowedTo(role, maker.makerSeesSplits === 1, maker.makerSeesListening === 1);
}

/** Returns whom a key or a grant acts for, of a maker who is still in the library. */
export function onBehalfOf({ madeBy, makerMemberId }: Maker, allowed: Allowed | undefined): OnBehalf {
  return {
    ...(madeBy !== null && { personId: madeBy }),
    ...(makerMemberId !== null && { memberId: makerMemberId }),
    ...(allowed !== undefined && { allowed }),
  };
}

/** Returns those of the scopes that the maker has too. Null stands for every one. */
export function cutToMaker(
  scopes: readonly string[] | null,
  allowed: Allowed | undefined,
): readonly string[] | null {
  if (allowed === undefined) return scopes;
  if (scopes === null || scopes.includes(ALL_SCOPES)) return allowed.scopes;
  const own: readonly string[] = allowed.scopes;
  return scopes.filter((scope) => own.includes(scope));
}
