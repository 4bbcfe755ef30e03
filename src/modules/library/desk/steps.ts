import type { Db } from "../../../../db/client.ts";
import type { RowChange } from "../../../../db/row-images.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { emit } from "../../../kernel/events.ts";
import type { Need } from "../../../kernel/roles.ts";
import type { AnsweredNotes, KeptNotes } from "../../sharing/comments/service.ts";
import { requestAnalysis } from "../analysis/service.ts";
import { binTrack, unbinTrack } from "../bin/service.ts";
import { findOwnedTrack, getOwnedTrack, type OwnedTrack } from "../catalog/service.ts";
import { changeShareholders, type ReplacedLinks, undoShareholders } from "../composers/service.ts";
import { hasPlaylist, placeTrack, unplaceTrack } from "../playlists/service.ts";
import type { KeptSound } from "../recordings/service.ts";
import { type AmendedCategory, amendTags, type TagAmendment, undoAmendment } from "../tags/service.ts";
import { applyDetails, type Details, type ReplacedDetails, undoDetails } from "../tracks/service.ts";
import { showTrack } from "../versions/service.ts";
import type { BulkDo } from "./bulk/shapes.ts";
import { type FamilyStep, keepTogether, undoFamily } from "./family/place.ts";
import type { JoinStep } from "./merge/separate.ts";
import { changeVersions, undoVersions, type VersionStep } from "./version-steps.ts";

/** What a bulk change did to a track, in the form that undoing it needs. */
export type Step =
  | { kind: "details"; replaced: ReplacedDetails }
  | { kind: "shareholders"; replaced: ReplacedLinks }
  | VersionStep
  | { kind: "tags"; amended: AmendedCategory[] }
  | { kind: "visible"; versionId: string; isVisible: boolean }
  | { kind: "place"; playlistId: string; place: number }
  | { kind: "retag" }
  | JoinStep
  | FamilyStep
  | { kind: "rows"; rows: RowChange[] }
  | { kind: "sound"; versionId: string; sound: KeptSound }
  | ({ kind: "answered" } & AnsweredNotes)
  | { kind: "notes"; versionId: string; notes: KeptNotes }
  | { kind: "delete" };

/** A bulk change, read and checked; if a cover was sent, it has already been rendered and is on disk. */
export type Plan = Omit<BulkDo, "addTags" | "removeTags" | "details"> & {
  details?: Details;
  tags: TagAmendment | undefined;
};

/** A track that is changed, the time of the change, and where pictures are kept. */
type Place = StepDeps & { track: OwnedTrack; at: number };
type StepDeps = Pick<Deps, "settings" | "ffmpegPath">;

/** Does one part of a plan to a track, when the plan has it. Undefined: nothing is different. */
type Change = (tx: Db, place: Place, plan: Plan) => Step | readonly Step[] | undefined;

const changeCredits: Change = (tx, { track, at }, { shareholders }) => {
  if (!shareholders) return undefined;
  const replaced = changeShareholders(tx, { ownerId: track.ownerId, trackId: track.id, shareholders }, at);
  return replaced && { kind: "shareholders", replaced };
};

const changeDetails: Change = (tx, { settings, track, at }, { details }) => {
  if (!details) return undefined;
  const { id: trackId, ownerId } = track;
  const { changed, replaced, name } = applyDetails(tx, { settings }, { trackId, details });
  if (changed.length === 0) return undefined;
  emit(tx, ownerId, "track.updated", { trackId, name, changed }, at);
  return { kind: "details", replaced };
};

const changeTags: Change = (tx, { track: { id: trackId, ownerId }, at }, { tags }) => {
  const amended = tags ? amendTags(tx, { ownerId, trackId }, tags, at) : [];
  return amended.length > 0 ? { kind: "tags", amended } : undefined;
};

const changeVisible: Change = (tx, { track, at }, { visible }) => {
  if (visible === undefined || !showTrack(tx, track, visible, at)) return undefined;
  return { kind: "visible", versionId: track.activeVersionId, isVisible: visible };
};

const addToPlaylist: Change = (tx, { track, at }, { addToPlaylist: playlistId, dedupe = false }) => {
  if (playlistId === undefined) return undefined;
  const place = placeTrack(tx, { playlistId, trackId: track.id, dedupe }, at);
  return place === undefined ? undefined : { kind: "place", playlistId, place };
};

