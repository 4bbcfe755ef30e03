import type { Deps } from "../../../../kernel/deps.ts";
import { matchedGain } from "../../../../kernel/loudness.ts";
import { decodeCursor, encodeCursor } from "../../../../kernel/paging.ts";
import { publicUrlOf } from "../../../../kernel/settings.ts";
import { artworkUrl } from "../../../library/artwork/service.ts";
import { titleOf } from "../../../library/catalog/service.ts";
import type { TrackLyrics } from "../../../library/lyrics/service.ts";
import { listPlayable } from "../../../library/renditions/service.ts";
import { hasMarkedDownload, MARKED_SOURCES } from "../../marks/service.ts";
import { grant, type Right } from "../access/proofs.ts";
import { type AnswerRow, selectOfShare } from "../answers/queries.ts";
import * as queries from "../page-queries.ts";
import type { ShareRow } from "../queries.ts";
import { detailLines } from "./details.ts";
import { albumGain } from "./gain.ts";
import { lyricsBytes, lyricsReader } from "./lyrics.ts";
import { fitting, htmlBytes } from "./page-budget.ts";
import { type OpenedTrack, openedWith } from "./set.ts";
import { sourcesOf } from "./sources.ts";

type PlayerDeps = Pick<Deps, "db" | "now" | "secrets" | "settings">;

/** How many tracks a page shows. With long titles it shows fewer, to keep pages under 500 KB. */
const MAX_ROWS = 200;
const MAX_ROWS_BYTES = 345_000;
/** The notes on earlier versions need the rest of the page. */
const MAX_ASKING_ROWS_BYTES = 280_000;
/** Bytes of a row without its texts, and how often it contains them. */
const ROW_BYTES = 1630;
const TITLES_IN_ROW = 6;
const ARTISTS_IN_ROW = 2;
/** The most bytes of what is asked about a row's track: for approval, and for an answer without its note. */
const ASKING_BYTES = 3900;
const ANSWER_BYTES = 1500;
/** Of an answer that was given, and how often the row contains its note. */
const ANSWERED_BYTES = 1300;
const NOTES_IN_ROW = 2;
/** Longer playlists do not show their duration: every visit would add up all tracks. */
const MAX_SUMMED = 1000;

/** A track, as the player shows and plays it. Addresses are paths relative to the page root. */
export type SharedTrack = {
  id: string;
  versionId: string;
  title: string;
  artist: string | null;
  /** Null until the track is analysed. */
  durationSec: number | null;
  /** True while it is being analysed. */
  isPending: boolean;
  /** Storage key of the picture, or null. */
  cover: string | null;
  /** The browser plays the first one that it can. */
  sources: readonly { path: string; type: string }[];
  waveformPath: string;
  /** Undefined if the link does not allow downloads. */
  downloadPath: string | undefined;
  /** Gain of matched playback in dB; 0 without a measurement. */
  gainDb: number;
  /** Tempo, key and credits; undefined if the link does not show them. */
  details: string | undefined;
  /** Of a set: what it is there, such as `Instrumental, 30 s`. */
  kind?: string | undefined;
  /** Undefined if the link does not show the words, or there are none. */
  lyrics: TrackLyrics | undefined;
};

/** What a page opens, its path, and how to prove its addresses. */
export type MusicSource = queries.Opened & {
  entity: ShareRow["entity"];
  /** Behind the page root. */
  pagePath: string;
  allowDownload: boolean;
  /** What is heard and downloaded is marked, and only what can be marked is there to download. */
  isMarked?: boolean;
  showDetails: boolean;
  showLyrics: boolean;
  /** The details are without the credits. */
  hidesCredits?: boolean;
  /** The page asks about each track. */
  asksApproval: boolean;
  /** What its recipient answered, by track; undefined when the page asks for no answers. */
  answers: ReadonlyMap<string, AnswerRow> | undefined;
  /** Returns the query that proves a right, see `grant`. Empty if no proof is needed. */
  prove: (right: Right, subject: string) => string;
};

export type AlbumType = "album" | "ep" | "single" | "compilation";

/** A part of a list of tracks. */
export type TrackSlice = {
  tracks: SharedTrack[];
  /** Position of the first track in the whole list, counted from 1. */
  firstNumber: number;
  /** Cursor of the next part; undefined at the end. */
  next: string | undefined;
};

