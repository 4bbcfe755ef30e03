import type { Db } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import { partsOf } from "../../../audio/fingerprint/excerpt.ts";
import { withLocalCopy } from "../../../blobs/store.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { titleOf } from "../../library/catalog/service.ts";
import { findMarkKey, listCopies, listCopiesOfFile, type MarkedCopy } from "../marks/service.ts";
import type { Ask } from "./ask.ts";
import { type Excerpt, findExcerpts } from "./find.ts";
import { type LeakAnswer, NOTHING_YET } from "./lookups.ts";
import {
  type LeakVersion,
  listRecordingIds,
  markedVersionsOf,
  versionsOfRecordings,
  versionsOfTrack,
} from "./queries.ts";
import { PLACES_OF_WINDOW, READINGS_BLIND, spanOf, windowsOf } from "./spans.ts";
import type { Coded, Readings, SoundFile } from "./task.ts";
import { type Candidate, candidatesOf, codesAmong } from "./verdict.ts";

export type LookUpDeps = Pick<Deps, "db" | "secrets" | "settings" | "ffmpegPath" | "selfCommand">;

/** A file that came from somewhere, and the track that its owner takes it for. */
export type Asked = {
  accountId: LibraryId;
  path: string;
  /** Lower-case hex. */
  sha256: string;
  trackId: string | undefined;
};

/** Recordings that a leak may be of are tried in the order of their likeness; copies and mixes of one song are several. */
const MOST_RECORDINGS = 5;
/** Versions whose marks are read. */
const MOST_VERSIONS = 12;
/** The same for a sound that is no part of any track: its original may be gone. */
const MOST_BLIND = 24;

/** A version whose copies carry marks. `version` is undefined where it is gone. */
type Marked = {
  versionId: string;
  version: LeakVersion | undefined;
  copies: MarkedCopy[];
  key: Uint8Array;
};

/** What is known of a leak before its mark is read. */
type Known = { asked: Asked; leak: SoundFile; durationSec: number; excerpts: readonly Excerpt[] };

/**
 * Finds whose copy a file is: by its bytes, else by its mark.
 *
 * @throws MediaError for faults in the file; DomainError `analysis_failed` when there is too little sound in it.
 */
export async function lookUp(deps: LookUpDeps, asked: Asked, ask: Ask): Promise<LeakAnswer> {
  const exact = exactAnswer(deps, asked);
  if (exact) return exact;
  const leak = fileAt(deps, asked.path);
  const { codes, durationSec } = await ask<Coded>({ kind: "codes", file: leak });
  const parts = partsOf(codes);
  if (parts.length === 0)
    throw new DomainError("analysis_failed", "There are less than 5 seconds of sound in this file");
  const { db } = deps;
  const named = asked.trackId === undefined ? undefined : versionsOfTrack(db, asked.accountId, asked.trackId);
  const among =
    named?.flatMap(({ recordingId }) => recordingId ?? []) ?? listRecordingIds(db, asked.accountId);
  const excerpts = (await findExcerpts(db, { parts, among: [...new Set(among)] }, ask)).slice(
    0,
    MOST_RECORDINGS,
  );
  const known: Known = { asked, leak, durationSec, excerpts };
  const versions = named ?? versionsLike(deps, known);
  const marked = versions.length > 0 ? markedAmong(deps, known, versions) : lastMarked(deps, asked.accountId);
  return answerOf(deps, known, { versions, marked, read: await readMarks(deps, known, marked, ask) });
}

/** Answers for a file that is a copy byte for byte. Copies of silence are all alike, and say nothing. */
function exactAnswer({ db }: LookUpDeps, { accountId, sha256 }: Asked): LeakAnswer | undefined {
  const copies = listCopiesOfFile(db, accountId, sha256);
  const [first] = copies;
  if (!first || codesAmong(copies) > 1) return undefined;
  return {
    ...NOTHING_YET,
    ...{ status: "done", says: "named", method: "exact", trackId: first.trackId, versionId: first.versionId },
    title: titleIn(db, accountId, first.trackId),
    candidates: copies.map((copy) => wireOf({ copy, score: null, chanceOfError: null })),
    codesTried: 1,
  };
}

/** Returns what a track is called; null when it is gone. */
function titleIn(db: Db, accountId: LibraryId, trackId: string): string | null {
  const [version] = versionsOfTrack(db, accountId, trackId);
  return version ? titleOf(version) : null;
}

/** Returns all versions of the tracks that a leak sounds like, those of the likest recording first. */
function versionsLike({ db }: LookUpDeps, { asked, excerpts }: Known): LeakVersion[] {
  const ids = excerpts.map(({ recordingId }) => recordingId);
  const rank = ({ recordingId }: LeakVersion) => {
    const at = recordingId === null ? -1 : ids.indexOf(recordingId);
    return at < 0 ? ids.length : at;
  };
  return versionsOfRecordings(db, asked.accountId, ids).sort((one, other) => rank(one) - rank(other));
}

/** Returns the versions that have marked copies, and those that are gone from the same tracks. */
function markedAmong(deps: LookUpDeps, { asked }: Known, versions: readonly LeakVersion[]): Marked[] {
  const { accountId } = asked;
  const there = new Map(versions.map((version) => [version.id, version]));
  const trackIds = [...new Set(versions.map(({ trackId }) => trackId))];
  const ids = new Set([...there.keys(), ...markedVersionsOf(deps.db, accountId, trackIds)]);
  const copies = Map.groupBy(listCopies(deps.db, accountId, [...ids]), ({ versionId }) => versionId);
  return [...ids]
    .flatMap((versionId) =>
      markedOf(deps, accountId, { version: there.get(versionId), versionId, copies: copies.get(versionId) }),
    )
    .slice(0, MOST_VERSIONS);
}

