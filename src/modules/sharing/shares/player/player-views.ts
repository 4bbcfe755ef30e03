import type { Deps } from "../../../../kernel/deps.ts";
import { decodeCursor, encodeCursor } from "../../../../kernel/paging.ts";
import { dayOf } from "../../../../pages/dates.ts";
import { pageRootOf } from "../../../../pages/paths.ts";
import type {
  PlayerComment,
  PlayerComments,
  PlayerRows,
  PlayerTrack,
} from "../../../../pages/player/model.ts";
import type { PlayerPageProps } from "../../../../pages/player/pages.tsx";
import { clock } from "../../../../pages/waveform.ts";
import { titleOf } from "../../../library/catalog/service.ts";
import { listLinkComments } from "../../comments/service.ts";
import { MAX_COMMENT, MAX_VISITOR_NAME } from "../../comments/shapes.ts";
import { proofOf } from "../access/proofs.ts";
import { selectTitles } from "../page-queries.ts";
import type { ShareRow } from "../queries.ts";
import { ALL } from "./media.ts";
import { fitting, htmlBytes } from "./page-budget.ts";
import type { MusicSource, SharedMusic, SharedTrack, TrackSlice } from "./player-data.ts";

/** How many comments a page shows, or fewer long ones. */
const MAX_COMMENTS = 200;
const MAX_COMMENTS_BYTES = 60_000;
/** Bytes of a comment without its texts. */
const COMMENT_BYTES = 450;

/** The parts of its lists that a page shows, as cursors; null for the beginning. */
export type PageParts = { after: string | null; before: string | null };

/** Returns the parts that an address requests. */
export function partsOf({ url }: Request): PageParts {
  const { searchParams } = new URL(url);
  return { after: searchParams.get("after"), before: searchParams.get("before") };
}

/** Returns everything that a link's page shows. @throws DomainError `validation_failed` for a wrong cursor. */
export function playerProps(
  deps: Deps,
  share: ShareRow,
  source: MusicSource,
  music: SharedMusic,
  parts: PageParts,
): PlayerPageProps {
  return {
    ...musicProps(deps, source, music, parts.after),
    ownerName: music.ownerName,
    recipient: share.recipient,
    openUntil: share.expiresAt === null ? undefined : dayOf(share.expiresAt),
    preview: previewOf(music),
    seenPath: `${pageRootOf(deps.settings)}${music.pagePath}/seen`,
    comments: share.allowComments ? commentsOf(deps, share, source, parts) : undefined,
  };
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
    trackCount,
    durationSec,
    downloadAllPath:
      source.allowDownload && entity === "playlist" && trackCount > 1
        ? `${root}${source.pagePath}/download?${source.prove("download", ALL)}`
        : undefined,
    beginningHref: after === null || entity === "track" ? undefined : root + source.pagePath,
    waveform,
  };
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
  };
}

/** Returns a part of a link's comments. @throws DomainError `validation_failed` for a wrong cursor. */
export function commentList(
  deps: Deps,
  share: ShareRow,
  source: MusicSource,
  { after, before }: PageParts,
): Pick<PlayerComments, "items" | "next"> {
  const list = `comments of ${share.id}`;
  const place = before === null ? undefined : decodeCursor(before, list);
  const found = listLinkComments(deps, share, {
    limit: MAX_COMMENTS + 1,
    after: place && { at: Number(place.key), id: place.id },
  });
  const titles = share.entity === "playlist" ? titlesOf(deps, found) : undefined;
  const comments = found.map((comment) => ({ ...comment, title: titles?.get(comment.trackId) }));
  const shown = fitting(comments.slice(0, MAX_COMMENTS), MAX_COMMENTS_BYTES, bytesOf);
  const last = shown.length < found.length ? shown.at(-1) : undefined;
  const cursor = last && encodeCursor(Date.parse(last.createdAt), last.id, list);
  const page = `${pageRootOf(deps.settings)}${source.pagePath}`;
  return {
    items: shown.map((comment) => ({ ...toPlayerComment(comment), title: comment.title })),
    next:
      cursor === undefined
        ? undefined
        : {
            pageHref: `${page}?${after === null ? "" : `after=${encodeURIComponent(after)}&`}before=${cursor}#comments`,
            listHref: `${page}/comments?before=${cursor}&${source.prove("read", "")}`,
          },
  };
}

type LinkComment = ReturnType<typeof listLinkComments>[number];

function titlesOf({ db }: Deps, comments: readonly LinkComment[]): Map<string, string> {
  const ids = comments.map(({ trackId }) => trackId);
  return new Map(selectTitles(db, ids).map((track) => [track.id, titleOf(track)]));
}

const bytesOf = ({ text, author, title, versionLabel }: LinkComment & { title: string | undefined }) =>
  COMMENT_BYTES + htmlBytes(text) + htmlBytes(author.name) + htmlBytes(title) + htmlBytes(versionLabel);

function commentsOf(deps: Deps, share: ShareRow, source: MusicSource, parts: PageParts): PlayerComments {
  const page = `${pageRootOf(deps.settings)}${source.pagePath}`;
  return {
    ...commentList(deps, share, source, parts),
    action: `${page}/comments${parts.after === null ? "" : `?after=${encodeURIComponent(parts.after)}`}`,
    newestHref: parts.before === null ? undefined : `${page}#comments`,
    longest: { text: MAX_COMMENT, name: MAX_VISITOR_NAME },
    proof: proofOf(deps, share, "comment"),
  };
}

/** Returns a comment, as pages show it. */
export function toPlayerComment({
  id,
  trackId,
  author,
  text,
  positionSec,
  createdAt,
  ...heard
}: LinkComment): PlayerComment {
  const { versionId, versionLabel, hasOthers } = heard;
  const date = dayOf(Date.parse(createdAt));
  return { id, trackId, name: author.name, text, positionSec, date, versionId, versionLabel, hasOthers };
}
