import { type Db, transact } from "../../../../db/client.ts";
import { originalsOf } from "../../../blobs/store.ts";
import { type Deps, within } from "../../../kernel/deps.ts";
import { newId } from "../../../kernel/ids.ts";
import { publicUrlOf } from "../../../kernel/settings.ts";
import { findAlbumOf, noteArrival } from "../albums/service.ts";
import { findOwnedTrack, getOwnedTrack, titleOf } from "../catalog/service.ts";
import { addTracks, findTrackWithBytes, type StagedTrackFile } from "../tracks/service.ts";
import { isNewerLabel, possibleLabel, selectNames } from "../uploads/service.ts";
import { addVersion, getVersionOf } from "../versions/service.ts";
import { type Decision, decide, type Offer } from "./decide.ts";
import type { IntakeRow } from "./queries.ts";
import * as queries from "./queries.ts";
import type { TakenFile } from "./shapes.ts";

type TakeDeps = Pick<Deps, "db" | "now" | "secrets" | "settings">;
/** What became of a file whose bytes the library has. */
export type Taken = TakenFile & { trackId: string };

/**
 * Says what became of a file whose bytes the library has already, and remembers its path. Undefined: the bytes are needed.
 * Files that an owner deleted or took back stay away from a watched folder, also under another name.
 */
export function recallFile(deps: TakeDeps, offer: Offer): Taken | undefined {
  return transact(deps.db, (tx) => recall(within(deps, tx), offer));
}

function recall(deps: TakeDeps, offer: Offer): Taken | undefined {
  const { db } = deps;
  const before = queries.findByPath(db, offer);
  if (before?.sha256 === offer.sha256 && (isThere(db, before) || offer.kind === "watch")) {
    queries.updateSeen(db, { ...offer, seq: before.seq });
    if (before.undoneAt !== null) return toTaken(deps, { ...before, outcome: "known", reason: "undone" });
    // A repeated import reports new files.
    return toTaken(deps, offer.kind === "import" ? { ...before, outcome: "known" } : before);
  }
  const twinId = findTrackWithBytes(db, offer.accountId, offer.sha256);
  if (twinId !== undefined) return note(deps, offer, { outcome: "known", trackId: twinId, label: null });
  const gone = offer.kind === "watch" ? queries.findByBytes(db, offer) : undefined;
  if (!gone) return undefined;
  const reason = gone.undoneAt === null ? "deleted" : "undone";
  return note(deps, offer, { outcome: "known", trackId: gone.trackId, label: null, reason });
}

/** True when the library still has what an intake made. */
const isThere = (db: Db, { accountId, sha256, undoneAt }: IntakeRow) =>
  undoneAt === null && findTrackWithBytes(db, accountId, sha256) !== undefined;

/**
 * Takes a file in: it becomes a version of the track that its name or its path points at, or a track. Nothing new comes of bytes
 * that the library has. On success the staged file has been moved or is not needed; the caller discards it in any case.
 *
 * @throws DomainError `track_not_found` for a named track, and as `addTracks` and `addVersion`.
 */
export function takeFile(deps: TakeDeps, file: StagedTrackFile, offer: Offer): Taken {
  try {
    return transact(deps.db, (tx) => takeIn(within(deps, tx), file, offer));
  } catch (error) {
    transact(deps.db, (tx) => originalsOf(deps.settings).takeBack(tx, file.staged));
    throw error;
  }
}

/** Like {@link takeFile}, inside a transaction. */
export function takeIn(deps: TakeDeps, file: StagedTrackFile, offer: Offer): Taken {
  const known = recall(deps, offer);
  if (known) return known;
  const told = { ...offer, tags: file.described?.tags };
  const decision = decide(deps.db, told);
  return decision.trackId === undefined
    ? takeAsTrack(deps, file, told, decision)
    : takeAsVersion(deps, file, told, { ...decision, trackId: decision.trackId });
}

function takeAsTrack(deps: TakeDeps, file: StagedTrackFile, offer: Offer, decision: Decision): Taken {
  const { label, title, reason } = decision;
  // What the file itself says goes before what its name says.
  const isNamed = title !== undefined && file.described?.profile.title === undefined;
  const profile = isNamed ? { profile: { title } } : {};
  const [created] = addTracks(deps, offer.accountId, [{ ...file, visible: true, label, ...profile }]);
  if (!created) throw new Error("A file was added without a track");
  const made = { trackId: created.id, versionId: created.versionId };
  return note(deps, offer, { outcome: "track", ...made, label, reason });
}

function takeAsVersion(
  deps: TakeDeps,
  file: StagedTrackFile,
  offer: Offer,
  { trackId, label }: Decision & { trackId: string },
): Taken {
  const { db } = deps;
  const { activeVersionId } = getOwnedTrack(db, offer.accountId, trackId);
  const active = getVersionOf(db, trackId, activeVersionId);
  const isLossyCopy = LOSSY.has(file.format.container) && queries.hasLossless(db, trackId, label);
  const activate = !isLossyCopy && isNewerLabel(label ?? "", active.label ?? possibleLabel(active.name));
  const { id } = addVersion(deps, offer.accountId, trackId, { file, label, activate });
  const versionBefore = activate ? activeVersionId : null;
  return note(deps, offer, { outcome: "version", trackId, versionId: id, versionBefore, label });
}

const LOSSY: ReadonlySet<string> = new Set(["mp3", "ogg", "mp4", "adts", "mp2", "ac3", "asf", "webm"]);

type Made = Pick<IntakeRow, "outcome" | "trackId" | "label"> & {
  versionId?: string;
  versionBefore?: string | null;
  reason?: string | undefined;
};

/** Writes what became of a file into its folder's memory. */
function note(deps: TakeDeps, offer: Offer, made: Made): Taken {
  const { accountId, kind, source, path, sizeBytes, modifiedAt, inode, sha256 } = offer;
  const row = {
    id: newId("itk"),
    ...{ accountId, kind, source, path, sizeBytes, modifiedAt, inode, sha256 },
    versionId: null,
    versionBefore: null,
    ...made,
    reason: made.reason ?? null,
    takenAt: deps.now(),
    undoneAt: null,
  };
  queries.insertIntake(deps.db, row);
  putOnAlbum(deps, offer, row);
  return toTaken(deps, row);
}

/** A song comes in with its folder, also one that the library had; what its owner has deleted does not. */
function putOnAlbum(
  deps: TakeDeps,
  { accountId, kind, source, path, tags }: Offer,
  made: Pick<IntakeRow, "outcome" | "trackId">,
): void {
  if (made.outcome === "version" || !findOwnedTrack(deps.db, accountId, made.trackId)) return;
  const isNew = made.outcome === "track";
  const arrived = { accountId, source, path, trackId: made.trackId, isNew, tags };
  noteArrival(deps.db, deps, { ...arrived, isInbox: kind !== "import" });
}

type Told = Pick<
  IntakeRow,
  "accountId" | "source" | "path" | "outcome" | "trackId" | "versionId" | "label" | "reason"
>;

function toTaken({ db, settings }: TakeDeps, row: Told): Taken {
  const { accountId, source, path, outcome, trackId, versionId, label, reason } = row;
  const names = selectNames(db, accountId, trackId);
  const url = `${publicUrlOf(settings)}/library/tracks/${trackId}`;
  const albumId = findAlbumOf(db, { accountId, source, path, trackId });
  const title = names ? titleOf(names) : null;
  return { path, outcome, trackId, versionId, label, title, url, albumId, reason };
}
