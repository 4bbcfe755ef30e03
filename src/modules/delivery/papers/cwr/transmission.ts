import type { Db } from "../../../../../db/client.ts";
import type { LibraryId } from "../../../../../db/schema.ts";
import { familyOf } from "../../../library/families/service.ts";
import { nextFileNumber } from "../../../library/rights/service.ts";
import type { SenderProblem } from "../../../library/rights/shapes.ts";
import type { PaperFacts, PaperTrack } from "../facts.ts";
import { type CwrSender, cwrFile, workLines } from "./file.ts";
import { ipiOrNone, requireSociety, shortNumber } from "./parties.ts";
import { type CwrVersion, UnwritableField } from "./record.ts";
import { type CwrWork, toWork } from "./works.ts";

/** Why a work is not in a registration, in a sentence. */
export type LeftOut = { trackId: string; title: string; field: string; message: string };

/** A registration, and what could not go into it. */
export type Transmission = {
  /** Undefined when nothing could. */
  file: { name: string; text: string } | undefined;
  leftOut: LeftOut[];
};

/** Who receives it is not said: several societies may. */
const RECEIVER = "000";
const PARTY_LENGTH = 9;
const HUNDREDTHS = 100;
const NUMBER_DIGITS = 4;

/** What keeps the sender from sending, each as a sentence. */
export const SENDER_SENTENCES: Readonly<Record<SenderProblem, string>> = {
  no_name: "The sender has no name.",
  no_ipi: "The sender has no IPI.",
  bad_ipi: "The IPI of the sender has check digits that do not fit.",
  no_sender_code: "The sender has no sender code of CISAC.",
  no_society: "The sender is in no society.",
  unknown_society: "The society of the sender is none that registrations know.",
};

/** True when the sender may send registrations. */
export const maySend = ({ sender }: Pick<PaperFacts, "sender">): boolean => sender.problems.length === 0;

/**
 * Returns the registration of the works that tracks are recordings of. Works that it cannot have are left out and named. The same
 * facts on the same day give the same text, until {@link nextFileNumber} says another number.
 */
export function transmissionOf(
  db: Db,
  ownerId: LibraryId,
  facts: PaperFacts,
  version: CwrVersion,
): Transmission {
  if (!maySend(facts)) return { file: undefined, leftOut: [] };
  const sender = senderOf(ownerId, facts);
  const leftOut: LeftOut[] = [];
  const works: CwrWork[] = [];
  for (const recordings of worksAmong(db, ownerId, facts.tracks)) {
    const work = written(version, sender, recordings, facts, leftOut);
    if (work) works.push(work);
  }
  if (works.length === 0) return { file: undefined, leftOut };
  const year = new Date(facts.at).getUTCFullYear();
  const number = String(nextFileNumber(db, ownerId, year)).padStart(NUMBER_DIGITS, "0");
  const code = facts.sender.senderCode ?? "";
  const name = `CW${String(year % 100).padStart(2, "0")}${number}${code}_${RECEIVER}.V${version.replace(".", "")}`;
  return { file: { name, text: cwrFile(version, sender, works, facts.at) }, leftOut };
}

/** Returns the year and the number that the name of a registration says; undefined for another name. */
export function numberOfFile(name: string): { year: number; number: number } | undefined {
  const [, year, number] = /^CW(\d\d)(\d{4})[A-Z0-9]{2,3}_[A-Z0-9]{3}\.V2[12]$/.exec(name) ?? [];
  return year === undefined ? undefined : { year: 2000 + Number(year), number: Number(number) };
}

function senderOf(ownerId: LibraryId, { sender }: PaperFacts): CwrSender {
  return {
    party: shortNumber("P", ownerId, PARTY_LENGTH),
    name: sender.name ?? "",
    ipi: ipiOrNone(sender.ipi),
    society: requireSociety(sender.society ?? ""),
    prShare: Math.round(sender.prShare * HUNDREDTHS),
    mrShare: Math.round(sender.mrShare * HUNDREDTHS),
    srShare: Math.round(sender.srShare * HUNDREDTHS),
  };
}

function written(
  version: CwrVersion,
  sender: CwrSender,
  recordings: readonly [PaperTrack, ...PaperTrack[]],
  facts: PaperFacts,
  leftOut: LeftOut[],
): CwrWork | undefined {
  const [{ trackId, title }] = recordings;
  try {
    const work = toWork(recordings, facts.sender);
    workLines(version, sender, work, 0);
    return work;
  } catch (error) {
    if (!(error instanceof UnwritableField)) throw error;
    leftOut.push({ trackId, title, field: error.field, message: `“${title}”: ${error.field} ${error.why}.` });
    return undefined;
  }
}

/**
 * Returns the works that tracks are recordings of. Tracks of one set are one work, and so are those of one ISWC or one number of the
 * owner's own. The main mix of a set comes first among its recordings.
 */
function worksAmong(
  db: Db,
  ownerId: LibraryId,
  tracks: readonly PaperTrack[],
): (readonly [PaperTrack, ...PaperTrack[]])[] {
  const works = new Map<string, [PaperTrack, ...PaperTrack[]]>();
  for (const track of tracks) {
    const family = familyOf(db, ownerId, track.trackId);
    const key = family?.id ?? track.iswc ?? track.workNumber ?? track.trackId;
    const work = works.get(key);
    if (!work) works.set(key, [track]);
    else if (family?.mainTrackId === track.trackId) work.unshift(track);
    else work.push(track);
  }
  return [...works.values()];
}
