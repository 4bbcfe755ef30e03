import type { Deps } from "../../kernel/deps.ts";
import { artworkUrl } from "../artwork/service.ts";
import { listPlayable } from "../renditions/service.ts";
import { publicPageUrl } from "./links.ts";
import * as queries from "./page-queries.ts";
import { grant } from "./proofs.ts";
import type { ShareRow } from "./queries.ts";

type PlayerDeps = Pick<Deps, "db" | "now" | "secrets" | "settings">;

/** Where matched playback brings every track, if its peaks leave room: what streaming services play at. */
const TARGET_LUFS = -14;
/** What no track's true peak goes over, so that no converter clips. */
const CEILING_DBTP = -1;

/** A track as the player shows and plays it; addresses are paths behind the page root. */
export type SharedTrack = {
  id: string;
  versionId: string;
  title: string;
  artist: string | null;
  /** Null while the track was not analysed. */
  durationSec: number | null;
  /** Storage key of the picture; null: none. */
  cover: string | null;
  /** The first that a browser can play is the one to play. */
  sources: readonly { path: string; type: string }[];
  waveformPath: string;
  /** Undefined where the link allows no downloads. */
  downloadPath: string | undefined;
  /** What matched playback changes it by, in dB; 0 where nothing was measured. */
  gainDb: number;
};

/** What a link's page shows. */
export type SharedMusic = {
  entity: ShareRow["entity"];
  name: string;
  description: string | null;
  /** Storage key of the playlist's or track's own picture. */
  cover: string | null;
  /** Absolute address of a picture for previews. */
  pictureUrl: string | undefined;
  pageUrl: string;
  /** Behind the page root. */
  pagePath: string;
  ownerName: string;
  tracks: SharedTrack[];
  /** Outline of the first track; undefined while there is none. */
  waveform: Uint8Array | undefined;
};

/** Returns what a link opens, undefined when its track or playlist was deleted. */
export function sharedMusic(deps: PlayerDeps, share: ShareRow): SharedMusic | undefined {
  const rows = queries.selectTracks(deps.db, share);
  const [first] = rows;
  const whole = wholeOf(deps.db, share, first);
  if (!whole) return undefined;
  const pagePath = `/${share.entity}/${share.token}`;
  const picture = whole.cover ?? rows.find(({ cover }) => cover !== null)?.cover;
  return {
    ...whole,
    entity: share.entity,
    pictureUrl: picture ? artworkUrl(deps.settings, picture) : undefined,
    pageUrl: publicPageUrl(deps, share.entity, share.token),
    pagePath,
    ownerName: queries.findOwnerName(deps.db, share.ownerId) ?? "",
    tracks: rows.map((row) => toTrack(deps, share, pagePath, row)),
    waveform: first && queries.findWaveform(deps.db, first.versionId),
  };
}

/** What a link says of the track or playlist as a whole. */
function wholeOf(
  db: Deps["db"],
  { entity, ownerId, entityId }: ShareRow,
  track: queries.SharedTrackRow | undefined,
): Pick<SharedMusic, "name" | "description" | "cover"> | undefined {
  if (entity === "track") return track && { name: titleOf(track), description: null, cover: track.cover };
  const playlist = queries.findPlaylist(db, ownerId, entityId);
  return playlist && { name: playlist.name, description: playlist.description, cover: playlist.image };
}

function toTrack(
  deps: PlayerDeps,
  share: ShareRow,
  pagePath: string,
  row: queries.SharedTrackRow,
): SharedTrack {
  const { versionId } = row;
  const listen = `${versionId}?${grant(deps, share, "listen", versionId)}`;
  return {
    id: row.id,
    versionId,
    title: titleOf(row),
    artist: row.artist,
    durationSec: row.durationSec,
    cover: row.cover,
    sources: sourcesOf(`${pagePath}/listen/${listen}`, listPlayable(deps, row)),
    waveformPath: `${pagePath}/waveform/${listen}`,
    downloadPath: share.allowDownload
      ? `${pagePath}/download/${versionId}?${grant(deps, share, "download", versionId)}`
      : undefined,
    gainDb: matchedGain(row),
  };
}

function sourcesOf(path: string, playable: ReturnType<typeof listPlayable>): SharedTrack["sources"] {
  const [{ type }, second] = playable;
  return second
    ? playable.map((one) => ({ path: `${path}&as=${one.kind}`, type: one.type }))
    : [{ path, type }];
}

/** Returns what brings a track to the common loudness without its true peak going over the ceiling, in dB. */
export function matchedGain({
  integratedLufs,
  truePeakDbtp,
}: Pick<queries.SharedTrackRow, "integratedLufs" | "truePeakDbtp">): number {
  if (integratedLufs === null) return 0;
  // Without a peak nobody knows how much room there is: then it is only made softer.
  const headroom = truePeakDbtp === null ? 0 : CEILING_DBTP - truePeakDbtp;
  return Math.round(10 * Math.min(TARGET_LUFS - integratedLufs, headroom)) / 10;
}

/** The title, or the file's name without what only says which kind of file it is. */
function titleOf({ title, name }: queries.SharedTrackRow): string {
  return (
    title ??
    (name.replace(
      /\.(wav|wave|w64|aiff?|aifc|flac|mp[23]|m4a|mp4|aac|ogg|oga|opus|caf|wv|wma|au|snd|ac3|tta|dsf|ape)$/i,
      "",
    ) ||
      name)
  );
}
