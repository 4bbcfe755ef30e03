import { type Db, transact } from "../../../../db/client.ts";
import type { LibraryId, PersonId } from "../../../../db/schema.ts";
import { hashOfArrival, removeArrival } from "../../../blobs/arriving.ts";
import { partialBytes, partialPath, removePartial, stagePartial } from "../../../blobs/partial.ts";
import { discardStaged, originalsOf } from "../../../blobs/store.ts";
import { type Deps, within } from "../../../kernel/deps.ts";
import { displayName } from "../../../kernel/display-name.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { asRefusal } from "../../../kernel/refusals.ts";
import type { Turns } from "../../../kernel/turns.ts";
import { sniffAudio } from "../../../media/formats/sniff.ts";
import { notify } from "../../people/notifications/service.ts";
import { findPerson } from "../../people/people/service.ts";
import { CONSOLE, findAlbumOf, noteArrival } from "../albums/service.ts";
import { titleOf } from "../catalog/service.ts";
import { declineMix } from "../recordings/service.ts";
import {
  addTracks,
  describeTrackFiles,
  discardTrackFile,
  findTrackWithBytes,
  keepTrackFiles,
  type StagedTrackFile,
} from "../tracks/service.ts";
import { addVersion } from "../versions/service.ts";
import { arrivalsOf, KEPT_MS } from "./arrivals.ts";
import type { UploadRow } from "./queries.ts";
import * as queries from "./queries.ts";
import type { FinishedUpload, FinishItem } from "./shapes.ts";

type FinishDeps = Pick<Deps, "db" | "now" | "secrets" | "settings" | "selfCommand" | "ffmpegPath" | "log">;
/** What became of an upload. */
export type Outcome = Pick<UploadRow, "outcome" | "trackId" | "versionId">;

/**
 * Puts uploads that have arrived into the account's library: each becomes a track, a version of one, or nothing when the
 * library has the same bytes. Each is finished for itself, and a finish that is repeated answers the same.
 *
 * @param allow Left out: everything that is asked is done.
 */
export async function finishUploads(
  deps: FinishDeps,
  turns: Turns,
  accountId: LibraryId,
  items: readonly AllowedItem[],
  allow: Allow = (item) => item,
): Promise<FinishedUpload[]> {
  const finished: FinishedUpload[] = [];
  for (const item of items) finished.push(await finishOne(deps, turns, { accountId, item, allow }));
  return finished;
}

/** What becomes of an upload, and the guest who sent it: their version waits for somebody to make it play. */
export type AllowedItem = FinishItem & { sentBy?: PersonId };

/** Returns an item as whoever asks may have it done. @throws DomainError that becomes the outcome of this item. */
type Allow = (item: AllowedItem) => AllowedItem;

async function finishOne(
  deps: FinishDeps,
  turns: Turns,
  { accountId, item, allow }: { accountId: LibraryId; item: AllowedItem; allow: Allow },
): Promise<FinishedUpload> {
  const { id, path } = item;
  try {
    const { outcome, trackId, versionId } = await turns.take(id, () =>
      finish(deps, turns, accountId, allow(item)),
    );
    if (outcome === null) throw new Error("A finished upload has no outcome");
    const names = trackId === null ? undefined : queries.selectNames(deps.db, accountId, trackId);
    const title = names ? titleOf(names) : null;
    const albumId =
      trackId === null ? null : findAlbumOf(deps.db, { accountId, source: CONSOLE, path, trackId });
    return { id, path, outcome, trackId, versionId, title, albumId, messageCode: null, message: null };
  } catch (error) {
    const refusal = asRefusal(error);
    if (!refusal) throw error;
    const { code, message } = refusal;
    return {
      id,
      path,
      outcome: "refused",
      trackId: null,
      versionId: null,
      title: null,
      albumId: null,
      messageCode: code,
      message,
    };
  }
}

const finish = (deps: FinishDeps, turns: Turns, accountId: LibraryId, item: AllowedItem): Promise<Outcome> =>
  finishUpload(deps, turns, { accountId, ...item, isVersion: item.trackId !== undefined }, (tx, file) => {
    const outcome = add(within(deps, tx), accountId, item, file);
    const { offeredTrackId = null } = queries.findUpload(tx, accountId, item.id, deps.now()) ?? {};
    // Its name made it a version of that track, and its owner said that it is none: its sound is no reason to ask again.
    if (outcome.outcome === "track" && outcome.trackId !== null && offeredTrackId !== null)
      declineMix(tx, {
        trackId: outcome.trackId,
        otherId: offeredTrackId,
        ownerId: accountId,
        at: deps.now(),
      });
    return outcome;
  });

/** An account's upload, and the path of its file. `isVersion`: it becomes a version of a track, which has its words already. */
type Arrived = { accountId: LibraryId; id: string; path: string; isVersion?: boolean };

