import type { ArtworkType } from "../tags/media-probe.ts";

/** The fields that a copy can carry. The names appear in a package's manifest. */
export type TagField =
  | ("title" | "artists" | "album" | "albumArtists" | "place" | "disc" | "date" | "genres" | "label")
  | ("barcode" | "isrc" | "iswc" | "composers" | "lyricists" | "publishers" | "cLine" | "pLine")
  | (
      | "bpm"
      | "key"
      | "language"
      | "lyrics"
      | "timedLyrics"
      | "explicit"
      | "kind"
      | "cover"
      | "aiUse"
      | "loudness"
    )
  | ("project" | "note");

/**
 * What a copy says about itself. A field that is absent, blank or empty is not in the copy, whatever the original says.
 * Texts are cleaned and cut; they may come from anywhere.
 */
export type Tags = {
  title?: string | undefined;
  /** One entry per person, here and in the other lists of people. */
  artists?: readonly string[] | undefined;
  album?: string | undefined;
  albumArtists?: readonly string[] | undefined;
  /** The place on its disc or in its list, from 1. */
  place?: Counted | undefined;
  disc?: Counted | undefined;
  /** `2026`, `2026-03` or `2026-03-27`. */
  date?: string | undefined;
  genres?: readonly string[] | undefined;
  label?: string | undefined;
  /** UPC or EAN, digits only. */
  barcode?: string | undefined;
  isrc?: string | undefined;
  iswc?: string | undefined;
  composers?: readonly string[] | undefined;
  lyricists?: readonly string[] | undefined;
  publishers?: readonly string[] | undefined;
  /** Year and owner without the sign: `2026 Night Label`. */
  cLine?: string | undefined;
  pLine?: string | undefined;
  bpm?: number | undefined;
  /** Such as `F# minor`, `Bbm` or `8A`; ID3 takes it as `F#m`. */
  key?: string | undefined;
  /** ISO 639-1 or 639-2: `de`, `deu`. */
  language?: string | undefined;
  /** The words without times, with `\n` between lines. */
  lyrics?: string | undefined;
  /** The same words with the time at which each line begins, in order. */
  timedLyrics?: readonly TimedLine[] | undefined;
  explicit?: "yes" | "no" | "clean" | undefined;
  /** What the recording is beside the main mix: `Instrumental`, `Radio edit, 30 s`. */
  kind?: string | undefined;
  cover?: Cover | undefined;
  /** One entry per part: `vocals: generated (name of the tool)`. */
  aiUse?: readonly string[] | undefined;
  loudness?: TaggedLoudness | undefined;
  /** Only for `iXML` of WAV files. */
  project?: string | undefined;
  note?: string | undefined;
};

/** A number out of how many. */
export type Counted = { number: number; of?: number | undefined };

export type TimedLine = { atSec: number; text: string };

/** A picture as it is in its file. */
export type Cover = { mediaType: ArtworkType; bytes: Uint8Array };

/** What was measured, LUFS, LU and dBTP; null or absent: unknown. */
export type TaggedLoudness = {
  integratedLufs?: number | null | undefined;
  rangeLu?: number | null | undefined;
  truePeakDbtp?: number | null | undefined;
  momentaryMaxLufs?: number | null | undefined;
  shortTermMaxLufs?: number | null | undefined;
};