const analyseAgain: Change = (tx, { track, at }, { retag }) => {
  if (!retag) return undefined;
  requestAnalysis(tx, track.id, at);
  return { kind: "retag" };
};

const moveToBin: Change = (tx, { track, at }, plan) => {
  if (!plan.delete) return undefined;
  binTrack(tx, track, at);
  return { kind: "delete" };
};

const joinFamily: Change = (tx, { track: { id: trackId, ownerId }, at }, plan) =>
  plan.keepTogether && keepTogether(tx, { ownerId, trackId, at }, plan.keepTogether);

const changeVersion: Change = (tx, place, { version }) => version && changeVersions(tx, place, version);

/** What may be refused comes first: nothing of the track is changed then. */
const CHANGES = [
  changeCredits,
  changeDetails,
  changeTags,
  changeVersion,
  changeVisible,
  addToPlaylist,
  joinFamily,
  analyseAgain,
  moveToBin,
];

/** What somebody must be allowed to do who takes steps back: what the change needed. */
export function needsOf(steps: readonly Step[]): Need[] {
  return [...new Set(steps.flatMap(needOf))];
}

function needOf(step: Step): Need[] {
  if (step.kind === "shareholders") return ["update:composer"];
  if (step.kind === "place") return ["update:playlists"];
  // Who may open which note again, the notes say.
  if (step.kind === "answered") return ["create:comments"];
  if (step.kind !== "rows") return ["update:tracks"];
  return step.rows.map(({ table }) => NEED_OF_TABLE[table] ?? "update:tracks");
}

const NEED_OF_TABLE: Readonly<Record<string, Need>> = {
  composers: "update:composer",
  track_shareholders: "update:composer",
  playlists: "update:playlists",
  playlist_tracks: "update:playlists",
};

/** A track of an account, and the time at which it is changed. */
export type Target = { ownerId: LibraryId; trackId: string; at: number };

/**
 * Applies a plan to a track. Call it inside a transaction. Returns the changed parts.
 *
 * @throws DomainError `track_not_found`.
 */
export function applyPlan(
  tx: Db,
  { settings, ffmpegPath }: StepDeps,
  { ownerId, trackId, at }: Target,
  plan: Plan,
): Step[] {
  const place = { settings, ffmpegPath, track: getOwnedTrack(tx, ownerId, trackId), at };
  return CHANGES.flatMap((change) => change(tx, place, plan) ?? []);
}

/** Returns the keys of the pictures that steps put on a track or took off it: one may show nowhere any more. */
export function picturesOf(steps: readonly Step[]): string[] {
  return steps.flatMap((step) => {
    if (step.kind !== "details") return [];
    const { former, written } = step.replaced;
    return [former.cover, written.cover].filter((key) => typeof key === "string");
  });
}

/** Undoes the steps on a track, the last first, except where the track was changed since. Call it inside a transaction. */
export function undoSteps(tx: Db, deps: StepDeps, target: Target, steps: readonly Step[]): void {
  for (const step of steps.toReversed()) undoStep(tx, deps, target, step);
}

function undoStep(tx: Db, { ffmpegPath }: StepDeps, { ownerId, trackId, at }: Target, step: Step): void {
  if (step.kind === "delete") {
    unbinTrack(tx, ownerId, trackId, at);
    return;
  }
  const track = getOwnedTrack(tx, ownerId, trackId);
  if (step.kind === "tags") undoAmendment(tx, { ownerId, trackId }, step.amended, at);
  if (step.kind === "place" && hasPlaylist(tx, ownerId, step.playlistId))
    unplaceTrack(tx, { ...step, trackId }, at);
  if (step.kind === "visible" && track.activeVersionId === step.versionId)
    showTrack(tx, track, !step.isVisible, at);
  if (step.kind === "family") undoFamily(tx, { ownerId, trackId, at }, step);
  if (step.kind === "details") bringBackDetails(tx, track, step.replaced, at);
  if (step.kind === "shareholders") undoShareholders(tx, { ownerId, trackId }, step.replaced, at);
  undoVersions(tx, { ffmpegPath, track, at }, step);
}

function bringBackDetails(
  tx: Db,
  { id: trackId, ownerId }: OwnedTrack,
  replaced: ReplacedDetails,
  at: number,
): void {
  const changed = undoDetails(tx, trackId, replaced);
  const name = findOwnedTrack(tx, ownerId, trackId)?.name ?? "";
  if (changed.length > 0) emit(tx, ownerId, "track.updated", { trackId, name, changed }, at);
}