/**
 * Has `add` put an upload that has arrived into the library, in the transaction that notes its outcome. A finished one
 * keeps the outcome that it has.
 *
 * @throws DomainError `not_found`, `upload_incomplete`, `invalid_file_type`, and as `add`.
 */
export async function finishUpload(
  deps: FinishDeps,
  turns: Turns,
  { accountId, id, path, isVersion = false }: Arrived,
  add: (tx: Db, file: StagedTrackFile) => Outcome,
): Promise<Outcome> {
  const row = queries.findUpload(deps.db, accountId, id, deps.now());
  if (!row) throw new DomainError("not_found", "This upload has ended: choose the file again");
  if (row.outcome !== null) return row;
  const file = await stage(deps, turns, row, displayName(path));
  try {
    if (!isVersion) await describeTrackFiles(deps, accountId, [file]);
    await keepTrackFiles(deps, [file]);
    const outcome = write(deps, id, file, add);
    await removePartial(partialPath(deps.settings, row.id));
    return outcome;
  } finally {
    await discardTrackFile(file);
  }
}

async function stage(
  deps: FinishDeps,
  turns: Turns,
  row: UploadRow,
  filename: string,
): Promise<StagedTrackFile> {
  const arrivals = arrivalsOf(deps, turns, row.accountId);
  const path = partialPath(deps.settings, row.id);
  if ((await partialBytes(path)) !== row.sizeBytes)
    throw new DomainError("upload_incomplete", `${filename} has not arrived completely yet`);
  const sha256 = await hashOfArrival(arrivals, { ...row, name: filename });
  const staged = await stagePartial(deps.settings, path, sha256);
  const format = sniffAudio(staged.head);
  if (format) return { staged, format, filename };
  await discardStaged(staged);
  await removeArrival(arrivals, row.id);
  throw new DomainError("invalid_file_type", `${filename} is not an audio file in a supported format`);
}

/** Adds the file to the library and notes what became of it, in one transaction. */
function write(
  deps: FinishDeps,
  id: string,
  file: StagedTrackFile,
  add: (tx: Db, file: StagedTrackFile) => Outcome,
): Outcome {
  try {
    return transact(deps.db, (tx) => {
      const outcome = add(tx, file);
      queries.updateUpload(tx, id, { ...outcome, expiresAt: deps.now() + KEPT_MS });
      return outcome;
    });
  } catch (error) {
    // The file is not lost: it is still there as an upload.
    transact(deps.db, (tx) => originalsOf(deps.settings).takeBack(tx, file.staged));
    throw error;
  }
}

function add(
  deps: FinishDeps,
  accountId: LibraryId,
  { trackId, path, activate = true, isSeparate = false, sentBy }: AllowedItem,
  file: StagedTrackFile,
): Outcome {
  const arrived = { accountId, source: CONSOLE, path, tags: file.described?.tags };
  const twinId = findTwin(deps.db, accountId, trackId, file.staged.sha256);
  if (twinId !== undefined) {
    if (trackId === undefined && !isSeparate)
      noteArrival(deps.db, deps, { ...arrived, trackId: twinId, isNew: false });
    return { outcome: "twin", trackId: twinId, versionId: null };
  }
  if (trackId !== undefined) {
    const { id } = addVersion(deps, accountId, trackId, { file, activate });
    if (sentBy !== undefined) tellSent(deps, { accountId, trackId, sentBy });
    return { outcome: "version", trackId, versionId: id };
  }
  const [created] = addTracks(deps, accountId, [{ ...file, visible: true }]);
  if (!created) throw new Error("A file was added without a track");
  if (!isSeparate) noteArrival(deps.db, deps, { ...arrived, trackId: created.id, isNew: true });
  return { outcome: "track", trackId: created.id, versionId: created.versionId };
}

/** Nobody hears the version of a guest before somebody makes it play. */
function tellSent(
  { db, now }: Pick<FinishDeps, "db" | "now">,
  { accountId, trackId, sentBy }: { accountId: LibraryId; trackId: string; sentBy: PersonId },
): void {
  const names = queries.selectNames(db, accountId, trackId);
  const who = findPerson(db, sentBy)?.name ?? "A guest";
  const title = `${who} sent in a version of ${names ? titleOf(names) : "a track"}`;
  notify(db, { accountId, kind: "track.version_sent", title, entityKey: "track", entityId: trackId }, now());
}

/** Returns the track that has these bytes. A new version is a twin only of the versions of its own track. */
function findTwin(
  db: Db,
  accountId: LibraryId,
  trackId: string | undefined,
  sha256: string,
): string | undefined {
  if (trackId === undefined) return findTrackWithBytes(db, accountId, sha256);
  return queries.hasVersionWithBytes(db, trackId, sha256) ? trackId : undefined;
}
