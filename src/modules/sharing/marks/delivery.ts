import { type Db, prepared, transact } from "../../../../db/client.ts";
import type { LibraryId, shares } from "../../../../db/schema.ts";
import { enqueue } from "../../../jobs/queue.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { HOUR_MS, SECOND_MS } from "../../../kernel/time.ts";
import { ENCODED_MEDIA_TYPES, ENCODINGS } from "../../../media/encoder.ts";
import type { MediaFile } from "../../library/files/service.ts";
import { choosePlayable, type Playable, playableOf } from "../../library/renditions/service.ts";
import {
  type CopyKind,
  copyOfLink,
  copyOfPackage,
  findCopy,
  findCopyOfLink,
  listCopiesOfPackage,
  type MarkedCopy,
} from "./copies.ts";
import { listFiles, type MarkedFile, markedPath } from "./files.ts";

/** The job that makes the files of a copy; payload `{ copyId }`, which is also the unique key. */
export const MARK_JOB = "mark";

type DeliveryDeps = Pick<Deps, "db" | "now" | "settings" | "secrets">;
/** A link whose copies are marked. */
export type MarkingLink = Pick<typeof shares.$inferSelect, "id" | "ownerId" | "recipient" | "isMarked">;
/** A version that such a link opens. */
export type GivenVersion = { versionId: string; trackId: string; mediaType: string };
/** A file of a copy, as a download needs it. */
export type MarkedMedia = MediaFile & { copyId: string };

/** Formats in which a copy is as good as its original. Others would have to be encoded a second time. */
const LOSSLESS: readonly string[] = ["audio/wav", "audio/flac", "audio/aiff"];
/** A file that could not be marked is tried again after this, when somebody asks for it. */
const TRY_AGAIN_MS = HOUR_MS;
/** How long a request waits for a copy that is being made, and for one whose turn has not come. */
const LONGEST_WAIT_MS = 20 * SECOND_MS;
const LONGEST_QUEUE_MS = 2 * SECOND_MS;
const LOOK_AGAIN_MS = 50;
const RETRY_AFTER_SEC = 10;

/** True for an original that may leave by a link whose copies are marked. */
export const hasMarkedDownload = ({ mediaType }: { mediaType: string }): boolean =>
  LOSSLESS.includes(mediaType);

/** What a page says that a browser may play of any version of such a link: both encodings, also before they are made. */
export const MARKED_SOURCES: readonly { kind: Playable["kind"]; type: string }[] = ENCODINGS.map((kind) => ({
  kind,
  type: playableOf(kind, { path: "", sizeBytes: 0, madeAt: 0 }).type,
}));

/** Has a copy made of a version for a link, unless it is there or could not be made lately. Call it in a transaction. */
export function prepareCopy(
  { db: tx, settings, now }: Omit<DeliveryDeps, "secrets">,
  link: MarkingLink,
  version: GivenVersion,
  kind: CopyKind,
): MarkedCopy {
  return prepare({ db: tx, settings, now }, copyOfLink(tx, givenBy(link, version, kind), now()));
}

function prepare(
  { db: tx, settings, now }: Pick<DeliveryDeps, "db" | "settings" | "now">,
  copy: MarkedCopy,
): MarkedCopy {
  const hasFailed = copy.failedAt !== null && copy.failedAt > now() - TRY_AGAIN_MS;
  if (hasFailed || isWhole(copy, listFiles(tx, settings, copy.id)) || stateOfJob(tx, copy.id)) return copy;
  const { id: copyId } = copy;
  enqueue(tx, { name: MARK_JOB, payload: { copyId }, uniqueKey: copyId, maxAttempts: 2 }, now());
  return copy;
}

const givenBy = (
  { id: shareId, ownerId: accountId, recipient }: MarkingLink,
  { versionId, trackId }: GivenVersion,
  kind: CopyKind,
) => ({ accountId, shareId, versionId, trackId, recipient, kind });

/** For whom a package is made. */
export type MarkingPackage = { id: string; ownerId: LibraryId; recipient: string | null };
/** The copy of a version for a package. `file` is undefined until it is made; `hasFailed`: it cannot be. */
export type PackedCopy = {
  copyId: string;
  versionId: string;
  file: (MarkedFile & { path: string }) | undefined;
  hasFailed: boolean;
};

/** Has copies made of versions for a package, each with a code of its own. Call it in a transaction. */
export function preparePackage(
  deps: Pick<DeliveryDeps, "db" | "settings" | "now">,
  { id: packageId, ownerId: accountId, recipient }: MarkingPackage,
  versions: readonly Pick<GivenVersion, "versionId" | "trackId">[],
): void {
  for (const { versionId, trackId } of versions)
    prepare(
      deps,
      copyOfPackage(deps.db, { packageId, accountId, recipient, versionId, trackId }, deps.now()),
    );
}

/** Returns the copies for a package, as far as they are made. */
export function copiesOfPackage(
  { db, settings }: Pick<DeliveryDeps, "db" | "settings">,
  { id, ownerId }: Pick<MarkingPackage, "id" | "ownerId">,
): PackedCopy[] {
  return listCopiesOfPackage(db, ownerId, id).map(({ id: copyId, versionId, failedAt }) => {
    const [file] = listFiles(db, settings, copyId);
    const isThere = file && { ...file, path: markedPath(settings, file) };
    return { copyId, versionId, file: isThere, hasFailed: failedAt !== null };
  });
}

