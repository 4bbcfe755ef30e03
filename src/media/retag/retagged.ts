import type { Range } from "../view/piece.ts";
import type { TagField } from "./tags.ts";

/**
 * A part of a copy: bytes that are new, or a range of the original. In a range of Ogg pages the pages of one stream get new
 * numbers and checksums; the sound in them stays the same.
 */
export type Piece = Uint8Array | Range | RenumberedPages;

export type RenumberedPages = Range & {
  pages: {
    serial: number;
    /** What is added to the number of each page, modulo 2^32. */
    by: number;
  };
};

/** Why a field is not in the copy. */
export type NotWrittenReason =
  /** The format, or this kind of it, has no place for the field. */
  | "no_place"
  /** The value is larger than the format can hold. */
  | "too_large"
  /** The value is not what the field may contain: a code of the wrong length, a date that is none. */
  | "not_valid"
  /** The file describes objects in the chunk where the field belongs; that chunk stays as it is. */
  | "object_audio"
  /** The whole file is copied as it is: its format carries no tags, */
  | "format_without_tags"
  /** it is an MP4 in fragments, several streams in one Ogg or another form that is not rewritten, */
  | "rare_form"
  /** or its structure is damaged. */
  | "damaged";

export type NotWritten = { field: TagField; reason: NotWrittenReason };

/** What becomes of a file when it is copied with tags. */
export type Retagged = {
  /** The copy, in order. The whole original as one range when nothing can be written. */
  pieces: Piece[];
  /** Length of the copy. */
  sizeBytes: number;
  written: TagField[];
  notWritten: NotWritten[];
};
