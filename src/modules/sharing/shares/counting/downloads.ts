import { type Db, transact } from "../../../../../db/client.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import { recordActivity, settleActivity } from "../../../library/analytics/service.ts";
import { noteDeed } from "../../../proof/ledger/service.ts";
import { isMachineName } from "./audience.ts";
import { partOf } from "./metered.ts";
import { AGAIN_MS, activityOf, createHand } from "./notes.ts";
import type { SharedFile } from "./shared-file.ts";

/** A part of an original that an answer carried. */
type Piece = { start: number; end: number; isAborted: boolean };

/** A visitor's download of an original. */
type Download = {
  sizeBytes: number;
  lastAt: number;
  pieces: Piece[];
  seq: number;
  file: Pick<SharedFile, "share" | "trackId" | "versionId">;
  /** False for downloads by the owner and by bots, which do not count. */
  mayCount: boolean;
  isCounted: boolean;
};

/**
 * Makes the recorder of downloads. A download counts when answers have carried the whole original without a gap. If
 * the client aborts an answer, the count is taken back. Files are sent with their length, for the browser's
 * progress display; of such an answer the server only learns that it was aborted.
 */
export function createDownloadNotes({ db, now }: Pick<Deps, "db" | "now">) {
  const inHand = createHand<Download>(AGAIN_MS);
  const settle = (download: Download) => {
    const isWhole = download.mayCount && isComplete(download.pieces, download.sizeBytes);
    if (isWhole === download.isCounted) return;
    transact(db, (tx) => settleActivity(tx, download.seq, isWhole ? null : "incomplete"));
    download.isCounted = isWhole;
  };

  /** Notes a part of a file. A new download begins where none is in hand. */
  const note = (file: SharedFile, piece: Piece, at: number): Download => {
    const key = keyOf(file);
    const known = inHand.get(key);
    const download =
      known && at - known.lastAt < AGAIN_MS ? known : transact(db, (tx) => begin(tx, file, at));
    download.lastAt = at;
    download.pieces.push(piece);
    inHand.set(key, download);
    return download;
  };

  return {
    /** Notes a file of an archive. The result is called when its last byte has been sent. */
    onPacked: (file: SharedFile, at: number): (() => void) => {
      const piece = { start: 0, end: file.sizeBytes, isAborted: true };
      note(file, piece, at);
      return () => {
        piece.isAborted = false;
      };
    },
    onServed: (file: SharedFile, response: Response, at: number): void => {
      const part = partOf(response, file.sizeBytes);
      if (!part) return;
      const { signal } = file.request;
      const piece = { ...part, isAborted: signal.aborted };
      const download = note(file, piece, at);
      signal.addEventListener("abort", () => {
        piece.isAborted = true;
        try {
          settle(download);
        } catch {
          // The disk is full: the next flush settles it.
        }
      });
    },
    /** Counts what is whole. Once a download is over, the ledger has it; with `isLast` they all are. */
    flush: (isLast: boolean): void => {
      const at = now();
      for (const download of inHand.values()) {
        settle(download);
        const isOver = isLast || at - download.lastAt >= AGAIN_MS;
        if (download.isCounted && isOver) transact(db, (tx) => noteFinished(tx, download));
      }
      inHand.forgetOld(isLast ? Number.POSITIVE_INFINITY : at);
    },
  };
}

function keyOf({ share, visitId, client, request, versionId }: SharedFile): string {
  return `${share.id} ${versionId} ${visitId ?? `${client} ${request.headers.get("user-agent")}`}`;
}

function noteFinished(tx: Db, { file: { share, trackId, versionId }, lastAt, sizeBytes }: Download): void {
  const detail = { versionId, trackId, recipient: share.recipient, sizeBytes, beganAt: lastAt };
  noteDeed(tx, share.ownerId, { type: "download.finished", subject: share.id, partOf: trackId, detail });
}

function begin(
  tx: Db,
  { share, visitId, trackId, versionId, request, sizeBytes, isOwner }: SharedFile,
  at: number,
): Download {
  const isMachine = isMachineName(request.headers.get("user-agent"));
  const leftOut = isOwner() ? "owner" : isMachine ? "machine" : "incomplete";
  const seq = recordActivity(tx, { ...activityOf(share, "downloads", visitId, trackId), leftOut }, at);
  const file = { share, trackId, versionId };
  return {
    sizeBytes,
    lastAt: at,
    pieces: [],
    seq,
    file,
    mayCount: leftOut === "incomplete",
    isCounted: false,
  };
}

/**
 * True when the pieces make up the whole. It is unknown where an aborted piece ended, but a client that resumes
 * within it has the bytes before.
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
