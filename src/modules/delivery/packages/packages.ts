import { transact } from "../../../../db/client.ts";
import type { LibraryId, PersonId } from "../../../../db/schema.ts";
import { isOwn, type Member, mayDo } from "../../../kernel/actor.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError, invalidField } from "../../../kernel/errors.ts";
import { createGate, type Gate } from "../../../kernel/gate.ts";
import { newId } from "../../../kernel/ids.ts";
import { MINUTE_MS } from "../../../kernel/time.ts";
import { zip, zipSize } from "../../../kernel/zip.ts";
import { readinessOfTracks } from "../../library/readiness/service.ts";
import type { ListReadiness } from "../../library/readiness/shapes.ts";
import { UNKNOWN_HASH } from "./content.ts";
import { type Contents, planContents } from "./contents.ts";
import type { Release } from "./known.ts";
import { makingOf } from "./making.ts";
import { manifestOf, manifestText } from "./manifest.ts";
import * as queries from "./queries.ts";
import {
  DELIVERIES_AT_ONCE,
  type DeliveredWhere,
  type DeliveryProgress,
  type DeliveryRequest,
  type DeliverySettings,
  MAX_DELIVERED_TRACKS,
  MAX_MANIFEST_BYTES,
  PLAN_MINUTES,
  type PlannedDelivery,
  type Profile,
} from "./shapes.ts";
import { readSongs, releaseOf, songTitle, withSets } from "./song.ts";
import { createTagger } from "./tagged.ts";

type PackageDeps = Pick<Deps, "db" | "now" | "settings" | "log">;

/** A package that can be made. */
export type Plan = Contents & {
  id: string;
  ownerId: LibraryId;
  madeBy: PersonId | null;
  profile: Profile;
  name: string;
  recipient: string | null;
  release: Release;
  readiness: ListReadiness;
  settings: DeliverySettings;
  madeAt: number;
  sizeBytes: number;
  until: number;
  progress: DeliveryProgress;
};

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
   * @throws DomainError `not_found` for an erased one too, `changed_since` when one of the versions is gone.
   */
  ready: (actor: Member, id: string) => Promise<Plan>;
  /** Returns the archive of a plan. Its row is written when the last byte was taken. */
  archive: (plan: Plan) => Archive;
};

const KEPT_MS = PLAN_MINUTES * MINUTE_MS;
/** Of all accounts; the oldest leave first. */
const MAX_KEPT = 200;

/** Returns {@link Packages} without any. Plans are kept in memory: a restart forgets them. */
export function createPackages(deps: PackageDeps): Packages {
  const kept = new Map<string, Plan>();
  const gates = new Map<LibraryId, Gate>();
  const keep = (plan: Plan) => {
    kept.set(plan.id, plan);
    for (const [id, { until }] of kept) if (until <= deps.now() || kept.size > MAX_KEPT) kept.delete(id);
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
    return isTheirs && plan.until > deps.now() ? plan : undefined;
  };
  const planAgain = async (actor: Member, id: string) => {
    const row = queries.findPackage(deps.db, actor.accountId, id);
    if (!row || row.isErased) throw new DomainError("not_found", "There is no such delivery");
    const { where, options, versions } = JSON.parse(row.settings) as DeliverySettings;
    const { profile, name, recipient } = row;
    const request = { where, profile, name, options, ...(recipient !== null && { recipient }) };
    return keep(await planOf(deps, actor, request, versions));
  };
  return {
    find,
    plan: async (actor, request) => {
      const ids = chosenTracks(deps, actor.accountId, request);
      return keep(
        await planOf(
          deps,
          actor,
          request,
          ids.map((id) => [id, null]),
        ),
      );
    },
    ready: async (actor, id) => {
      const plan = find(actor, id);
      if (!plan) return planAgain(actor, id);
      const { versions } = plan.settings;
      if (queries.selectSongs(deps.db, plan.ownerId, versions).length < versions.length) throw changed();
      return plan;
    },
    archive: (plan) => ({
      filename: `${plan.root}.zip`,
      sizeBytes: plan.sizeBytes,
      bytes: (signal) => inTurn(gateOf(plan.ownerId), plan, signal, () => archived(deps, plan, signal)),
    }),
  };
}

/** Returns the tracks of a request in order. For agencies, all that was made from each song comes along. */
function chosenTracks(
  deps: PackageDeps,
  ownerId: LibraryId,
  { where, profile }: Pick<DeliveryRequest, "where" | "profile">,
): string[] {
  const named = namedTracks(deps, ownerId, where);
  const ids = profile === "sync" || "familyOf" in where ? withSets(deps, ownerId, named) : named;
  if (ids.length <= MAX_DELIVERED_TRACKS) return ids;
  throw invalidField(
    "where",
    "too_many",
    `has more than ${MAX_DELIVERED_TRACKS} tracks: deliver fewer at once`,
  );
}

function namedTracks({ db }: PackageDeps, ownerId: LibraryId, where: DeliveredWhere): string[] {
  if ("ids" in where) return [...new Set(where.ids)];
  if ("familyOf" in where) return [where.familyOf];
  if (!queries.findRelease(db, ownerId, where.playlistId))
    throw new DomainError("playlist_not_found", "There is no such playlist");
  return queries.selectPlaces(db, where.playlistId);
}

