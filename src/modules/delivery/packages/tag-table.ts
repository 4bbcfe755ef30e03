import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import type { Counted, TagField, Tags } from "../../../media/retag/tags.ts";
import type { MediaTags } from "../../../media/tags/media-probe.ts";
import type { Plan } from "./plan.ts";
import { findEmbedded } from "./queries.ts";
import type { TagTable } from "./shapes.ts";

const counted = (number: number | undefined, of: number | undefined): string | undefined =>
  number === undefined ? undefined : of === undefined ? String(number) : `${number} of ${of}`;
const countedIn = (value: Counted | undefined) => value && counted(value.number, value.of);
const listed = (values: readonly string[] | undefined) =>
  values && values.length > 0 ? values.join(", ") : undefined;

/** Fields as the file says them, of which the analysis keeps these. */
const NOW: { readonly [Field in TagField]?: (tags: MediaTags) => string | undefined } = {
  title: ({ title }) => title,
  artists: ({ artist }) => artist,
  album: ({ album }) => album,
  albumArtists: ({ albumArtist }) => albumArtist,
  place: ({ trackNumber, totalTracks }) => counted(trackNumber, totalTracks),
  disc: ({ discNumber, totalDiscs }) => counted(discNumber, totalDiscs),
  date: ({ year }) => year?.toString(),
  genres: ({ genres }) => listed(genres),
  label: ({ label }) => label,
  barcode: ({ barcode }) => barcode,
  isrc: ({ isrc }) => isrc,
  composers: ({ composer }) => composer,
  bpm: ({ bpm }) => bpm?.toString(),
  key: ({ key }) => key,
  lyrics: ({ lyrics }) => lyrics,
};

/** What people call the fields, in the order in which they are shown. */
const LABELS: Readonly<Partial<Record<TagField, string>>> = {
  title: "Title",
  artists: "Artist",
  album: "Album",
  albumArtists: "Album artist",
  place: "Track",
  disc: "Disc",
  date: "Date",
  genres: "Genre",
  label: "Label",
  barcode: "Barcode",
  isrc: "ISRC",
  iswc: "ISWC",
  composers: "Composers",
  lyricists: "Lyricists",
  publishers: "Publishers",
  cLine: "Copyright",
  pLine: "Phonogram",
  bpm: "BPM",
  key: "Key",
  language: "Language",
  lyrics: "Lyrics",
  timedLyrics: "Timed lyrics",
  explicit: "Explicit",
  kind: "Kind",
  cover: "Cover",
  aiUse: "Use of AI",
  loudness: "Loudness",
  project: "Project",
};

function textIn(tags: Tags, hasCover: boolean, field: TagField): string | undefined {
  if (field === "cover") return hasCover ? "The picture" : undefined;
  if (field === "place" || field === "disc") return countedIn(tags[field]);
  if (field === "loudness") {
    const lufs = tags.loudness?.integratedLufs;
    return typeof lufs === "number" ? `${lufs.toFixed(1)} LUFS` : undefined;
  }
  if (field === "timedLyrics") return tags.timedLyrics && `${tags.timedLyrics.length} lines`;
  const value = tags[field];
  return typeof value === "object" ? listed(value) : value?.toString();
}

/**
 * Returns what a file of a plan says now, and what its copy in the package says.
 *
 * @throws DomainError `not_found` for a path that is no copy of an original in the plan.
 */
export function tagTableOf({ db }: Pick<Deps, "db">, { files }: Plan, path: string): TagTable {
  const content = files.find((file) => file.path === path)?.content;
  if (content?.is !== "sound") throw new DomainError("not_found", "There is no such file in this package");
  const { song, copy } = content;
  const embedded = findEmbedded(db, song.versionId);
  const notWritten = new Map(copy?.notWritten.map(({ field, reason }) => [field, reason]));
  const fields = Object.entries(LABELS).flatMap(([name, label]) => {
    const field = name as TagField; // the keys of LABELS
    const now = NOW[field]?.(embedded)?.trim() || null;
    const then = copy === null ? now : textIn(copy.tags, copy.cover !== null, field)?.trim() || null;
    const reason = notWritten.get(field) ?? null;
    const inPackage = reason === null ? then : null;
    if (now === null && then === null) return [];
    return [{ field: label, now, inPackage, isChanged: now !== inPackage, reason }];
  });
  return { path, fields };
}
