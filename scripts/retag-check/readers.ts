import { join } from "node:path";
import { parseFile } from "music-metadata";
import type { TagField } from "../../src/media/retag/tags.ts";
import type { Family } from "./originals.ts";
import { attempt, found, PYTHON } from "./run.ts";

/** What a reader found, by its own names. `error`: it could not read the file. */
export type Reading = Readonly<Record<string, readonly string[]>>;

/** How a reader shows several values of a field. */
type Shows = "all" | "first" | "joined";

export type Reader = {
  name: string;
  /** False when it is not on this machine. */
  isThere: () => boolean;
  read: (paths: readonly string[]) => Promise<Reading[]>;
  /** Which name has which field. A field that is missing is one that the reader does not show. */
  names: (family: Family, path: string) => Partial<Record<TagField, string>>;
  shows: Shows;
  /** The files that it does not know. */
  cannotRead?: RegExp;
};

const ID3: Partial<Record<TagField, string>> = {
  title: "TIT2",
  artists: "TPE1",
  album: "TALB",
  albumArtists: "TPE2",
  place: "TRCK",
  disc: "TPOS",
  date: "TDRC",
  genres: "TCON",
  label: "TPUB",
  barcode: "TXXX:BARCODE",
  isrc: "TSRC",
  iswc: "TXXX:ISWC",
  composers: "TCOM",
  lyricists: "TEXT",
  publishers: "TXXX:MUSICPUBLISHER",
  cLine: "TCOP",
  pLine: "TPRO",
  bpm: "TBPM",
  key: "TKEY",
  language: "TLAN",
  lyrics: "USLT",
  timedLyrics: "SYLT",
  explicit: "TXXX:ITUNESADVISORY",
  kind: "TIT3",
  cover: "picture",
  aiUse: "TXXX:AI_USE",
};
const VORBIS: Partial<Record<TagField, string>> = {
  title: "title",
  artists: "artist",
  album: "album",
  albumArtists: "albumartist",
  place: "tracknumber",
  disc: "discnumber",
  date: "date",
  genres: "genre",
  label: "label",
  barcode: "barcode",
  isrc: "isrc",
  iswc: "iswc",
  composers: "composer",
  lyricists: "lyricist",
  publishers: "publisher",
  cLine: "copyright",
  pLine: "producednotice",
  bpm: "bpm",
  key: "key",
  language: "language",
  lyrics: "lyrics",
  timedLyrics: "syncedlyrics",
  explicit: "itunesadvisory",
  kind: "version",
  cover: "picture",
  aiUse: "ai_use",
};
const OWN = "----:com.apple.iTunes:";
const MP4: Partial<Record<TagField, string>> = {
  title: "©nam",
  artists: "©ART",
  album: "©alb",
  albumArtists: "aART",
  place: "trkn",
  disc: "disk",
  date: "©day",
  genres: "©gen",
  label: `${OWN}LABEL`,
  barcode: `${OWN}BARCODE`,
  isrc: `${OWN}ISRC`,
  iswc: `${OWN}ISWC`,
  composers: "©wrt",
  lyricists: `${OWN}LYRICIST`,
  publishers: `${OWN}PUBLISHER`,
  cLine: "cprt",
  pLine: "©phg",
  bpm: "tmpo",
  key: `${OWN}initialkey`,
  language: `${OWN}LANGUAGE`,
  lyrics: "©lyr",
  explicit: "rtng",
  kind: `${OWN}SUBTITLE`,
  cover: "picture",
  aiUse: `${OWN}AI_USE`,
};

const mutagen: Reader = {
  name: "mutagen",
  isThere: () => attempt([PYTHON, "-c", "import mutagen"]).isGood,
  read: async (paths) => {
    const reader = Bun.spawnSync([PYTHON, join(import.meta.dir, "read-tags.py")], {
      stdin: Buffer.from(paths.join("\n")),
    });
    return reader.stdout
      .toString()
      .trimEnd()
      .split("\n")
      .map((text) => JSON.parse(text) as Reading);
  },
  names: (family) => ({ id3: ID3, vorbis: VORBIS, mp4: MP4 })[family],
  shows: "all",
  cannotRead: /[BR][WF]64/,
};

