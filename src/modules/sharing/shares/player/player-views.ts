import { dayOf } from "../../../../kernel/dates.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import { pageRootOf } from "../../../../pages/paths.ts";
import type { PlayerRows, PlayerTrack } from "../../../../pages/player/model.ts";
import type { PlayerPageProps } from "../../../../pages/player/pages.tsx";
import { clock } from "../../../../pages/waveform.ts";
import { witnessed } from "../../../proof/ledger/service.ts";
import { nameOf } from "../mails/recipient.ts";
import type { ShareRow } from "../queries.ts";
import { approvalOf, type Viewer } from "./approval-views.ts";
import { ALL } from "./archive.ts";
import { toPlayerLyrics } from "./lyrics-views.ts";
import { pitchOf } from "./pitch-views.ts";
import type { MusicSource, SharedMusic, SharedTrack, TrackSlice } from "./player-data.ts";
import { commentsOf, type PageParts } from "./thread-views.ts";

/** Returns everything that a link's page shows. @throws DomainError `validation_failed` for a wrong cursor. */
export function playerProps(
  deps: Deps,
  share: ShareRow,
  source: MusicSource,
  music: SharedMusic,
  parts: PageParts,
  viewer: Viewer,
): PlayerPageProps {
  const { slice, ownerName } = music;
  const asked = { tracks: slice.tracks, ownerName, after: parts.after, right: parts.right };
  const approval = approvalOf(deps, share, source, asked, viewer);
  const without = approval?.notes.map(({ id }) => id) ?? [];
  return {
    ...musicProps(deps, source, music, parts.after),
    ownerName: music.ownerName,
    recipient: nameOf(share.recipient) || null,
    openUntil: share.expiresAt === null ? undefined : dayOf(share.expiresAt),
    witnessed: witnessedBy(deps, share),
    preview: previewOf(music),
    seenPath: `${pageRootOf(deps.settings)}${music.pagePath}/seen`,
    sendsParts: share.noteParts,
    comments: share.allowComments ? commentsOf(deps, share, source, parts, without) : undefined,
    approval,
    pitch: pitchOf(deps, share, source, asked, viewer),
  };
}

/** Every recipient becomes a witness of the library's ledger. */
function witnessedBy({ db }: Deps, { ownerId }: ShareRow): PlayerPageProps["witnessed"] {
  const head = witnessed(db, ownerId);
  return head && { size: head.size, root: head.root, day: dayOf(head.at) };
}

/** Returns what pages of links and the owner's page have in common. */
export function musicProps(deps: Deps, source: MusicSource, music: SharedMusic, after: string | null) {
  const root = pageRootOf(deps.settings);
  const { entity, name, description, album, waveform, trackCount, durationSec } = music;
  return {
    root,
    entity,
    name,
    description,
    album,
    picture: music.cover === null ? undefined : `${root}/artwork/${music.cover}`,
    seed: source.entityId,
    rows: rowsProps(root, source, music.slice),
    also: music.also.map((track) => toPlayerTrack(root, track)),
    trackCount,
    durationSec,
    downloadAllPath: hasArchive(music)
      ? `${root}${source.pagePath}/download?${source.prove("download", ALL)}`
      : undefined,
    beginningHref: after === null || entity === "track" ? undefined : root + source.pagePath,
    waveform,
  };
}

/** True when there are several tracks, and some can be downloaded. */
function hasArchive({ entity, trackCount, also, slice }: SharedMusic): boolean {
  const isSeveral = entity === "playlist" ? trackCount > 1 : also.length > 0;
  return isSeveral && [...slice.tracks, ...also].some(({ downloadPath }) => downloadPath !== undefined);
}

/** Returns a part of a list, as pages show it. */
export function rowsProps(root: string, { pagePath, prove }: MusicSource, slice: TrackSlice): PlayerRows {
  const { tracks, firstNumber, next } = slice;
  const page = `${root}${pagePath}`;
  return {
    tracks: tracks.map((track) => toPlayerTrack(root, track)),
    firstNumber,
    next:
      next === undefined
        ? undefined
        : {
            pageHref: `${page}?after=${next}`,
            listHref: `${page}/tracks?after=${next}&${prove("read", "")}`,
          },
  };
}

/** Returns the preview of a pasted link, which never contains the audio. */
export function previewOf(music: SharedMusic) {
  const { entity, name, album, slice, trackCount, ownerName, pictureUrl, pageUrl } = music;
  const [first] = slice.tracks;
  const isTrack = entity === "track";
  const artist = isTrack ? first?.artist : album?.artist;
  const length = first?.durationSec ? `${clock(first.durationSec)}, shared` : "Shared";
  const count = trackCount === 1 ? "1 track" : `${trackCount} tracks`;
  return {
    title: artist ? `${name} – ${artist}` : name,
    description: `${isTrack ? length : `${count}, shared`} by ${ownerName}`,
    image: pictureUrl,
    url: pageUrl,
    type: isTrack ? ("music.song" as const) : album ? ("music.album" as const) : ("music.playlist" as const),
  };
}

function toPlayerTrack(root: string, track: SharedTrack): PlayerTrack {
  const picture = track.cover === null ? undefined : `${root}/artwork/${track.cover}`;
  return {
    id: track.id,
    versionId: track.versionId,
    title: track.title,
    artist: track.artist,
    durationSec: track.durationSec,
    isPending: track.isPending,
    thumbnail: picture && `${picture}?size=thumbnail`,
    picture,
    sources: track.sources.map(({ path, type }) => ({ path: root + path, type })),
    waveformPath: root + track.waveformPath,
    downloadPath: track.downloadPath && root + track.downloadPath,
    gainDb: track.gainDb,
    details: track.details,
    kind: track.kind,
    lyrics: track.lyrics && toPlayerLyrics(track.lyrics),
  };
}