async function planOf(
  deps: PackageDeps,
  actor: Member,
  { where, profile, name, recipient, options = {} }: DeliveryRequest,
  chosen: readonly queries.Chosen[],
): Promise<Plan> {
  const { accountId: ownerId } = actor;
  const songs = readSongs(deps, ownerId, chosen, mayDo(actor, "read:composers"));
  if (songs.length < chosen.length && chosen.some(([, versionId]) => versionId !== null)) throw changed();
  const album = "playlistId" in where ? queries.findRelease(deps.db, ownerId, where.playlistId) : undefined;
  const release = releaseOf(name, songs, album);
  const madeAt = deps.now();
  const readiness = readinessOfTracks(
    deps,
    actor,
    songs.map(({ trackId }) => trackId),
    profile,
  );
  const hasFoldersOfSets = profile === "sync" || "familyOf" in where;
  const packed = { profile, release, options, songs, madeAt, hasFoldersOfSets, readiness };
  const contents = await planContents(deps, packed);
  if (contents.songs.length === 0) throw new DomainError("track_not_found", "There is no file to deliver");
  const parts = { madeAt, profile, release, readiness, ...contents };
  requireSmallManifest(manifestText(manifestOf(parts, () => UNKNOWN_HASH)));
  const versions = contents.songs.map(({ trackId, versionId }) => [trackId, versionId] as [string, string]);
  const sizeBytes = zipSize(contents.files.map((file) => ({ ...file, name: file.path, source: "" })));
  return {
    ...parts,
    id: newId("pkg"),
    ownerId,
    madeBy: actor.personId ?? null,
    name,
    recipient: recipient?.trim() || null,
    settings: { where, options, way: "zip", versions },
    sizeBytes,
    until: madeAt + KEPT_MS,
    progress: { state: "planned", sentBytes: 0, sizeBytes, message: null },
  };
}

function requireSmallManifest(text: string): void {
  if (Buffer.byteLength(text) <= MAX_MANIFEST_BYTES) return;
  throw invalidField("where", "too_large", "has too much to say of its tracks: deliver fewer at once");
}

const changed = () =>
  new DomainError("changed_since", "A version of this delivery no longer exists: it cannot be made again");

/** Returns what clients hear of a plan. */
export function describePlan(plan: Plan): PlannedDelivery {
  const { id, root, sizeBytes, files, songs, missing } = plan;
  return {
    id,
    path: `/app/deliveries/${id}/archive`,
    filename: `${root}.zip`,
    sizeBytes,
    files: files.length,
    tracks: songs.length,
    findings: plan.readiness.counts,
    tree: files.map(({ path, sizeBytes }) => ({ path, sizeBytes })),
    missing: missing.map((song) => ({ trackId: song.trackId, title: songTitle(song) })),
  };
}

/** Yields the archive of a plan. */
async function* archived(deps: PackageDeps, plan: Plan, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const { entries, made } = makingOf(plan, createTagger(deps), signal);
  let left = plan.sizeBytes;
  try {
    for await (const chunk of zip(entries)) {
      left -= chunk.length;
      plan.progress = { ...plan.progress, state: "making", sentBytes: plan.sizeBytes - left };
      yield chunk;
    }
  } finally {
    // Whoever has counted the bytes may not ask whether there are more.
    if (left === 0) {
      recordDelivery(deps, plan, made(), plan.sizeBytes);
      plan.progress = { ...plan.progress, state: "made" };
    }
  }
}

/** Writes what went out. Call it when all of it did. Returns the delivery's id. */
export function recordDelivery(
  { db, now }: Pick<PackageDeps, "db" | "now">,
  plan: Plan,
  { manifest, sha256 }: { manifest: object; sha256: string },
  bytes: number,
): string {
  const { ownerId, profile, name, recipient, settings, madeBy } = plan;
  return transact(db, (tx) => {
    const id = queries.findPackage(tx, ownerId, plan.id) ? newId("pkg") : plan.id;
    queries.insertPackage(tx, {
      ...{ id, ownerId, profile, name, recipient, madeBy, bytes, sha256 },
      settings: JSON.stringify(settings),
      manifest: JSON.stringify(manifest),
      shareId: null,
      madeAt: now(),
    });
    return id;
  });
}

/** Yields bytes when it is their turn, and notes on the plan how far they are. */
async function* inTurn(
  gate: Gate,
  plan: Plan,
  signal: AbortSignal,
  bytes: () => AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const [admitted, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  plan.progress = { ...plan.progress, state: "waiting", sentBytes: 0, message: null };
  const held = gate(() => {
    admitted.resolve();
    return over.promise;
  });
  await admitted.promise;
  try {
    if (!signal.aborted) yield* bytes();
  } catch (error) {
    const message = error instanceof Error ? error.message : "The archive could not be made";
    plan.progress = { ...plan.progress, state: "failed", message };
    throw error;
  } finally {
    over.resolve();
    await held;
  }
}
