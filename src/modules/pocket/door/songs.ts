import type { Loudness } from "../../../kernel/loudness.ts";
import { fold } from "../../../kernel/text.ts";
import { toIso, toIsoOrNull } from "../../../kernel/time.ts";
import { downloadName } from "../../library/files/service.ts";
import { readNumber } from "../../library/playlists/service.ts";
import type { Node } from "./answer.ts";
import type { Call } from "./caller.ts";
import { pictureId, songId, trackIdOf } from "./ids.ts";
import { yearOf } from "./outline/build.ts";
import { textOf, titleOf } from "./outline/group.ts";
import type { Album, Song } from "./outline/outline.ts";
import { notThere } from "./refusal.ts";
import { type SongRow, selectSongs } from "./song-queries.ts";
import { kbitsOf, mayHaveOriginal } from "./what-plays.ts";

/** Where songs are listed: on which album, which then says their numbers. */
type Listed = { album?: Album };

/** Returns songs as players show them, in their order. Those that have left the library meanwhile are left out. */
export function songNodes(
  call: Call,
  songs: readonly Pick<Song, "trackId">[],
  { album: shown }: Listed = {},
): Node[] {
  const ids = songs.map(({ trackId }) => trackId);
  const placeOn = placesOn();
  const { songOf, albumOf, name } = call.outline;
  return selectSongs(call.deps.db, call.player, ids).map((row) => {
    const own = songOf.get(row.id);
    const album = shown ?? albumOf.get(own?.albumId ?? "");
    const artistId = own?.artistId;
    return toNode(call, {
      row,
      album,
      place: album && placeOn(album, row.id),
      artist: textOf(row.artist) ?? name,
      ...(artistId !== undefined && { artistId }),
    });
  });
}

/** Counts where songs stand on albums of the library; elsewhere their files say it. */
function placesOn() {
  const places = new Map<Album, ReadonlyMap<string, number>>();
  return (album: Album, trackId: string): number | undefined => {
    if (album.playlistId === null) return undefined;
    const known = places.get(album) ?? new Map(album.songs.map((song, at) => [song.trackId, at + 1]));
    places.set(album, known);
    return known.get(trackId);
  };
}

/**
 * Returns the song that an id names: of its track, the version that plays now.
 *
 * @throws Refusal 70.
 */
export function getSong(call: Call, id: string): SongRow {
  const trackId = trackIdOf(id);
  if (trackId === undefined) throw notThere("song");
  const [row] = selectSongs(call.deps.db, call.player, [trackId]);
  if (!row) throw notThere("song");
  return row;
}

/** A song, and the album that it is shown on, at which place; undefined: wherever it belongs. */
type Placed = {
  row: SongRow;
  album: Album | undefined;
  place: number | undefined;
  artist: string;
  artistId?: string;
};

/** Returns a song as players show it. */
function toNode(call: Call, { row, album, place, artist, artistId }: Placed): Node {
  const title = titleOf(row);
  const sound = soundOf(call, row);
  return {
    id: songId(row.id, row.versionOrder),
    isDir: false,
    title,
    artist,
    artistId,
    displayArtist: artist,
    artists: artistId === undefined ? [] : [{ id: artistId, name: artist }],
    ...albumFields(album),
    ...numbersOf(row, album, place),
    ...picture(row, album),
    ...sound,
    path: [artist, album?.name ?? "", `${title}.${sound.suffix}`].map(asName).join("/"),
    year: yearOf(row.year) ?? undefined,
    playCount: row.plays,
    played: toIsoOrNull(row.playedAt) ?? undefined,
    created: toIso(row.mixedAt),
    starred: toIsoOrNull(row.starredAt) ?? undefined,
    type: "music",
    mediaType: "song",
    isVideo: false,
    bpm: row.bpm === null ? undefined : Math.round(row.bpm),
    sortName: fold(title),
    isrc: row.isrc === null ? [] : [row.isrc],
    ...tagsOf(row),
    replayGain: gainOf(row, album),
  };
}

const albumFields = (album: Album | undefined) => ({
  parent: album?.id,
  album: album?.name,
  albumId: album?.id,
  albumArtists: album ? [{ id: album.artistId, name: album.artist }] : [],
  displayAlbumArtist: album?.artist,
});

/** On an album of the library the order is what its owner says; elsewhere the numbers are what the file says. */
function numbersOf(row: SongRow, album: Album | undefined, place: number | undefined) {
  if (album && album.playlistId !== null) return { track: place };
  return {
    track: readNumber(row.trackNumber) ?? undefined,
    discNumber: readNumber(row.discNumber) ?? undefined,
  };
}

/** The picture of the album where the song has none. */
const picture = (row: SongRow, album: Album | undefined) => ({
  coverArt:
    pictureId(songId(row.id, row.versionOrder), row.cover) ?? (album && pictureId(album.id, album.cover)),
});

/** What is known of the sound that `stream` sends to this player when it asks for nothing particular: a difference makes players fail. */
function soundOf(call: Call, row: SongRow) {
  const { isOriginal, mediaType, sizeBytes } = sentOf(call, row);
  const name = downloadName({ name: row.fileName, mediaType });
  return {
    size: sizeBytes,
    contentType: mediaType,
    suffix: name.slice(name.lastIndexOf(".") + 1).toLowerCase(),
    duration: row.durationSec === null ? undefined : Math.round(row.durationSec),
    bitRate: sizeBytes === undefined ? undefined : kbitsOf(sizeBytes, row.durationSec) || undefined,
    ...(isOriginal && {
      bitDepth: row.bitDepth ?? undefined,
      samplingRate: row.sampleRateHz ?? undefined,
      channelCount: row.channels ?? undefined,
    }),
  };
}

function sentOf({ deps, player }: Call, row: SongRow) {
  const mayBeOriginal =
    player.sound === "original" || row.renditionBytes === null || row.mediaType === "audio/mpeg";
  const isOriginal = mayBeOriginal && mayHaveOriginal(deps, player, row);
  if (isOriginal) return { isOriginal, mediaType: row.mediaType, sizeBytes: row.sizeBytes };
  return { isOriginal, mediaType: "audio/mp4", sizeBytes: row.renditionBytes ?? undefined };
}

function tagsOf({ tags }: SongRow) {
  const pairs = JSON.parse(tags) as [category: string, name: string][];
  const of = (category: string) => pairs.flatMap(([each, name]) => (each === category ? [name] : []));
  const genres = of("genres");
  return { genre: genres[0], genres: genres.map((name) => ({ name })), moods: of("moods") };
}

/** The loudness that ReplayGain 2.0 brings everything to. */
const REFERENCE_LUFS = -18;

function gainOf(row: SongRow, album: Album | undefined): Node | undefined {
  const [track, whole] = [gains(row), gains(album?.loudness)];
  if (track.gain === undefined && track.peak === undefined) return undefined;
  return { trackGain: track.gain, albumGain: whole.gain, trackPeak: track.peak, albumPeak: whole.peak };
}

function gains(loudness: Loudness | null | undefined): { gain?: number; peak?: number } {
  const { integratedLufs = null, truePeakDbtp = null } = loudness ?? {};
  return {
    ...(integratedLufs !== null && { gain: rounded(REFERENCE_LUFS - integratedLufs, 100) }),
    ...(truePeakDbtp !== null && { peak: rounded(10 ** (truePeakDbtp / 20), 1_000_000) }),
  };
}

const rounded = (value: number, steps: number) => Math.round(value * steps) / steps;

/** Returns a name as a part of a path. */
const asName = (name: string) => name.replaceAll(/[/\\]/g, "-");
