import { mayDo, type SessionActor } from "../../../kernel/actor.ts";
import { createSlices } from "../../../kernel/breather.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { matchedGain } from "../../../kernel/loudness.ts";
import { toIso } from "../../../kernel/time.ts";
import { artworkUrl } from "../../library/artwork/service.ts";
import { copyUrl, originalFile, playedFile, renditionUrl } from "../../library/files/service.ts";
import {
  isBeingPrepared,
  isPlayedItself,
  listPlayable,
  type Playable,
} from "../../library/renditions/service.ts";
import * as queries from "./queries.ts";
import { type KeptAudio, LEASE_MS, MAX_KEPT_TRACKS, type SyncDevice, type Synced } from "./shapes.ts";

type SyncDeps = Pick<Deps, "db" | "now" | "log" | "secrets" | "settings">;

/**
 * Returns what a device is to keep from now on, and how long it may play it.
 *
 * @param accepts The media types that the device plays.
 * @throws DomainError `too_many_tracks`.
 */
export async function whatToKeep(
  deps: SyncDeps,
  actor: SessionActor,
  { wants, has }: SyncDevice,
  accepts: readonly string[],
): Promise<Synced> {
  const { accountId } = actor;
  const idsOf = (entity: string) => wants.filter((want) => want.entity === entity).map(({ id }) => id);
  const lists = queries
    .selectLists(deps.db, accountId, idsOf("playlist"))
    .map((list): Synced["lists"][number] => ({ ...list, trackIds: JSON.parse(list.trackIds) }));
  const ids = [...new Set([...lists.flatMap(({ trackIds }) => trackIds), ...idsOf("track")])];
  if (ids.length > MAX_KEPT_TRACKS)
    throw new DomainError("too_many_tracks", `A device keeps at most ${MAX_KEPT_TRACKS} tracks`);
  const { breathe } = createSlices();
  const tracks: Synced["tracks"] = [];
  for (const row of queries.selectTracks(deps.db, accountId, ids)) {
    tracks.push(toTrack(deps, actor, row, accepts));
    await breathe();
  }
  const kept = new Set(tracks.map(({ versionId }) => versionId));
  const gone = [...new Set(has.map(({ versionId }) => versionId))].filter((id) => !kept.has(id));
  return { leaseUntil: toIso(deps.now() + LEASE_MS), lists, tracks, gone };
}

function toTrack(
  deps: SyncDeps,
  actor: SessionActor,
  row: queries.KeptTrack,
  accepts: readonly string[],
): Synced["tracks"][number] {
  const version = servedVersion(row);
  const audio = audioOf(deps, actor, version, accepts);
  return {
    trackId: row.id,
    versionId: row.versionId,
    title: row.title ?? row.name,
    artist: row.artist,
    label: row.label ?? `v${row.versionOrder}`,
    cover: row.cover === null ? null : artworkUrl(deps.settings, row.cover),
    durationSec: row.durationSec,
    gainDb: matchedGain(row),
    audio,
    retryAfterSec: audio === null && isBeingPrepared(deps, version) ? 30 : null,
  };
}

const servedVersion = (row: queries.KeptTrack) => ({
  id: row.versionId,
  trackId: row.id,
  name: row.fileName,
  sha256: row.sha256,
  sizeBytes: row.sizeBytes,
  mediaType: row.mediaType,
  createdAt: row.createdAt,
});

/** Null while there is nothing for this person to keep: the rendition is being made, or there is only an original that they may not have. */
function audioOf(
  deps: SyncDeps,
  actor: SessionActor,
  version: ReturnType<typeof servedVersion>,
  accepts: readonly string[],
): KeptAudio | null {
  const playable = listPlayable(deps, version);
  const played = playable.find(({ mediaType }) => accepts.includes(mediaType)) ?? playable[0];
  if (played.kind === "original") {
    if (isBeingPrepared(deps, version)) return null;
    if (!mayDo(actor, "download:originals") && !isPlayedItself(deps, version)) return null;
  }
  const file = fileOf(deps, version, played);
  if (!file) return null;
  const { mediaType, sizeBytes, etag } = file;
  return { url: urlOf(deps, version, played), mediaType, sizeBytes, etag };
}

function urlOf(deps: SyncDeps, version: ReturnType<typeof servedVersion>, played: Playable): string {
  if (played.kind === "original") return copyUrl(deps, version);
  const url = new URL(renditionUrl(deps, { ...version, mediaType: played.mediaType }));
  url.searchParams.set("as", played.kind);
  return url.href;
}

function fileOf(deps: SyncDeps, version: ReturnType<typeof servedVersion>, played: Playable) {
  try {
    return played.kind === "original" ? originalFile(deps, version) : playedFile(deps, version, played);
  } catch (error) {
    if (error instanceof DomainError && error.code === "file_missing") return undefined;
    throw error;
  }
}
