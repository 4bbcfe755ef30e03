import type { LibraryId } from "../../../../db/schema.ts";
import { hashOfArrival } from "../../../blobs/arriving.ts";
import { partialBytes, partialPath } from "../../../blobs/partial.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { displayName } from "../../../kernel/display-name.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { cutPage, type Page, type PageRequest } from "../../../kernel/paging.ts";
import { DAY_MS, toIso } from "../../../kernel/time.ts";
import type { Turns } from "../../../kernel/turns.ts";
import { titleOf } from "../catalog/service.ts";
import { arrivalsOf } from "./arrivals.ts";
import { isSentBy, type Sender } from "./guests.ts";
import { matchFiles } from "./match.ts";
import type { UploadRow, WaitingRow } from "./queries.ts";
import * as queries from "./queries.ts";
import { WAITING_DAYS, type WaitingUpload } from "./shapes.ts";

/** How long a file waits for its owner to say what it is. Then it becomes a track, like every complete upload. */
const WAITING_MS = WAITING_DAYS * DAY_MS;

type WaitDeps = Pick<Deps, "db" | "now" | "settings">;

/**
 * Makes an upload that has arrived wait until its owner says whether it is a version of the track that its name points at.
 * Null when there is nothing to ask: no name fits, the library has its bytes, or it has been decided.
 *
 * @throws DomainError `not_found`, `upload_incomplete`.
 */
export function letWait(
  deps: WaitDeps,
  turns: Turns,
  accountId: LibraryId,
  id: string,
): Promise<WaitingUpload | null> {
  return turns.take(id, async () => {
    const row = queries.findUpload(deps.db, accountId, id, deps.now());
    if (!row) throw new DomainError("not_found", "This upload has ended: choose the file again");
    if (row.waitingSince === null && row.outcome === null) await begin(deps, turns, row);
    const waiting = queries.findWaiting(deps.db, accountId, id);
    return waiting ? toWaiting(waiting) : null;
  });
}

async function begin({ db, now, settings }: WaitDeps, turns: Turns, row: UploadRow): Promise<void> {
  const { accountId, id, path, sizeBytes, forTrackId } = row;
  const name = displayName(path);
  if ((await partialBytes(partialPath(settings, id))) !== sizeBytes)
    throw new DomainError("upload_incomplete", `${name} has not arrived completely yet`);
  // Its sender has said what it is.
  if (forTrackId !== null) return;
  const sha256 = await hashOfArrival(arrivalsOf({ db, now, settings }, turns, accountId), { ...row, name });
  const [match] = matchFiles({ db, now }, accountId, [{ path, size: sizeBytes, sha256 }]).matches;
  if (!match || match.isTwin) return;
  const at = now();
  const change = { waitingSince: at, offeredTrackId: match.trackId, expiresAt: at + WAITING_MS };
  queries.prolongUpload(db, id, change, at);
}

/**
 * Returns a page of somebody's files that wait, the newest first. A backup has the rows without the files: those are
 * left out.
 *
 * @throws DomainError `validation_failed` for a cursor of another listing.
 */
export async function listWaiting(
  { db, now, settings }: WaitDeps,
  sender: Sender,
  page: PageRequest,
): Promise<Page<WaitingUpload>> {
  const { accountId } = sender;
  const at = now();
  const { items, paging } = cutPage(
    page,
    `waiting uploads ${accountId}`,
    ({ key, id }, limit) =>
      queries.selectWaiting(db, { accountId, at, since: Number(key), before: id, limit }),
    ({ waitingSince }) => waitingSince,
  );
  const bytes = await Promise.all(items.map(({ id }) => partialBytes(partialPath(settings, id))));
  return {
    items: items
      .filter(({ sizeBytes }, index) => bytes[index] === sizeBytes)
      .filter(({ madeBy }) => isSentBy(sender, madeBy))
      .map(toWaiting),
    paging,
  };
}

function toWaiting(row: WaitingRow): WaitingUpload {
  const { id, path, sizeBytes, waitingSince, expiresAt, trackId, name, title } = row;
  return {
    ...{ id, path, sizeBytes, trackId },
    waitingSince: toIso(waitingSince),
    waitsUntil: toIso(expiresAt),
    title: name === null ? null : titleOf({ name, title }),
  };
}
