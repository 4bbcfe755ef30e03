import type { LibraryId, PersonId } from "../../../../db/schema.ts";
import { type Member, mayDo } from "../../../kernel/actor.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError, invalidField } from "../../../kernel/errors.ts";
import { newId } from "../../../kernel/ids.ts";
import { MINUTE_MS } from "../../../kernel/time.ts";
import { zipSize } from "../../../kernel/zip.ts";
import { readinessOfTracks } from "../../library/readiness/service.ts";
import type { ListReadiness } from "../../library/readiness/shapes.ts";
import type { PlannedFile } from "./content.ts";
import { type Contents, type Packed, planContents } from "./contents.ts";
import type { Release } from "./known.ts";
import * as queries from "./queries.ts";
import {
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
import { isToBeMarked, namedAsCopy } from "./to-mark.ts";

/** What planning and making packages needs. */
export type PackageDeps = Pick<Deps, "db" | "now" | "secrets" | "settings" | "ffmpegPath">;

/** A package that can be made. */
export type Plan = Contents & {
  id: string;
  ownerId: LibraryId;
  madeBy: PersonId | null;
  profile: Profile;
  name: string;
  recipient: string | null;
  isMarked: boolean;
  /** What it is planned of. Until its copies are made, a marked one is planned of the originals, and cannot be sent. */
  plannedOf: Packed;
  isReady: boolean;
  /** What was delivered before, and is to be once more. */
  repeatsId?: string;
  release: Release;
  readiness: ListReadiness;
  settings: DeliverySettings;
  madeAt: number;
  sizeBytes: number;
  until: number;
  progress: DeliveryProgress;
};

export const PLAN_KEPT_MS = PLAN_MINUTES * MINUTE_MS;
/** Returns the tracks of a request in order. For agencies, all that was made from each song comes along. */
export function chosenTracks(
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

/**
 * Plans a package.
 *
 * @param chosen The tracks, and of which versions.
 * @throws DomainError `track_not_found` when one of them is not there, `changed_since` when a version is gone, `validation_failed` for
 *   more than a manifest holds, `storage_unavailable`.
 */
export async function planOf(
  deps: PackageDeps,
  actor: Member,
  request: DeliveryRequest,
  chosen: readonly queries.Chosen[],
): Promise<Plan> {
  const { where, profile, name, recipient, options = {} } = request;
  const { accountId: ownerId } = actor;
  const isMarked = isToBeMarked(deps, request);
  const seesSplits = mayDo(actor, "read:composers");
  const found = readSongs(deps, ownerId, chosen, seesSplits);
  const songs = isMarked ? found.map(namedAsCopy) : found;
  if (songs.length < chosen.length) throw isPinned(chosen) ? changed() : noSuchTrack();
  const album = "playlistId" in where ? queries.findRelease(deps.db, ownerId, where.playlistId) : undefined;
  const release = releaseOf(name, songs, album);
  const madeAt = deps.now();
  const readiness = readinessOfTracks(
    deps,
    actor,
    songs.map(({ trackId }) => trackId),
    profile,
    // One that was deleted since is delivered once more from the same versions.
    album && "playlistId" in where ? where.playlistId : undefined,
  );
  const hasFoldersOfSets = profile === "sync" || "familyOf" in where;
  const packed = {
    ownerId,
    seesSplits,
    profile,
    release,
    options,
    songs,
    madeAt,
    hasFoldersOfSets,
    readiness,
  };
  const contents = await planContents(deps, packed);
  if (contents.songs.length === 0) throw noFile();
  const parts = { madeAt, profile, release, readiness, ...contents };
  requireSmallManifest(contents.files);
  const versions = contents.songs.map(({ trackId, versionId }) => [trackId, versionId] as [string, string]);
  const sizeBytes = sizeOf(contents);
  return {
    ...parts,
    id: newId("pkg"),
    ownerId,
    madeBy: actor.personId ?? null,
    name,
    recipient: recipient?.trim() || null,
    ...{ isMarked, plannedOf: packed, isReady: !isMarked },
    settings: { where, options, way: "zip", ...(isMarked && { isMarked }), versions },
    sizeBytes,
    until: madeAt + PLAN_KEPT_MS,
    progress: { state: "planned", markedTracks: 0, sentBytes: 0, sizeBytes, message: null },
  };
}

/** Returns the size of the archive. */
export const sizeOf = ({ files }: Pick<Contents, "files">): number =>
  zipSize(files.map((file) => ({ ...file, name: file.path, source: "" })));

const isPinned = (chosen: readonly queries.Chosen[]) => chosen.some(([, versionId]) => versionId !== null);
const noFile = () =>
  new DomainError(
    "track_not_found",
    "There is nothing to deliver: no file of these tracks is on the server. Upload each again as a new version, or restore it from a backup",
  );
const noSuchTrack = () => new DomainError("track_not_found", "There is no such track");

function requireSmallManifest(files: readonly PlannedFile[]): void {
  const manifest = files.find(({ content }) => content.is === "manifest");
  if (!manifest || manifest.sizeBytes <= MAX_MANIFEST_BYTES) return;
  throw invalidField("where", "too_large", "has too much to say of its tracks: deliver fewer at once");
}

/** The refusal for what cannot be made from the same versions. */
export const changed = () =>
  new DomainError("changed_since", "A version of this delivery no longer exists: it cannot be made again");

/** Returns what clients hear of a plan. */
export function describePlan(plan: Plan, hasFolder: boolean): PlannedDelivery {
  const { id, root, sizeBytes, files, songs, missing, isMarked } = plan;
  return {
    id,
    isMarked,
    path: archivePath(id),
    filename: `${root}.zip`,
    sizeBytes,
    files: files.length,
    tracks: songs.length,
    trackIds: songs.map(({ trackId }) => trackId),
    findings: plan.readiness.counts,
    tree: files.map(({ path, sizeBytes }) => ({ path, sizeBytes })),
    bucketBytes: files.reduce((sum, file) => sum + readFromBucket(file), 0),
    hasFolder,
    missing: missing.map((song) => ({ trackId: song.trackId, title: songTitle(song) })),
  };
}

/** Returns where the archive of a plan is read. */
export const archivePath = (id: string): string => `/app/deliveries/${id}/archive`;

/** The first time, an original is read whole; then what goes in of it. */
function readFromBucket({ content, sizeBytes }: PlannedFile): number {
  if (content.is !== "sound" || typeof content.source === "string") return 0;
  return content.song.sizeBytes + sizeBytes;
}
