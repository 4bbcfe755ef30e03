import { type Db, transact } from "../../../../db/client.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { recordActivity, settleActivity } from "../../analytics/service.ts";
import { isMachineName } from "./audience.ts";
import type { SharedFile } from "./counting.ts";
import { partOf } from "./metered.ts";
import { AGAIN_MS, activityOf, createHand } from "./notes.ts";

/** An answer with a part of an original. */
type Piece = { start: number; end: number; isAborted: boolean };

/** Somebody downloading an original. */
type Download = {
  sizeBytes: number;
  lastAt: number;
  pieces: Piece[];
  seq: number;
  /** The owner's own and machines' stay left out. */
  mayCount: boolean;
  isCounted: boolean;
};

/**
 * Makes the notes of downloads. One counts when answers without a gap carried the whole original; an answer that the
 * client broke off takes that back. Files go out with their length in front, so that browsers can show how much is left;
 * of such an answer nothing more is told than that it was broken off.
 */
export function createDownloadNotes({ db, now }: Pick<Deps, "db" | "now">) {
  const inHand = createHand<Download>(AGAIN_MS);
  const settle = (download: Download) => {
    const isWhole = download.mayCount && isComplete(download.pieces, download.sizeBytes);
    if (isWhole === download.isCounted) return;
    transact(db, (tx) => settleActivity(tx, download.seq, isWhole ? null : "incomplete"));
    download.isCounted = isWhole;
  };

  return {
    onServed: (file: SharedFile, response: Response, at: number): void => {
      const part = partOf(response, file.sizeBytes);
      if (!part) return;
      const key = keyOf(file);
      const known = inHand.get(key);
      const download =
        known && at - known.lastAt < AGAIN_MS ? known : transact(db, (tx) => begin(tx, file, at));
      const { signal } = file.request;
      const piece = { ...part, isAborted: signal.aborted };
      download.lastAt = at;
      download.pieces.push(piece);
      inHand.set(key, download);
      signal.addEventListener("abort", () => {
        piece.isAborted = true;
        try {
          settle(download);
        } catch {
          // The disk is full: the next flush settles it.
        }
      });
    },
    flush: (): void => {
      for (const download of inHand.values()) settle(download);
      inHand.forgetOld(now());
    },
  };
}

function keyOf({ share, visitId, client, request, versionId }: SharedFile): string {
  return `${share.id} ${versionId} ${visitId ?? `${client} ${request.headers.get("user-agent")}`}`;
}

function begin(
  tx: Db,
  { share, visitId, trackId, request, sizeBytes, isOwner }: SharedFile,
  at: number,
): Download {
  const isMachine = isMachineName(request.headers.get("user-agent"));
  const leftOut = isOwner() ? "owner" : isMachine ? "machine" : "incomplete";
  const seq = recordActivity(tx, { ...activityOf(share, "downloads", visitId, trackId), leftOut }, at);
  return { sizeBytes, lastAt: at, pieces: [], seq, mayCount: leftOut === "incomplete", isCounted: false };
}

/**
 * True when the pieces make up the whole. Of one that was broken off nobody knows where; but whoever goes on from a byte
 * within it has those before.
 */
export function isComplete(pieces: readonly Piece[], sizeBytes: number): boolean {
  let has = 0;
  let mayHave = 0;
  for (const { start, end, isAborted } of pieces.toSorted((a, b) => a.start - b.start)) {
    if (start > Math.max(has, mayHave)) return false;
    if (isAborted) mayHave = Math.max(mayHave, end);
    else has = Math.max(has, end);
  }
  return has >= sizeBytes;
}