const EXIF_ID3: Partial<Record<TagField, string>> = {
  title: "Title",
  artists: "Artist",
  album: "Album",
  albumArtists: "Band",
  place: "Track",
  disc: "PartOfSet",
  date: "RecordingTime",
  genres: "Genre",
  label: "Publisher",
  barcode: "BARCODE",
  isrc: "ISRC",
  iswc: "ISWC",
  composers: "Composer",
  lyricists: "Lyricist",
  cLine: "Copyright",
  pLine: "ProducedNotice",
  bpm: "BeatsPerMinute",
  key: "InitialKey",
  language: "Language",
  lyrics: "Lyrics-deu",
  timedLyrics: "SynchronizedLyricsText-deu",
  explicit: "ITUNESADVISORY",
  kind: "Subtitle",
  cover: "Picture",
};
const EXIF_VORBIS: Partial<Record<TagField, string>> = {
  title: "Title",
  artists: "Artist",
  album: "Album",
  albumArtists: "Albumartist",
  place: "TrackNumber",
  disc: "Discnumber",
  date: "Date",
  genres: "Genre",
  label: "Label",
  barcode: "Barcode",
  isrc: "ISRCNumber",
  iswc: "Iswc",
  composers: "Composer",
  lyricists: "Lyricist",
  publishers: "Publisher",
  cLine: "Copyright",
  pLine: "Producednotice",
  bpm: "Bpm",
  key: "Key",
  language: "Language",
  lyrics: "Lyrics",
  timedLyrics: "Syncedlyrics",
  explicit: "Itunesadvisory",
  kind: "Version",
  cover: "Picture",
  aiUse: "AiUse",
};
const EXIF_MP4: Partial<Record<TagField, string>> = {
  title: "Title",
  artists: "Artist",
  album: "Album",
  albumArtists: "AlbumArtist",
  place: "TrackNumber",
  disc: "DiskNumber",
  date: "ContentCreateDate",
  genres: "Genre",
  label: "Label",
  barcode: "Barcode",
  isrc: "ISRC",
  iswc: "ISWC",
  composers: "Composer",
  lyricists: "LYRICIST",
  publishers: "PUBLISHER",
  cLine: "Copyright",
  pLine: "UserData_phg",
  bpm: "BeatsPerMinute",
  key: "InitialKey",
  language: "LANGUAGE",
  lyrics: "Lyrics",
  kind: "SUBTITLE",
  aiUse: "AI_USE",
};
/** The groups of tags that we write, without what describes the sound or says the same in ASCII. */
const EXIF_GROUPS = /^(?:Copy\d+:)?(?:ID3v2_4|ID3|Vorbis|FLAC|ItemList|iTunes|RIFF|XML):(.+)$/;

const exiftool: Reader = {
  name: "exiftool",
  isThere: () => found("exiftool") !== undefined,
  read: async (paths) => {
    // It ends with 1 when it does not know one of the files.
    const { stdout } = Bun.spawnSync(
      ["exiftool", "-j", "-a", "-G4:1", "-charset", "filename=utf8", "--CoverArt", ...paths],
      { stdin: "ignore" },
    );
    const rows = JSON.parse(stdout.toString()) as Record<string, unknown>[];
    return rows.map((row) => exifReading(row));
  },
  names: (family) => ({ id3: EXIF_ID3, vorbis: EXIF_VORBIS, mp4: EXIF_MP4 })[family],
  shows: "joined",
  cannotRead: /BW64/,
};

function exifReading(row: Record<string, unknown>): Reading {
  const reading: Record<string, string[]> = {};
  // What ASCII chunks of a WAV say is overwritten by its ID3 tag.
  const entries = Object.entries(row).toSorted(([one], [other]) => rank(one) - rank(other));
  for (const [key, value] of entries) {
    const shown = EXIF_GROUPS.exec(key)?.[1];
    if (shown === undefined) continue;
    const { name, texts } = exifValue(shown, value);
    reading[name] = key.startsWith("Copy") ? [...(reading[name] ?? []), ...texts] : texts;
  }
  return reading;
}

function exifValue(name: string, value: unknown): { name: string; texts: string[] } {
  const texts = (Array.isArray(value) ? value : [value]).map(String);
  const [, about, text] = name === "UserDefinedText" ? (/^\((.*?)\) (.*)$/s.exec(texts[0] ?? "") ?? []) : [];
  return about === undefined || text === undefined ? { name, texts } : { name: about, texts: [text] };
}

const rank = (key: string): number => (key.startsWith("RIFF:") || key.startsWith("XML:") ? 0 : 1);

