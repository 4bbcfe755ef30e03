import { type Db, transact } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { fileStem } from "../../../kernel/safe-names.ts";
import { noteFileNumber } from "../../library/rights/service.ts";
import type { CwrVersion } from "./cwr/record.ts";
import { numberOfFile, SENDER_SENTENCES, type Transmission, transmissionOf } from "./cwr/transmission.ts";
import { type PaperFacts, type PaperRelease, readFacts } from "./facts.ts";
import { PAPERS, type Paper, type PaperWhere, type Registration } from "./shapes.ts";
import { splitSheetPage } from "./split-sheet-views.tsx";
import { aiUse, credits, cueSheet, splitSheet } from "./tables.ts";
import { paperTracks } from "./where.ts";

/** A paper as a file, by its name below `papers/`. */
export type PaperText = { name: string; text: string };

/** For whom papers are, and what of. */
export type PapersOptions = {
  profile: "store" | "sync" | "cd" | "custom";
  /** When they were made. */
  at: number;
  /** What the release says, where a track says nothing of its own. */
  release?: PaperRelease;
};

const MAKERS: Readonly<Record<Paper, (facts: PaperFacts) => string>> = {
  "split-sheet.csv": splitSheet,
  "split-sheet.html": splitSheetPage,
  "credits.csv": credits,
  "cue-sheet.csv": cueSheet,
  "ai-use.csv": aiUse,
};

/** Cue sheets are for film and television. */
const OF_PROFILE: Readonly<Record<PapersOptions["profile"], readonly Paper[]>> = {
  store: PAPERS.filter((paper) => paper !== "cue-sheet.csv"),
  sync: PAPERS,
  cd: PAPERS.filter((paper) => paper !== "cue-sheet.csv"),
  custom: PAPERS,
};

/**
 * Returns the papers that go along with tracks. Whoever gets them must be allowed to see splits. The same tracks at the same time
 * give the same texts; once they went out, {@link notePapers} says so, and the next registration has another number.
 */
export function papersFor(
  db: Db,
  ownerId: LibraryId,
  trackIds: readonly string[],
  { profile, at, release = {} }: PapersOptions,
): PaperText[] {
  const facts = readFacts(db, ownerId, trackIds, { at, release });
  const papers = OF_PROFILE[profile].map((name) => ({ name, text: MAKERS[name](facts) }));
  const registration = profile === "cd" ? undefined : transmissionOf(db, ownerId, facts, "2.1").file;
  return registration ? [...papers, registration] : papers;
}

/** Notes that papers went out, by their names. Call it in the transaction that says so. */
export function notePapers(tx: Db, ownerId: LibraryId, names: readonly string[]): void {
  for (const name of names) {
    const file = numberOfFile(name);
    if (file) noteFileNumber(tx, ownerId, file.year, file.number);
  }
}

/** Returns one paper of tracks, or of a playlist. @throws DomainError `track_not_found` or `playlist_not_found`. */
export function paperOf(
  { db, now }: Pick<Deps, "db" | "now">,
  ownerId: LibraryId,
  where: PaperWhere,
  paper: Paper,
): PaperText {
  const { name, trackIds, release } = paperTracks(db, ownerId, where);
  const facts = readFacts(db, ownerId, trackIds, { at: now(), release });
  const [only] = facts.tracks;
  const of = name ?? (facts.tracks.length === 1 && only ? only.title : `${facts.tracks.length} tracks`);
  return { name: `${fileStem(of)} ${paper}`, text: MAKERS[paper](facts) };
}

/**
 * Returns a registration of the works that tracks are recordings of, and gives its number away.
 *
 * @throws DomainError as {@link paperOf}.
 */
export function register(
  { db, now }: Pick<Deps, "db" | "now">,
  ownerId: LibraryId,
  where: PaperWhere,
  version: CwrVersion,
): Registration {
  return transact(db, (tx) => {
    const { trackIds, release } = paperTracks(tx, ownerId, where);
    const facts = readFacts(tx, ownerId, trackIds, { at: now(), release });
    const { file, leftOut } = transmissionOf(tx, ownerId, facts, version);
    if (file) notePapers(tx, ownerId, [file.name]);
    return {
      filename: file?.name ?? null,
      text: file?.text ?? null,
      works: file ? worksIn(file) : 0,
      senderProblems: facts.sender.problems.map((problem) => SENDER_SENTENCES[problem]),
      leftOut,
    };
  });
}

const worksIn = ({ text }: NonNullable<Transmission["file"]>): number => text.match(/^NWR/gm)?.length ?? 0;
