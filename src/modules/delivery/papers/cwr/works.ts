import { toGtin, toIsrc, toIswc } from "../../../../kernel/identifiers.ts";
import { languageCode } from "../../../../kernel/languages.ts";
import type { RightsSender } from "../../../library/rights/shapes.ts";
import { isPublishedBy, type PaperTrack, sharers, type Writer } from "../facts.ts";
import {
  type Designation,
  designationOf,
  ipiOrNone,
  joined,
  namesOf,
  requireSociety,
  shortNumber,
} from "./parties.ts";
import { UnwritableField } from "./record.ts";

/** A writer of a work. Shares are in hundredths of a per cent. */
export type CwrWriter = {
  party: string;
  last: string;
  first: string;
  role: Designation;
  ipi: string;
  society: string;
  share: number;
  /** The sender is their publisher. */
  isControlled: boolean;
};

/** A recording of a work. */
type CwrRecording = Pick<PaperTrack, "title" | "artist" | "album" | "label" | "durationSec"> & {
  isrc: string | null;
  ean: string | null;
  releaseDate: string | null;
};

/** A work as it is registered. */
export type CwrWork = {
  title: string;
  workNumber: string;
  iswc: string | null;
  language: string | null;
  category: "POP" | "JAZ" | "SER" | "UNC";
  textMusic: "MTX" | null;
  durationSec: number | null;
  writers: CwrWriter[];
  recordings: CwrRecording[];
};

const PARTY_LENGTH = 9;
const WORK_NUMBER_LENGTH = 14;

/**
 * Returns the work that tracks are recordings of; the first one says what it is.
 *
 * @throws UnwritableField for shares that do not add up, a role, a society, an IPI or an ISWC that a registration cannot have, and
 *   when the sender is nobody's publisher.
 */
export function toWork(recordings: readonly [PaperTrack, ...PaperTrack[]], sender: RightsSender): CwrWork {
  const [track] = recordings;
  const { title, iswc, trackId, durationSec, hasWords } = track;
  const shares = sharers(track);
  if (shares.length === 0) throw new UnwritableField("shares", "are missing");
  if (!track.isWhole) throw new UnwritableField("shares", "do not add up to 100 %");
  const byComposer = Map.groupBy(shares, ({ composerId }) => composerId);
  const writers = [...byComposer.values()].map((parts) => toWriter(parts, sender));
  if (!writers.some(({ isControlled }) => isControlled))
    throw new UnwritableField("publisher", `is ${sender.name} for none of the writers`);
  if (iswc !== null && toIswc(iswc) === undefined)
    throw new UnwritableField("ISWC", `${iswc} has a check digit that does not fit`);
  return {
    title,
    workNumber: track.workNumber ?? shortNumber("DUB", trackId, WORK_NUMBER_LENGTH),
    iswc,
    language: languageOf(track),
    category: categoryOf(track),
    textMusic: hasWords ? "MTX" : null,
    durationSec,
    writers,
    recordings: recordings.map(toRecording),
  };
}

function toWriter(parts: readonly Writer[], sender: RightsSender): CwrWriter {
  const [writer] = parts;
  if (!writer) throw new Error("A writer without a part");
  const roles = parts.map(({ role }) => {
    const designation = designationOf(role);
    if (designation === undefined)
      throw new UnwritableField("role", `“${role}” of ${writer.fullName} is none that registrations know`);
    return designation;
  });
  const { last, first } = namesOf(writer);
  return {
    party: shortNumber("W", writer.composerId, PARTY_LENGTH),
    last,
    first,
    role: joined(roles),
    ipi: ipiOrNone(writer.ipi),
    society: writer.pro === null ? "" : requireSociety(writer.pro),
    share: parts.reduce((total, { hundredths }) => total + hundredths, 0),
    isControlled: isPublishedBy(writer, sender),
  };
}

function toRecording({ isrc, upc, releaseDate, ...track }: PaperTrack): CwrRecording {
  const { title, artist, album, label, durationSec } = track;
  const ean = upc === null ? undefined : toGtin(upc);
  return {
    ...{ title, artist, album, label, durationSec },
    isrc: isrc === null ? null : (toIsrc(isrc) ?? null),
    ean: ean !== undefined && ean.length <= 13 ? ean.padStart(13, "0") : null,
    releaseDate: releaseDate !== null && releaseDate.length === 10 ? releaseDate.replaceAll("-", "") : null,
  };
}

function languageOf({ language, hasWords }: PaperTrack): string | null {
  const code = language === null || !hasWords ? undefined : languageCode(language);
  return code?.toUpperCase() ?? null;
}

/** Serious music needs its length. */
function categoryOf({ genres, durationSec }: PaperTrack): CwrWork["category"] {
  const is = (name: RegExp) => genres.some((genre) => name.test(genre));
  if (is(/jazz/i)) return "JAZ";
  if (is(/classical|orchestral|opera/i) && durationSec !== null) return "SER";
  return genres.length === 0 ? "UNC" : "POP";
}
