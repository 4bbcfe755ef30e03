import type { Db } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import { toIpi, toIsni, toIsrc, toIswc } from "../../../kernel/identifiers.ts";
import { titleOf } from "../../library/catalog/service.ts";
import { inHundredths, wholeShares } from "../../library/composers/service.ts";
import { readSender, rightsOfTracks } from "../../library/rights/service.ts";
import type { RightsSender, TrackRights } from "../../library/rights/shapes.ts";
import * as queries from "./queries.ts";

/** Somebody's part in a track. */
export type Writer = Omit<queries.WriterRow, "trackId"> & {
  /** In hundredths of a per cent. */
  hundredths: number;
};

/** What papers say of a track. */
export type PaperTrack = Omit<queries.TrackRow, "title" | "name" | "genres" | "hasWords"> &
  Pick<
    TrackRights,
    "iswc" | "upc" | "releaseDate" | "pLine" | "cLine" | "explicit" | "workNumber" | "aiUse"
  > & {
    title: string;
    genres: string[];
    hasWords: boolean;
    writers: Writer[];
    /** The shares of those who have one add up to 100 per cent. */
    isWhole: boolean;
  };

/** What papers are made of. */
export type PaperFacts = { sender: RightsSender; tracks: PaperTrack[]; at: number };

/** What a release says of all its tracks, where they say nothing of their own. */
export type PaperRelease = Partial<Record<"title" | "upc" | "date" | "label", string | null>>;

/** Returns what papers say of the account's tracks, in the order given. Whoever gets it must be allowed to see splits. */
export function readFacts(
  db: Db,
  ownerId: LibraryId,
  trackIds: readonly string[],
  { at, release = {} }: { at: number; release?: PaperRelease },
): PaperFacts {
  const rows = queries.selectTracks(db, ownerId, trackIds);
  const ids = rows.map(({ trackId }) => trackId);
  const rights = rightsOfTracks(db, ids);
  const writers = Map.groupBy(queries.selectWriters(db, ids), ({ trackId }) => trackId);
  const tracks = rows.map((row) =>
    toTrack(row, rights.get(row.trackId), writers.get(row.trackId) ?? [], release),
  );
  return { sender: readSender(db, ownerId), tracks, at };
}

function toTrack(
  { name, title, genres, hasWords, ...row }: queries.TrackRow,
  rights: TrackRights = NOTHING,
  writers: readonly queries.WriterRow[],
  release: PaperRelease,
): PaperTrack {
  const { iswc, upc, releaseDate, pLine, cLine, explicit, workNumber, aiUse } = rights;
  const shares = writers.map(({ share }) => share);
  const hundredths = inHundredths(shares);
  return {
    ...row,
    ...{ pLine, cLine, explicit, workNumber, aiUse },
    title: titleOf({ title, name }),
    album: row.album ?? release.title ?? null,
    label: row.label ?? release.label ?? null,
    isrc: rightOr(row.isrc, toIsrc),
    iswc: rightOr(iswc, toIswc),
    upc: upc ?? release.upc ?? null,
    releaseDate: releaseDate ?? release.date ?? null,
    genres: JSON.parse(genres),
    hasWords: hasWords === 1,
    isWhole: wholeShares(shares) !== undefined,
    writers: writers.map((writer, at) => toWriter(writer, hundredths[at] ?? 0)),
  };
}

const NOTHING: TrackRights = {
  ...{ iswc: null, upc: null, releaseDate: null, pLine: null, cLine: null, explicit: null, workNumber: null },
  ...{ aiUse: [], updatedAt: null, problems: [] },
};

function toWriter({ trackId: _, ...writer }: queries.WriterRow, hundredths: number): Writer {
  return {
    ...writer,
    ipi: rightOr(writer.ipi, toIpi),
    isni: rightOr(writer.isni, toIsni),
    publisherIpi: rightOr(writer.publisherIpi, toIpi),
    hundredths,
  };
}

/** Returns an identifier without what stands between its signs; one that is wrong as it was written. */
const rightOr = (text: string | null, right: (text: string) => string | undefined): string | null =>
  text === null ? null : (right(text) ?? text);

/** Returns the writers of a track who have a share. */
export const sharers = ({ writers }: PaperTrack): Writer[] =>
  writers.filter(({ hundredths }) => hundredths > 0);

/** True when a writer's publisher is the one who registers the library's works. */
export const isPublishedBy = ({ publisher }: Writer, { name }: RightsSender): boolean =>
  publisher !== null && name !== null && bare(publisher) === bare(name);

const bare = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .toLowerCase();

/** Returns the publisher's number: the writer's entry says it, or they are the sender. */
export const publisherIpiOf = (writer: Writer, sender: RightsSender): string | null =>
  writer.publisherIpi ?? (isPublishedBy(writer, sender) ? sender.ipi : null);