/** What a page shows. */
export type SharedMusic = {
  entity: ShareRow["entity"];
  name: string;
  description: string | null;
  /** Whose album it is, and of what type; undefined for a track or a playlist. */
  album: { artist: string | null; type: AlbumType } | undefined;
  /** Storage key of the playlist's or track's own picture. */
  cover: string | null;
  /** Absolute address of a picture for previews. */
  pictureUrl: string | undefined;
  pageUrl: string;
  /** Behind the page root. */
  pagePath: string;
  ownerName: string;
  slice: TrackSlice;
  /** What else is in the set of a track, for a link to all of it. */
  also: SharedTrack[];
  /** Of the whole list. */
  trackCount: number;
  /** Duration of the whole list in seconds; null if unknown or not computed. */
  durationSec: number | null;
  /** Waveform of the first track; undefined if there is none. */
  waveform: Uint8Array | undefined;
};

/** Returns the music source of a link for its visitors. */
export function sourceOf(deps: PlayerDeps, share: ShareRow): MusicSource {
  const { entity, entityId, ownerId, token, allowDownload, isMarked, showDetails, showLyrics, wholeFamily } =
    share;
  const answers = share.askAnswer ? selectOfShare(deps.db, share.id) : undefined;
  const asks = { asksApproval: share.allowReview, answers };
  const prove = (right: Right, subject: string) => grant(deps, share, right, subject);
  const pagePath = `/${entity}/${token}`;
  const shows = { allowDownload, isMarked, showDetails, showLyrics };
  return { entity, entityId, ownerId, wholeFamily, pagePath, ...shows, ...asks, prove };
}

/**
 * Returns what a page shows, or undefined when its track or playlist was deleted.
 *
 * @param after Cursor of an earlier part of the list.
 * @throws DomainError `validation_failed` for a cursor of another list.
 */
export function sharedMusic(
  deps: PlayerDeps,
  source: MusicSource,
  after?: string | null,
): SharedMusic | undefined {
  const rows = rowsOf(deps, source, after);
  const [first] = rows.shown;
  const whole = wholeOf(deps.db, source, first);
  if (!whole) return undefined;
  const picture = whole.cover ?? rows.shown.find(({ cover }) => cover !== null)?.cover;
  const { pagePath, ownerId } = source;
  return {
    ...whole,
    entity: source.entity,
    pictureUrl: picture ? artworkUrl(deps.settings, picture) : undefined,
    pageUrl: publicUrlOf(deps.settings) + pagePath,
    pagePath,
    ownerName: queries.findOwnerName(deps.db, ownerId) ?? "",
    slice: toSlice(deps, source, rows),
    also: rows.also.map(({ row, kind }) => ({
      ...toTrack(deps, source, row),
      details: rows.details.get(row.id),
      lyrics: rows.lyrics(row),
      kind,
    })),
    waveform: first && queries.findWaveform(deps.db, first.versionId),
  };
}

/** Returns the next part of a playlist. @throws DomainError `validation_failed` for a cursor of another list. */
export function moreTracks(deps: PlayerDeps, source: MusicSource, after: string | null): TrackSlice {
  return toSlice(deps, source, rowsOf(deps, source, after));
}

type Rows = Omit<TrackSlice, "tracks"> & {
  shown: queries.SharedTrackRow[];
  also: OpenedTrack[];
  details: ReadonlyMap<string, string>;
  lyrics: ReturnType<typeof lyricsReader>;
};

const BEGINNING = { key: Number.MIN_SAFE_INTEGER, id: "0" };
const END = { key: Number.MAX_SAFE_INTEGER, id: "0" };

