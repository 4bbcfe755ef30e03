import type { Deps } from "../../kernel/deps.ts";
import { pageRootOf } from "../../pages/paths.ts";
import type { PlayerComment, PlayerTrack } from "../../pages/player/model.ts";
import type { PlayerPageProps } from "../../pages/player/pages.tsx";
import { clock } from "../../pages/waveform.ts";
import { listLinkComments } from "../comments/service.ts";
import type { SharedMusic, SharedTrack } from "./player-data.ts";
import { proofOf } from "./proofs.ts";
import type { ShareRow } from "./queries.ts";

/** So many of what was said stand on a page. */
const MAX_COMMENTS = 200;
const days = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });

/** Returns everything that a link's page shows. */
export function playerProps(deps: Deps, share: ShareRow, music: SharedMusic): PlayerPageProps {
  const root = pageRootOf(deps.settings);
  const { entity, name, description, ownerName, waveform } = music;
  return {
    root,
    entity,
    name,
    description,
    picture: music.cover === null ? undefined : `${root}/artwork/${music.cover}`,
    seed: share.entityId,
    ownerName,
    recipient: share.recipient,
    openUntil: share.expiresAt === null ? undefined : days.format(share.expiresAt),
    preview: previewOf(music),
    tracks: music.tracks.map((track) => toPlayerTrack(root, track)),
    seenPath: `${root}${music.pagePath}/seen`,
    waveform,
    comments: share.allowComments ? commentsOf(deps, share, `${root}${music.pagePath}/comments`) : undefined,
  };
}

/** Returns what shows where a link is pasted: never the audio. */
export function previewOf({ entity, name, tracks, ownerName, pictureUrl, pageUrl }: SharedMusic) {
  const [first] = tracks;
  const isTrack = entity === "track";
  const artist = isTrack ? first?.artist : undefined;
  const length = first?.durationSec ? `${clock(first.durationSec)}, shared` : "Shared";
  const count = tracks.length === 1 ? "1 track" : `${tracks.length} tracks`;
  return {
    title: artist ? `${name} – ${artist}` : name,
    description: `${isTrack ? length : `${count}, shared`} by ${ownerName}`,
    image: pictureUrl,
    url: pageUrl,
    type: isTrack ? ("music.song" as const) : ("music.playlist" as const),
  };
}

function toPlayerTrack(root: string, track: SharedTrack): PlayerTrack {
  const picture = track.cover === null ? undefined : `${root}/artwork/${track.cover}`;
  return {
    id: track.id,
    title: track.title,
    artist: track.artist,
    durationSec: track.durationSec,
    thumbnail: picture && `${picture}?size=thumbnail`,
    picture,
    listenPath: root + track.listenPath,
    waveformPath: root + track.waveformPath,
    downloadPath: track.downloadPath && root + track.downloadPath,
    gainDb: track.gainDb,
  };
}

function commentsOf(deps: Deps, share: ShareRow, action: string) {
  const items: PlayerComment[] = listLinkComments(deps, share.id, MAX_COMMENTS).map(toPlayerComment);
  return { items, action, proof: proofOf(deps, share, "comment") };
}

/** Returns a comment as pages show it. */
export function toPlayerComment({
  id,
  trackId,
  author,
  text,
  positionSec,
  createdAt,
}: ReturnType<typeof listLinkComments>[number]): PlayerComment {
  return { id, trackId, name: author.name, text, positionSec, date: days.format(Date.parse(createdAt)) };
}