const FFPROBE_ID3: Partial<Record<TagField, string>> = {
  title: "title",
  artists: "artist",
  album: "album",
  albumArtists: "album_artist",
  place: "track",
  disc: "disc",
  date: "date",
  genres: "genre",
  label: "publisher",
  publishers: "musicpublisher",
  barcode: "barcode",
  isrc: "tsrc",
  iswc: "iswc",
  composers: "composer",
  lyricists: "text",
  cLine: "copyright",
  pLine: "tpro",
  bpm: "tbpm",
  key: "tkey",
  language: "language",
  lyrics: "lyrics-deu",
  explicit: "itunesadvisory",
  kind: "tit3",
  aiUse: "ai_use",
};
const FFPROBE_VORBIS: Partial<Record<TagField, string>> = {
  ...VORBIS,
  albumArtists: "album_artist",
  place: "track",
  disc: "disc",
};
const FFPROBE_MP4: Partial<Record<TagField, string>> = {
  title: "title",
  artists: "artist",
  album: "album",
  albumArtists: "album_artist",
  place: "track",
  disc: "disc",
  date: "date",
  genres: "genre",
  label: "label",
  barcode: "barcode",
  isrc: "isrc",
  iswc: "iswc",
  composers: "composer",
  lyricists: "lyricist",
  publishers: "publisher",
  cLine: "copyright",
  key: "initialkey",
  language: "language",
  lyrics: "lyrics",
  explicit: "rating",
  kind: "subtitle",
  aiUse: "ai_use",
};
/** ffprobe leaves out the ID3 tag of a WAV that has other tags: it shows what those say in ASCII. */
const FFPROBE_WAV: Partial<Record<TagField, string>> = {
  isrc: "originator_reference",
  label: "encoded_by",
  album: "album",
  date: "date",
  cLine: "copyright",
};

const ffprobe: Reader = {
  name: "ffprobe",
  isThere: () => found("ffprobe") !== undefined,
  read: async (paths) => paths.map(ffprobeReading),
  names: (family, path) => {
    if (path.endsWith(".wav")) return FFPROBE_WAV;
    const { cover: _, ...vorbis } = FFPROBE_VORBIS;
    return { id3: FFPROBE_ID3, vorbis, mp4: FFPROBE_MP4 }[family];
  },
  shows: "first",
};

type Probe = { format?: { tags?: Record<string, string> }; streams?: { tags?: Record<string, string> }[] };

function ffprobeReading(path: string): Reading {
  const { isGood, output } = attempt([
    "ffprobe",
    "-v",
    "quiet",
    "-show_format",
    "-show_streams",
    "-of",
    "json",
    path,
  ]);
  if (!isGood) return { error: ["ffprobe"] };
  const { format, streams = [] } = JSON.parse(output) as Probe;
  const tags = { ...streams[0]?.tags, ...format?.tags };
  const lower = Object.fromEntries(Object.entries(tags).map(([name, text]) => [name.toLowerCase(), text]));
  return Object.fromEntries(Object.entries(lower).map(([name, text]) => [name, [text]]));
}

const COMMON: Partial<Record<TagField, string>> = {
  title: "title",
  artists: "artists",
  album: "album",
  albumArtists: "albumartists",
  date: "date",
  genres: "genre",
  barcode: "barcode",
  isrc: "isrc",
  composers: "composer",
  lyricists: "lyricist",
  cLine: "copyright",
  bpm: "bpm",
  lyrics: "lyrics",
  cover: "picture",
};

/** The reader of the program itself, at upload. */
const musicMetadata: Reader = {
  name: "music-metadata",
  isThere: () => true,
  read: (paths) => Promise.all(paths.map(commonReading)),
  names: () => COMMON,
  shows: "all",
  cannotRead: /[BR][WF]64/,
};

async function commonReading(path: string): Promise<Reading> {
  try {
    const { common } = await parseFile(path, { duration: false });
    const { picture = [], lyrics = [], ...rest } = common;
    const texts = Object.entries(rest).map(([name, value]) => [
      name,
      (Array.isArray(value) ? value : [value]).map(String),
    ]);
    return {
      ...(Object.fromEntries(texts) as Record<string, string[]>),
      lyrics: lyrics.flatMap(({ text }) => (text === undefined ? [] : [text])).slice(0, 1),
      picture: picture.map(({ data }) => new Bun.CryptoHasher("sha256").update(data).digest("hex")),
    };
  } catch (error) {
    return { error: [String(error)] };
  }
}

/** All foreign readers of tags that a machine may have. */
export const READERS: readonly Reader[] = [mutagen, exiftool, ffprobe, musicMetadata];