function rowsOf({ db }: PlayerDeps, source: MusicSource, cursor?: string | null): Rows {
  const { entity, entityId, showDetails, hidesCredits } = source;
  const detailsOf = (rows: queries.SharedTrackRow[]) =>
    detailLines({ db }, showDetails ? rows : [], hidesCredits);
  const lyrics = lyricsReader(db, source);
  if (entity === "track") {
    const [lead, ...others] = openedWith(db, source);
    const shown = lead ? [lead.row] : [];
    const details = detailsOf([...shown, ...others.map(({ row }) => row)]);
    return { shown, also: others, details, lyrics, firstNumber: 1, next: undefined };
  }
  const list = `page of ${entityId}`;
  const after = cursor ? decodeCursor(cursor, list) : BEGINNING;
  const found = queries.selectPlaces(db, source, after, MAX_ROWS + 1);
  const details = detailsOf(found);
  const shown = fitting(
    found.slice(0, MAX_ROWS),
    source.asksApproval ? MAX_ASKING_ROWS_BYTES : MAX_ROWS_BYTES,
    (row) =>
      bytesOf(row) + htmlBytes(details.get(row.id)) + lyricsBytes(lyrics(row)) + askingBytes(source, row),
  );
  const last = shown.length < found.length ? shown.at(-1) : undefined;
  return {
    shown,
    also: [],
    details,
    lyrics,
    firstNumber: cursor ? queries.countPlacesUpTo(db, entityId, after) + 1 : 1,
    next: last && encodeCursor(last.position, String(last.placeId), list),
  };
}

function askingBytes({ asksApproval, answers }: MusicSource, { id }: queries.SharedTrackRow): number {
  const approval = asksApproval ? ASKING_BYTES : 0;
  if (!answers) return approval;
  const answer = answers.get(id);
  return approval + ANSWER_BYTES + (answer ? ANSWERED_BYTES + NOTES_IN_ROW * htmlBytes(answer.text) : 0);
}

function bytesOf(row: queries.SharedTrackRow): number {
  return ROW_BYTES + TITLES_IN_ROW * htmlBytes(titleOf(row)) + ARTISTS_IN_ROW * htmlBytes(row.artist);
}

function toSlice(
  deps: PlayerDeps,
  source: MusicSource,
  { shown, also: _, details, lyrics, ...place }: Rows,
): TrackSlice {
  const gainDb = albumGain(deps.db, source);
  return {
    ...place,
    tracks: shown.map((row) => ({
      ...toTrack(deps, source, row),
      ...(gainDb !== undefined && { gainDb }),
      details: details.get(row.id),
      lyrics: lyrics(row),
    })),
  };
}

type Whole = Pick<SharedMusic, "name" | "description" | "album" | "cover" | "trackCount" | "durationSec">;

/** Returns what a page shows about the track or playlist as a whole. */
function wholeOf(
  db: Deps["db"],
  { entity, ownerId, entityId }: MusicSource,
  track: queries.SharedTrackRow | undefined,
): Whole | undefined {
  if (entity === "track")
    return (
      track && {
        name: titleOf(track),
        description: null,
        album: undefined,
        cover: track.cover,
        trackCount: 1,
        durationSec: track.durationSec,
      }
    );
  const playlist = queries.findPlaylist(db, ownerId, entityId);
  if (!playlist) return undefined;
  const { name, description, image: cover, artist, albumType } = playlist;
  const album = playlist.kind === "album" ? { artist, type: albumType ?? ("album" as const) } : undefined;
  const trackCount = queries.countPlacesUpTo(db, entityId, END);
  const durationSec = trackCount > MAX_SUMMED ? null : queries.sumDurations(db, entityId);
  return { name, description, album, cover, trackCount, durationSec };
}

function toTrack(
  deps: PlayerDeps,
  { pagePath, allowDownload, isMarked = false, prove }: MusicSource,
  row: queries.SharedTrackRow,
): Omit<SharedTrack, "details" | "lyrics"> {
  const { versionId } = row;
  const listen = `${versionId}?${prove("listen", versionId)}`;
  return {
    id: row.id,
    versionId,
    title: titleOf(row),
    artist: row.artist,
    durationSec: row.durationSec,
    isPending: row.isPending === 1,
    cover: row.cover,
    sources: sourcesOf(`${pagePath}/listen/${listen}`, isMarked ? MARKED_SOURCES : listPlayable(deps, row)),
    waveformPath: `${pagePath}/waveform/${listen}`,
    downloadPath:
      allowDownload && (!isMarked || hasMarkedDownload(row))
        ? `${pagePath}/download/${versionId}?${prove("download", versionId)}`
        : undefined,
    gainDb: matchedGain(row),
  };
}
