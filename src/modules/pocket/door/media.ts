import { type ArtworkFile, getArtwork } from "../../library/artwork/service.ts";
import { downloadName, type MediaFile, originalFile, playedFile } from "../../library/files/service.ts";
import { getAlbum, getArtist } from "./albums.ts";
import type { Call } from "./caller.ts";
import { trackIdOf, withoutPicture } from "./ids.ts";
import { getPlaylist } from "./playlists.ts";
import { notThere, Refusal } from "./refusal.ts";
import type { SongRow } from "./song-queries.ts";
import { getSong } from "./songs.ts";
import { mayHaveOriginal, whatPlays } from "./what-plays.ts";

type NamedFile = MediaFile & { filename: string };

/**
 * Returns the file that a player plays for a song.
 *
 * @throws Refusal 10, 70; DomainError `file_missing`.
 */
export function streamedFile(call: Call): NamedFile {
  const { deps, player, parameters } = call;
  const row = getSong(call, parameters.get("id"));
  const wish = {
    format: parameters.find("format"),
    maxBitRate: parameters.count("maxBitRate", { usual: 0 }),
  };
  const played = whatPlays(deps, player, versionOf(row), wish, row.durationSec);
  if (!played) throw notThere("song to play yet: it is being prepared");
  return named(
    row,
    played.kind === "original"
      ? originalFile(deps, servedVersion(row))
      : playedFile(deps, servedVersion(row), played),
  );
}

/**
 * Returns the original of a song.
 *
 * @throws Refusal 10, 50, 70; DomainError `file_missing`.
 */
export function downloadedFile(call: Call): NamedFile {
  const row = getSong(call, call.parameters.get("id"));
  if (!mayHaveOriginal(call.deps, call.player, row))
    throw new Refusal("notAllowed", "Your role in this library has no original files");
  return named(row, originalFile(call.deps, servedVersion(row)));
}

const versionOf = ({ id, sha256, mediaType, sizeBytes }: SongRow) => ({ id, sha256, mediaType, sizeBytes });

const servedVersion = (row: SongRow) => ({
  id: row.versionId,
  trackId: row.id,
  name: row.fileName,
  sha256: row.sha256,
  sizeBytes: row.sizeBytes,
  mediaType: row.mediaType,
  createdAt: row.mixedAt,
});

const named = (row: SongRow, file: MediaFile): NamedFile => ({
  ...file,
  filename: downloadName({ name: row.fileName, mediaType: file.mediaType }),
});

/** A picture up to this size is the small one. */
const SMALL = 300;

/**
 * Returns the picture of a song, album, playlist or artist.
 *
 * @throws Refusal 10, 70.
 */
export function pictureOf(call: Call): ArtworkFile & { key: string } {
  const { deps, parameters } = call;
  const id = parameters.get("id");
  const size = parameters.count("size", { usual: SMALL + 1 });
  const key = pictureKeyOf(call, id);
  if (key === null) throw notThere("picture");
  const part = size > 0 && size <= SMALL ? "thumbnail" : "picture";
  return { ...getArtwork(deps, key, part), key: `${key}/${part}` };
}

function pictureKeyOf(call: Call, id: string): string | null {
  const outline = call.outline;
  const trackId = trackIdOf(id);
  if (trackId !== undefined) {
    const albumId = outline.songOf.get(trackId)?.albumId ?? "";
    return getSong(call, trackId).cover ?? outline.albumOf.get(albumId)?.cover ?? null;
  }
  const own = withoutPicture(id);
  if (own.startsWith("al-")) return getAlbum(outline, own).cover;
  if (own.startsWith("ar-")) return getArtist(outline, own).cover;
  return getPlaylist(outline, own).cover;
}
