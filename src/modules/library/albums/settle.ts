import type { Db } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import { hasOwnerField, setCreatedAt, type TrackColumns, updateTrack } from "../catalog/service.ts";
import { coverAlbum, findAlbum } from "../playlists/service.ts";
import type { Song } from "./songs.ts";

type Settled = { accountId: LibraryId; playlistId: string; songs: readonly Song[]; isArranged: boolean };

/**
 * Gives the songs of an album, in its order, what their names say where their files say nothing, a cover where they have none,
 * and times of arrival by which the newest first reads 1 to 12. Only new songs change. Call it inside a transaction.
 */
export function settleSongs(tx: Db, { accountId, playlistId, songs, isArranged }: Settled): void {
  const fresh = songs.filter(({ isNew }) => isNew === 1);
  const image = coverOf(tx, accountId, playlistId, songs);
  for (const song of fresh) {
    const change = { ...namedBy(song), ...coveredBy(tx, song, image) };
    if (Object.keys(change).length > 0) updateTrack(tx, song.trackId, change);
  }
  if (!isArranged || fresh.length === 0) return;
  const first = Math.min(...fresh.map(({ arrivedAt }) => arrivedAt));
  for (const [index, { trackId, createdAt }] of fresh.entries())
    if (createdAt !== first - index) setCreatedAt(tx, trackId, first - index);
}

/** Returns the picture of an album, after giving it that of its first song where it has none. */
function coverOf(tx: Db, accountId: LibraryId, playlistId: string, songs: readonly Song[]): string | null {
  const image = findAlbum(tx, accountId, playlistId)?.image ?? null;
  const first = songs.find(({ cover }) => cover !== null)?.cover ?? null;
  if (image === null && first !== null) coverAlbum(tx, playlistId, first);
  return image ?? first;
}

/** A song without a picture shows the one of its album, unless its owner took it away. */
function coveredBy(tx: Db, { trackId, cover }: Song, image: string | null): TrackColumns {
  return image === null || cover !== null || hasOwnerField(tx, trackId, "cover") ? {} : { cover: image };
}

const MAX_NUMBER = 99;

/** Title, number and disc of a song whose file has no tags, as its name and its folder have them. */
function namedBy({ place, title, artist, trackNumber, discNumber }: Song): TrackColumns {
  const { number, disc, rest } = place;
  const isPlain = number !== null && number <= MAX_NUMBER;
  return {
    ...(title === null && number !== null && { title: titleIn(rest, artist) }),
    ...(trackNumber === null && isPlain && { trackNumber: String(number) }),
    ...(discNumber === null && disc !== null && { discNumber: String(disc) }),
  };
}

const ENDING =
  /\.(wav|wave|w64|rf64|bwf|aiff?|aifc|flac|mp[23]|m4a|mp4|aac|ogg|oga|opus|webm|caf|wv|wma|au|snd|ac3|tta|dsf|ape)$/i;

/** Returns the title that a name has behind its number, without the artist that the file names. */
function titleIn(rest: string, artist: string | null): string {
  const stem = rest.replace(ENDING, "");
  const spaced = /\s/.test(stem) ? stem : stem.replaceAll("_", " ");
  const [, before = "", behind] = /^(.+?)\s+[-–—]\s+(.+)$/.exec(spaced) ?? [];
  const isArtist = artist !== null && before.toLowerCase() === artist.toLowerCase();
  return (isArtist && behind ? behind : spaced).trim() || rest;
}