/** Returns the versions whose copies were marked last. */
function lastMarked(deps: LookUpDeps, accountId: LibraryId): Marked[] {
  const copies = Map.groupBy(listCopies(deps.db, accountId), ({ versionId }) => versionId);
  // They come in the order in which they were made.
  const last = (all: readonly MarkedCopy[]) => all.at(-1)?.createdAt ?? 0;
  return [...copies]
    .sort(([, one], [, other]) => last(other) - last(one))
    .slice(0, MOST_BLIND)
    .flatMap(([versionId, own]) => markedOf(deps, accountId, { version: undefined, versionId, copies: own }));
}

function markedOf(
  deps: LookUpDeps,
  accountId: LibraryId,
  {
    version,
    versionId,
    copies = [],
  }: { version: LeakVersion | undefined; versionId: string; copies: MarkedCopy[] | undefined },
): Marked[] {
  const key = copies.length === 0 ? undefined : findMarkKey(deps, { accountId, versionId });
  return key ? [{ version, versionId, copies, key }] : [];
}

type Read = { marked: Marked; candidates: Candidate[]; method: "informed" | "blind" };

/** Reads the marks of versions, with their originals at first. Ends with the first that names someone. */
async function readMarks(
  deps: LookUpDeps,
  known: Known,
  all: readonly Marked[],
  ask: Ask,
): Promise<Read | undefined> {
  const plans = all.map((marked) => ({ marked, windows: windowsOf(known, marked.version) }));
  const tries = plans.reduce(
    (sum, { marked, windows }) =>
      sum + codesAmong(marked.copies) * (PLACES_OF_WINDOW * windows.length + READINGS_BLIND),
    0,
  );
  const { leak } = known;
  for (const { marked, windows } of plans) {
    const { version, key, copies } = marked;
    for (const window of windows) {
      const readings = await withLocalCopy(deps.settings, version?.sha256 ?? "", (path) =>
        ask<Readings>({
          ...{ kind: "read", file: leak, span: spanOf(known, version), key },
          original: { file: fileAt(deps, path), ...window },
        }),
      );
      const candidates = candidatesOf({ readings: readings ?? [], copies }, tries);
      if (candidates.length > 0) return { marked, candidates, method: "informed" };
    }
  }
  for (const { marked } of plans) {
    const { version, key, copies } = marked;
    const span = spanOf(known, version);
    const readings = await ask<Readings>({ kind: "read", file: leak, span, original: null, key });
    const candidates = candidatesOf({ readings, copies }, tries);
    if (candidates.length > 0) return { marked, candidates, method: "blind" };
  }
  return undefined;
}

type Outcome = { versions: readonly LeakVersion[]; marked: readonly Marked[]; read: Read | undefined };

function answerOf({ db }: LookUpDeps, known: Known, { versions, marked, read }: Outcome): LeakAnswer {
  const version = read ? read.marked.version : versions[0];
  const [copy] = read?.candidates.map((each) => each.copy) ?? [];
  const excerpt =
    known.excerpts.find(({ recordingId }) => recordingId === version?.recordingId) ?? known.excerpts[0];
  const trackId = copy?.trackId ?? version?.trackId ?? null;
  return {
    ...{ status: "done", error: null, says: saysOf(known, marked, read), method: read?.method ?? null },
    trackId,
    versionId: copy?.versionId ?? version?.id ?? null,
    title: trackId === null ? null : titleIn(db, known.asked.accountId, trackId),
    ...placeOf(known, version, excerpt, read),
    candidates: read?.candidates.map(wireOf) ?? [],
    codesTried: marked.reduce((sum, { copies }) => sum + codesAmong(copies), 0),
  };
}

function saysOf({ excerpts }: Known, marked: readonly Marked[], read: Read | undefined): LeakAnswer["says"] {
  if (read) return "named";
  if (excerpts.length === 0) return "not_found";
  return marked.length === 0 ? "no_copies" : "no_mark";
}

/** Returns where a leak is in its track. Music repeats itself: where a mark was read, it says which repeat it is. */
function placeOf(
  known: Known,
  version: LeakVersion | undefined,
  excerpt: Excerpt | undefined,
  read: Read | undefined,
): Pick<LeakAnswer, "excerpt" | "at"> {
  const span = spanOf(known, version);
  const at = excerpt?.at ?? { from: span.fromSec, to: span.toSec };
  const originalSec = read?.candidates[0]?.originalSec ?? null;
  if (originalSec === null) return { excerpt: excerpt?.excerpt ?? null, at: excerpt?.at ?? null };
  const from = Math.max(0, originalSec - span.fromSec + at.from);
  return { excerpt: { from, to: from + at.to - at.from }, at };
}

const fileAt = ({ ffmpegPath, selfCommand }: LookUpDeps, path: string): SoundFile => ({
  ...{ path, ffmpegPath, selfCommand },
});

const wireOf = ({
  copy,
  score,
  chanceOfError,
}: {
  copy: MarkedCopy;
  score: number | null;
  chanceOfError: number | null;
}): LeakAnswer["candidates"][number] => ({
  ...{ shareId: copy.shareId, packageId: copy.packageId, recipient: copy.recipient, kind: copy.kind },
  deliveredAt: copy.deliveredAt === null ? null : new Date(copy.deliveredAt).toISOString(),
  ...{ score, chanceOfError },
});
