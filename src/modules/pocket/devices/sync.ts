import { mayDo, type SessionActor } from "../../../kernel/actor.ts";
import { createSlices } from "../../../kernel/breather.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { matchedGain } from "../../../kernel/loudness.ts";
import { askedOnce } from "../../../kernel/secrets.ts";
import { toIso } from "../../../kernel/time.ts";
import { artworkUrl } from "../../library/artwork/service.ts";
import {
  copyUrl,
  originalFile,
  playedFile,
  renditionUrl,
  type ServedVersion,
  tagOf,
} from "../../library/files/service.ts";
import {
  isBeingPrepared,
  isPlayedItself,
  listPlayable,
  listRecorded,
  type Playable,
  type Recorded,
  type RenditionRow,
  rowsByOriginal,
} from "../../library/renditions/service.ts";
import * as queries from "./queries.ts";
import { type KeptAudio, LEASE_MS, MAX_KEPT_TRACKS, type SyncDevice, type Synced } from "./shapes.ts";

type SyncDeps = Pick<Deps, "db" | "now" | "log" | "secrets" | "settings">;

/** Tracks that are looked at before others get their turn. */
const BATCH = 100;
const RETRY_AFTER_SEC = 30;

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
  const [listIds, trackIds] = [idsOf("playlist"), idsOf("track")];
  const lists = queries
    .selectLists(deps.db, accountId, listIds)
    .map((list): Synced["lists"][number] => ({ ...list, trackIds: JSON.parse(list.trackIds) }));
  const ids = [...new Set([...lists.flatMap(({ trackIds }) => trackIds), ...trackIds])];
  if (ids.length > MAX_KEPT_TRACKS)
    throw new DomainError("too_many_tracks", `A device keeps at most ${MAX_KEPT_TRACKS} tracks`);
  const tracks: Synced["tracks"] = [];
  const tags = new Map(has.map(({ versionId, etag }) => [versionId, etag]));
  const { breathe } = createSlices();
  for (let from = 0; from < ids.length; from += BATCH) {
    tracks.push(...tracksOf(deps, actor, ids.slice(from, from + BATCH), { accepts, tags }));
    await breathe();
  }
  const kept = new Set(tracks.map(({ versionId }) => versionId));
  const gone = [...new Set(has.map(({ versionId }) => versionId))].filter((id) => !kept.has(id));
  const hidden = queries.selectHidden(deps.db, accountId, { listIds, trackIds }, MAX_KEPT_TRACKS);
  return { leaseUntil: toIso(deps.now() + LEASE_MS), lists, tracks, hidden, gone };
}

/** What a device says of itself: the media types that it plays, and the tags of the versions that it has. */
type Having = { accepts: readonly string[]; tags: ReadonlyMap<string, string | undefined> };

function tracksOf(
  deps: SyncDeps,
  actor: SessionActor,
  ids: readonly string[],
  having: Having,
): Synced["tracks"] {
  const rows = queries.selectTracks(deps.db, actor.accountId, ids);
  const renditions = rowsByOriginal(
    deps.db,
    rows.map(({ sha256 }) => sha256),
  );
  const now = { ...deps, secrets: askedOnce(deps.secrets) };
  return rows.map((row) => {
    const version = { ...row, id: row.versionId, trackId: row.id, name: row.fileName };
    const audio = audioOf(now, actor, version, renditions.get(row.sha256) ?? [], having);
    return {
      trackId: row.id,
      versionId: row.versionId,
      title: row.title ?? row.name,
      artist: row.artist,
      label: row.label ?? `v${row.versionOrder}`,
      cover: row.cover === null ? null : artworkUrl(deps.settings, row.cover),
      durationSec: row.durationSec,
      gainDb: matchedGain(row),
      hasOutline: row.isAnalysed === 1,
      audio,
      retryAfterSec: audio === null && isBeingPrepared(deps, version) ? RETRY_AFTER_SEC : null,
    };
  });
}

/** Null while there is nothing for this person to keep: the rendition is being made, or there is only an original that they may not have. */
function audioOf(
  deps: SyncDeps,
  actor: SessionActor,
  version: ServedVersion,
  renditions: readonly RenditionRow[],
  { accepts, tags }: Having,
): KeptAudio | null {
  const bestOf = <Each extends { mediaType: string }>(all: readonly [Each, ...Each[]]): Each =>
    all.find(({ mediaType }) => accepts.includes(mediaType)) ?? all[0];
  const tag = tags.get(version.id);
  const recorded = tag === undefined ? undefined : bestOf(listRecorded(version, renditions));
  // Whoever has this file already needs neither its address nor the file itself.
  if (recorded && tag === tagOf(deps, version, recorded))
    return mayKeep(deps, actor, version, recorded) ? { ...toKept(version, recorded), etag: tag } : null;
  const played = bestOf(listPlayable(deps, version, renditions));
  const file = mayKeep(deps, actor, version, played) ? fileOf(deps, version, played) : undefined;
  return file ? { ...toKept(version, played), etag: file.etag, url: urlOf(deps, version, played) } : null;
}

const toKept = ({ sizeBytes }: ServedVersion, played: Recorded) => ({
  mediaType: played.mediaType,
  sizeBytes: played.kind === "original" ? sizeBytes : played.sizeBytes,
});

function mayKeep(
  deps: SyncDeps,
  actor: SessionActor,
  version: ServedVersion,
  { kind }: Pick<Recorded, "kind">,
): boolean {
  if (kind !== "original") return true;
  if (isBeingPrepared(deps, version)) return false;
  return mayDo(actor, "download:originals") || isPlayedItself(deps, version);
}

function urlOf(deps: SyncDeps, version: ServedVersion, played: Playable): string {
  if (played.kind === "original") return copyUrl(deps, version);
  return `${renditionUrl(deps, { ...version, mediaType: played.mediaType })}&as=${played.kind}`;
}

function fileOf(deps: SyncDeps, version: ServedVersion, played: Playable) {
  try {
    return played.kind === "original" ? originalFile(deps, version) : playedFile(deps, version, played);
  } catch (error) {
    if (error instanceof DomainError && error.code === "file_missing") return undefined;
    throw error;
  }
}
