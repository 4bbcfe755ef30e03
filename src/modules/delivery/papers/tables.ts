import { csvText } from "./csv.ts";
import { type PaperFacts, type PaperTrack, publisherIpiOf, sharers } from "./facts.ts";
import { clock, percent } from "./words.ts";

const SPLIT_COLUMNS = [
  ...["work title", "ISWC", "ISRC", "duration", "writer", "role", "PRO", "IPI", "share %"],
  ...["publisher", "publisher IPI", "publisher share %", "e-mail", "date", "signature"],
];
const CREDIT_COLUMNS = [
  ...["title", "artist", "album", "ISRC", "ISWC", "UPC", "release date", "label", "P line", "C line"],
  ...["explicit", "language", "length", "name", "credited as", "role", "IPI", "ISNI"],
];
const CUE_COLUMNS = ["cue", "title", "ISWC", "ISRC", "writers", "publisher", "use", "length"];
const AI_COLUMNS = ["title", "artist", "ISRC", "part", "extent", "tool", "note"];
/** Of what nobody said anything of: it does not mean that there was none. */
export const NOT_STATED = "not stated";

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/**
 * Returns who has which share of each work, with room to sign. The shares of a work's writers are out of 100 per cent, and so are
 * those of their publishers.
 */
export function splitSheet({ tracks, sender, at }: PaperFacts): string {
  return csvText(
    SPLIT_COLUMNS,
    tracks.flatMap((track) => {
      const { title, iswc, isrc, durationSec } = track;
      const work = [title, iswc, isrc, clock(durationSec)];
      const writers = sharers(track);
      if (writers.length === 0) return [[...work, ...Array(SPLIT_COLUMNS.length - work.length).fill("")]];
      return writers.map((writer) => [
        ...work,
        ...[writer.fullName, writer.role, writer.pro, writer.ipi, percent(writer.hundredths)],
        ...[writer.publisher, publisherIpiOf(writer, sender)],
        ...[writer.publisher === null ? "" : percent(writer.hundredths), writer.email, dayOf(at), ""],
      ]);
    }),
  );
}

/** Returns who did what on each track, and what its release says of it. */
export function credits({ tracks }: PaperFacts): string {
  return csvText(
    CREDIT_COLUMNS,
    tracks.flatMap((track) => {
      const { title, artist, album, isrc, iswc, upc, releaseDate, label } = track;
      const { pLine, cLine, explicit, language, durationSec, writers } = track;
      const facts = [
        ...[title, artist, album, isrc, iswc, upc, releaseDate, label, pLine, cLine],
        ...[explicit ?? NOT_STATED, language, clock(durationSec)],
      ];
      if (writers.length === 0) return [[...facts, "", "", "", "", ""]];
      return writers.map(({ fullName, artistName, role, ipi, isni }) => [
        ...[...facts, fullName, artistName, role, ipi, isni],
      ]);
    }),
  );
}

/** Returns a cue sheet: one line for each track; what it is used for is for the production to write. */
export function cueSheet({ tracks }: PaperFacts): string {
  return csvText(
    CUE_COLUMNS,
    tracks.map((track, at) => {
      const publishers = [...new Set(sharers(track).flatMap(({ publisher }) => publisher ?? []))];
      const { title, iswc, isrc, durationSec } = track;
      return [
        at + 1,
        title,
        iswc,
        isrc,
        writersInWords(track),
        publishers.join("; "),
        "",
        clock(durationSec),
      ];
    }),
  );
}

const writersInWords = (track: PaperTrack): string =>
  sharers(track)
    .map(({ fullName, role, pro, hundredths }) => {
      const society = pro === null ? "" : `, ${pro}`;
      return `${fullName} (${role}${society}) ${percent(hundredths)} %`;
    })
    .join("; ");

/** Returns for which parts of each track generative tools were used, as a person stated it. */
export function aiUse({ tracks }: PaperFacts): string {
  return csvText(
    AI_COLUMNS,
    tracks.flatMap(({ title, artist, isrc, aiUse }) =>
      aiUse.length === 0
        ? [[title, artist, isrc, NOT_STATED, "", "", ""]]
        : aiUse.map(({ part, extent, tool, note }) => [title, artist, isrc, part, extent, tool, note]),
    ),
  );
}
