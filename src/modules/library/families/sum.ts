import type { Db } from "../../../../db/client.ts";
import { enqueue } from "../../../jobs/queue.ts";
import { listPlaces, type MemberRow, putSum, type StoredSum } from "./queries.ts";
import type { StemSum } from "./shapes.ts";

/**
 * The job that takes the stems of a family from its main mix; payload `{ familyId }`, unique key the family's id. Who runs it is not for
 * the library to know.
 */
export const SUM_STEMS_JOB = "sum_stems";

/** Queues that the stems of a family are added up, if it has any. Call it in the transaction that makes it necessary. */
export function requestSum(tx: Db, familyId: string, at: number): void {
  const hasStems = listPlaces(tx, familyId).some(isStem);
  if (hasStems) enqueue(tx, { name: SUM_STEMS_JOB, payload: { familyId }, uniqueKey: familyId }, at);
}

/** True for a member that is a stem in full length. */
export const isStem = ({ kind, editSec }: Pick<MemberRow, "kind" | "editSec">) =>
  kind === "stem" && editSec === null;

/** Returns a text that stands for what was added up: another version or another stem gives another one. */
export function sumKey(mixVersionId: string, stemVersionIds: readonly string[]): string {
  const text = [mixVersionId, ...stemVersionIds.toSorted()].join(" ");
  return new Bun.CryptoHasher("sha256").update(text).digest("hex");
}

/** What a sum of stems gave, or null where they do not line up with the mix. */
export type FoundSum = { residualDb: number; missing: StemSum["missing"] } | null;

/** Stores what the stems of a family add up to. Call it inside a transaction. */
export function storeSum(tx: Db, familyId: string, key: string, found: FoundSum): void {
  const { part = null, levelDb = null, fromHz = null, toHz = null } = found?.missing ?? {};
  putSum(tx, familyId, {
    stemsOf: key,
    stemsResidualDb: found?.residualDb ?? null,
    stemsLackPart: part,
    stemsLackDb: levelDb,
    stemsLackFromHz: fromHz,
    stemsLackToHz: toHz,
  });
}

type Listed = Pick<MemberRow, "trackId" | "kind" | "editSec"> & {
  versionId: string | null;
  mainTrackId: string;
} & StoredSum;

/** Returns what the stems of a family add up to; null when these versions of them were not added up. */
export function sumOf(rows: readonly Listed[]): StemSum | null {
  const main = rows.find(({ trackId, mainTrackId }) => trackId === mainTrackId);
  const stems = rows.filter((row) => row !== main && isStem(row));
  if (!main?.versionId || stems.length === 0) return null;
  if (
    main.stemsOf !==
    sumKey(
      main.versionId,
      stems.flatMap(({ versionId }) => versionId ?? []),
    )
  )
    return null;
  const { stemsResidualDb, stemsLackPart, stemsLackDb, stemsLackFromHz, stemsLackToHz } = main;
  const missing =
    stemsLackDb === null
      ? null
      : { part: stemsLackPart, levelDb: stemsLackDb, fromHz: stemsLackFromHz, toHz: stemsLackToHz };
  return { count: stems.length, residualDb: stemsResidualDb, missing };
}
