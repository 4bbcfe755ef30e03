import { api, dataOf } from "../api/client.ts";
import { ApiError } from "../api/errors.ts";
import { can } from "../api/library.ts";
import type { AnswerOf } from "../api/queries.ts";
import { finishSoon, idOf } from "./finish.ts";
import { fillPlaylists } from "./into-playlists.ts";
import { waitOrThrow } from "./send.ts";
import { note, type Offered, show, takeOff, type Upload } from "./state.ts";

const AT_ONCE = 250;
/** A file up to here is hashed, to see whether the library has it, before it is sent. */
const MAX_HASHED_BYTES = 64 * 1024 * 1024;

type Asked = { path: string; size: number; sha256?: string };

const ask = (files: readonly Asked[]) =>
  dataOf(api.POST("/app/uploads/match", { body: { files: [...files] } }));

/** Finds out which tracks files may be new versions of. Sending goes on meanwhile. */
export function look(some: readonly Upload[]): void {
  for (let at = 0; at < some.length; at += AT_ONCE) {
    const slice = some.slice(at, at + AT_ONCE);
    const looked = lookAt(slice).catch(() => undefined);
    for (const upload of slice) upload.looked = looked;
  }
}

async function lookAt(some: readonly Upload[]): Promise<void> {
  const asked = some.filter(({ about }) => !about.version);
  if (asked.length === 0) return;
  const { matches, sameSize } = await ask(asked.map(({ about: { path, size } }) => ({ path, size })));
  const byPath = new Map(matches.map((match) => [match.path, match]));
  for (const upload of asked) {
    const match = byPath.get(upload.about.path);
    if (match && can("update:tracks")) upload.offer.value = { trackId: match.trackId, title: match.title };
  }
  const known = new Set(sameSize);
  void tellTwins(asked.filter(({ about }) => known.has(about.path)));
}

/** Has files not sent at all whose bytes the library has. */
async function tellTwins(some: readonly Upload[]): Promise<void> {
  if (!("subtle" in crypto)) return;
  for (const upload of some) {
    const { file, about } = upload;
    if (!file || file.size > MAX_HASHED_BYTES || !isWaiting(upload)) continue;
    const sha256 = await hashOf(file).catch(() => undefined);
    if (sha256 === undefined || !isWaiting(upload)) continue;
    const { matches } = await ask([{ path: about.path, size: about.size, sha256 }]);
    const [twin] = matches;
    if (!twin?.isTwin || !isWaiting(upload)) continue;
    const { trackId, title } = twin;
    note(upload, { made: { trackId, title, isTwin: true, isListed: false } });
    show(upload, { state: "done" });
  }
  await fillPlaylists();
}

const isWaiting = ({ now }: Upload) => now.peek().state === "waiting";

async function hashOf(file: File): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", await file.arrayBuffer());
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** What the server says of a file that waits. */
type Waiting = AnswerOf<"/app/uploads/waiting">["data"][number];

/** The track that a file may be a new version of; undefined when that track is gone. */
export const offerOf = ({ trackId, title }: Waiting): Offered | undefined =>
  trackId === null || title === null ? undefined : { trackId, title };

/**
 * Puts a file that has arrived into the library, unless its owner has to say first what it is: then it waits on the server,
 * and every browser of the account asks. `isFound`: it was on its way before a reload, and may wait already.
 */
export async function settle(upload: Upload, isFound = false): Promise<void> {
  show(upload, { state: "arrived" });
  await upload.looked;
  const offer = upload.offer.peek();
  if (!upload.about.version && can("update:tracks") && (offer || isFound)) {
    const waiting = await letWait(upload).catch(() => undefined);
    const isDecided = upload.about.version !== undefined || (offer && !upload.offer.peek());
    if (waiting && !isDecided) {
      upload.offer.value = offerOf(waiting);
      show(upload, { state: "asking" });
      return;
    }
  }
  await finishSoon(upload);
}

/** Has a file wait on the server; null: there is nothing to ask. Asks until there is an answer. */
async function letWait(upload: Upload): Promise<Waiting | null> {
  const params = { path: { id: idOf(upload) } };
  for (let tries = 0; ; tries++)
    try {
      const { upload: waiting } = await dataOf(api.POST("/app/uploads/{id}/wait", { params }));
      return waiting;
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      await waitOrThrow(thrown, tries);
    }
}

/** Says what became of a file that this browser sent, and that does not wait any more. */
export async function settleElsewhere(upload: Upload): Promise<void> {
  const isAsking = () => upload.now.peek().state === "asking";
  try {
    // A list that was on its way while it began to wait does not have it.
    const waiting = await letWait(upload);
    if (!waiting && isAsking()) await finishSoon(upload);
  } catch (thrown) {
    const isGone = thrown instanceof ApiError && thrown.status === 404;
    if (isGone && isAsking()) takeOff([upload]);
  }
}

/**
 * Says whether a file is a new version of the track that its name points at, or a track of its own. One whose track is gone
 * can only be a track.
 */
export function decide(upload: Upload, isVersion: boolean): void {
  const offer = upload.offer.peek();
  const isAsking = upload.now.peek().state === "asking";
  if (!offer && (isVersion || !isAsking)) return;
  if (isVersion && offer) note(upload, { version: { ...offer, activate: true } });
  upload.isDecided = true;
  upload.offer.value = undefined;
  if (isAsking) void finishSoon(upload);
}
