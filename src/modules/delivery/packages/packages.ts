import type { LibraryId } from "../../../../db/schema.ts";
import { isOwn, type Member } from "../../../kernel/actor.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { createGate, type Gate } from "../../../kernel/gate.ts";
import { type WrittenPackage, writeFolder } from "./folder.ts";
import { beginMarks, requireMarks, updateMarks } from "./marks.ts";
import { changed, chosenTracks, type PackageDeps, type Plan, planOf } from "./plan.ts";
import * as queries from "./queries.ts";
import { archived, inTurn, madeInTurn } from "./sending.ts";
import {
  DELIVERIES_AT_ONCE,
  type DeliveryProgress,
  type DeliveryRequest,
  type DeliverySettings,
} from "./shapes.ts";

/** An archive as it is sent. */
export type Archive = {
  filename: string;
  sizeBytes: number;
  bytes: (signal: AbortSignal) => AsyncGenerator<Uint8Array>;
};

/** Packages that were asked for, as long as they can be made, and those that are being made. */
export type Packages = {
  /**
   * Plans a package of the versions that are active now. Nothing is made yet.
   *
   * @throws DomainError `track_not_found`, `playlist_not_found`, `validation_failed` for more tracks than a package takes,
   *   `storage_unavailable`.
   */
  plan: (actor: Member, request: DeliveryRequest) => Promise<Plan>;
  /** Returns a plan that somebody made; who manages the library may have anybody's. */
  find: (actor: Member, id: string) => Plan | undefined;
  /**
   * Returns a plan to be made, or plans what was delivered before once more, from the same versions, with what is known of
   * them now.
   *
   * @throws DomainError `not_found` for an erased one too, `changed_since` when one of the versions is gone, `being_prepared` and
   *   `file_missing` of a marked one until its copies are made.
   */
  ready: (actor: Member, id: string) => Promise<Plan>;
  /** Has the copies of a plan made, or of a new plan of what was delivered before. Throws as {@link Packages.ready} otherwise does. */
  mark: (actor: Member, id: string) => Promise<Plan>;
  /** Returns how far a plan is. */
  progress: (plan: Plan) => Promise<DeliveryProgress>;
  /** Returns the archive of a plan. Its row is written when the last byte was taken. */
  archive: (plan: Plan) => Archive;
  /** Writes a plan into a folder when it is its turn, as {@link writeFolder} does. */
  write: (plan: Plan, folder: string, signal: AbortSignal) => Promise<WrittenPackage>;
};

/** Of all accounts; the oldest leave first. */
const MAX_KEPT = 200;
/** Of one person, beside those that are being made: each change on the page plans anew, and a plan of 200 tracks takes 4 MB. */
const MAX_KEPT_EACH = 3;

const isOfSame = (one: Plan, other: Plan) => one.ownerId === other.ownerId && one.madeBy === other.madeBy;
const isBeingMade = ({ progress: { state } }: Plan) =>
  state === "making" || state === "waiting" || state === "marking";

/** Returns what a delivery was asked for with, and the versions that went out. */
function askedAgain(row: queries.StoredPackage): [DeliveryRequest, readonly queries.Chosen[]] {
  const { where, options, versions, isMarked = false } = JSON.parse(row.settings) as DeliverySettings;
  const { profile, name, recipient } = row;
  return [{ where, profile, name, options, isMarked, ...(recipient !== null && { recipient }) }, versions];
}

/** Returns {@link Packages} without any. Plans are kept in memory: a restart forgets them. */
export function createPackages(deps: PackageDeps): Packages {
  const kept = new Map<string, Plan>();
  const gates = new Map<LibraryId, Gate>();
  const keep = (plan: Plan) => {
    kept.set(plan.id, plan);
    for (const [id, { until }] of kept) if (until <= deps.now() || kept.size > MAX_KEPT) kept.delete(id);
    const theirs = [...kept.values()].filter((each) => isOfSame(each, plan) && !isBeingMade(each));
    for (const { id } of theirs.slice(0, -MAX_KEPT_EACH)) kept.delete(id);
    return plan;
  };
  const gateOf = (ownerId: LibraryId) => {
    const gate = gates.get(ownerId) ?? createGate(DELIVERIES_AT_ONCE);
    gates.set(ownerId, gate);
    return gate;
  };
  const find: Packages["find"] = (actor, id) => {
    const plan = kept.get(id);
    const isTheirs = plan?.ownerId === actor.accountId && isOwn(actor, plan.madeBy);
    if (!isTheirs || plan.until <= deps.now()) return undefined;
    if (!queries.findPackage(deps.db, actor.accountId, id)?.isErased) return plan;
    // What a delivery said is forgotten with it.
    kept.delete(id);
    return undefined;
  };
  const planAgain = async (actor: Member, id: string) => {
    const row = queries.findPackage(deps.db, actor.accountId, id);
    if (!row || row.isErased) throw new DomainError("not_found", "There is no such delivery");
    const begun = [...kept.values()].find(
      (plan) => plan.repeatsId === id && !plan.isReady && find(actor, plan.id),
    );
    if (begun) return begun;
    const plan = keep(await planOf(deps, actor, ...askedAgain(row)));
    plan.repeatsId = id;
    return plan;
  };
  const planned = async (actor: Member, id: string) => {
    const plan = find(actor, id);
    if (!plan) return planAgain(actor, id);
    const { versions } = plan.settings;
    if (queries.selectSongs(deps.db, plan.ownerId, versions).length < versions.length) throw changed();
    return plan;
  };
  return {
    find,
    plan: async (actor, request) => {
      const chosen = chosenTracks(deps, actor.accountId, request).map((id): queries.Chosen => [id, null]);
      return keep(await planOf(deps, actor, request, chosen));
    },
    ready: async (actor, id) => {
      const plan = await planned(actor, id);
      await requireMarks(deps, plan);
      return plan;
    },
    mark: async (actor, id) => {
      const plan = await planned(actor, id);
      beginMarks(deps, plan);
      return plan;
    },
    progress: async (plan) => {
      await updateMarks(deps, plan);
      return plan.progress;
    },
    archive: (plan) => ({
      filename: `${plan.root}.zip`,
      sizeBytes: plan.sizeBytes,
      bytes: (signal) => inTurn(gateOf(plan.ownerId), plan, signal, () => archived(deps, plan, signal)),
    }),
    write: (plan, folder, signal) =>
      madeInTurn(gateOf(plan.ownerId), plan, signal, () => writeFolder(deps, plan, folder, signal)),
  };
}
