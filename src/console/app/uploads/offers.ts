import { api, dataOf } from "../api/client.ts";
import { finishSoon, idOf } from "./finish.ts";
import { fillPlaylists } from "./into-playlists.ts";
import { note, show, type Upload } from "./state.ts";

const AT_ONCE = 250;
/** A file up to here is hashed, to see whether the library has it, before it is sent. */
const MAX_HASHED_BYTES = 64 * 1024 * 1024;

type Asked = { path: string; size: number; id?: string; sha256?: string };

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
    if (match) upload.offer.value = { trackId: match.trackId, title: match.title };
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

/** Puts a file that has arrived into the library, unless somebody has to say first what it is. */
export async function settle(upload: Upload): Promise<void> {
  show(upload, { state: "arrived" });
  await upload.looked;
  const offer = upload.offer.peek();
  if (offer && !upload.about.version) {
    const { path, size } = upload.about;
    const found = await ask([{ path, size, id: idOf(upload) }]).catch(() => undefined);
    // The same bytes are no new version.
    if (!found?.matches[0]?.isTwin && upload.offer.peek()) {
      show(upload, { state: "asking" });
      return;
    }
  }
  await finishSoon(upload);
}

/** Says whether a file is a new version of the track that its name points at, or a track of its own. */
export function decide(upload: Upload, isVersion: boolean): void {
  const offer = upload.offer.peek();
  if (!offer) return;
  if (isVersion) note(upload, { version: { ...offer, activate: true } });
  upload.offer.value = undefined;
  if (upload.now.peek().state === "asking") void finishSoon(upload);
}