/** What an encoder lacks is not waited for. */
const isWhole = ({ kind, failedAt }: MarkedCopy, files: readonly MarkedFile[]): boolean =>
  files.length >= (kind === "listen" && failedAt === null ? ENCODINGS.length : 1);

const jobOf = prepared((db) =>
  db.$client.prepare<{ state: "waiting" | "running" }, [string, string]>(
    "SELECT state FROM jobs WHERE name = ?1 AND unique_key = ?2 AND state IN ('waiting', 'running') ORDER BY state LIMIT 1",
  ),
);
const stateOfJob = (db: Db, copyId: string) => jobOf(db).get(MARK_JOB, copyId)?.state;

/**
 * Returns the file to play of a version for a link: of its own copy, and of nothing else. Waits for it a moment.
 *
 * @throws DomainError `being_prepared` when it is not there yet, `file_missing` when it cannot be made.
 */
export async function markedListening(
  deps: DeliveryDeps,
  link: MarkingLink,
  version: GivenVersion,
  request: Request,
): Promise<MarkedMedia> {
  const { copy, files } = await whenMade(deps, link, version, "listen", request.signal);
  const playable = ENCODINGS.flatMap((kind) => {
    const file = files.find(({ encoding }) => encoding === kind);
    return file ? [playableOf(kind, { ...file, path: markedPath(deps.settings, file) })] : [];
  });
  const [first, ...others] = playable;
  if (!first) throw missing();
  const { kind } = choosePlayable([first, ...others], request);
  const file = files.find(({ encoding }) => encoding === kind);
  if (!file || kind === "original") throw missing();
  return mediaOf(deps, copy, file, ENCODED_MEDIA_TYPES[kind]);
}

/**
 * Returns the file to download of a version for a link, in the format of the original. Waits for it a moment.
 *
 * @throws DomainError as {@link markedListening} does; `invalid_link` for a lossy original.
 */
export async function markedDownload(
  deps: DeliveryDeps,
  link: MarkingLink,
  version: GivenVersion,
  signal: AbortSignal,
): Promise<MarkedMedia> {
  if (!hasMarkedDownload(version))
    throw new DomainError(
      "invalid_link",
      "This track is for listening only: it cannot be downloaded from this link",
    );
  const { copy, files } = await whenMade(deps, link, version, "download", signal);
  const [file] = files;
  if (!file) throw missing();
  return mediaOf(deps, copy, file, version.mediaType);
}

type Made = { copy: MarkedCopy; files: MarkedFile[] };

async function whenMade(
  deps: DeliveryDeps,
  link: MarkingLink,
  version: GivenVersion,
  kind: CopyKind,
  signal: AbortSignal,
): Promise<Made> {
  const { db } = deps;
  // A player asks again for each part of a file: only the first request may have to write.
  const known = findCopyOfLink(db, givenBy(link, version, kind));
  const made = known && findMade(deps, known.id);
  if (made) return made;
  const { id } = transact(db, (tx) => prepareCopy({ ...deps, db: tx }, link, version, kind));
  const begun = performance.now();
  for (;;) {
    // In this order: a job that ends in between has left its files.
    const state = stateOfJob(db, id);
    const found = findMade(deps, id);
    if (found) return found;
    if (!state) throw missing();
    const mostMs = state === "running" ? LONGEST_WAIT_MS : LONGEST_QUEUE_MS;
    if (performance.now() - begun > mostMs || signal.aborted) throw beingPrepared();
    await Bun.sleep(LOOK_AGAIN_MS);
  }
}

function findMade({ db, settings }: DeliveryDeps, copyId: string): Made | undefined {
  const copy = findCopy(db, copyId);
  const files = listFiles(db, settings, copyId);
  return copy && isWhole(copy, files) ? { copy, files } : undefined;
}

/** The refusal of what a copy of is not there yet. */
export const beingPrepared = (what = "This track") =>
  new DomainError("being_prepared", `${what} is being prepared for you. Please try again in a minute.`, {
    headers: { "retry-after": String(RETRY_AFTER_SEC) },
  });

const missing = () =>
  new DomainError("file_missing", "This track cannot be prepared for this link. Please ask whoever sent it.");

/** The tag tells copies of different people apart, and copies from what is not marked. */
function mediaOf(
  { settings, secrets }: DeliveryDeps,
  { id: copyId }: MarkedCopy,
  file: MarkedFile,
  mediaType: string,
): MarkedMedia {
  const state = JSON.stringify([copyId, file.encoding, file.sha256]);
  const mac = new Bun.CryptoHasher("sha256", secrets("media-tags")).update(state).digest("base64url");
  return {
    copyId,
    source: markedPath(settings, file),
    sizeBytes: file.sizeBytes,
    mediaType,
    etag: `"${mac.slice(0, 22)}"`,
    lastModifiedAt: file.madeAt,
    isDateWeak: true,
  };
}
