import { batch } from "@preact/signals";
import { api, dataOf } from "../api/client.ts";
import { ApiError } from "../api/errors.ts";
import { changed } from "../api/queries.ts";
import { announce } from "../ui/announce.ts";
import { toast } from "../ui/toast.tsx";
import { noteAlbums } from "./albums.tsx";
import { dropBytes } from "./bytes.ts";
import { fillPlaylists } from "./into-playlists.ts";
import { sendPictures } from "./pictures.ts";
import { waitOrThrow } from "./send.ts";
import { note, show, summary, type Upload } from "./state.ts";
import { newName } from "./tabs.ts";
import { sendWords } from "./words.ts";

/** As many as one request puts into the library. */
const AT_ONCE = 100;
/** Lists are read again so often while files arrive. */
const EVERY_MS = 1000;

type Waiting = { upload: Upload; resolve: () => void };
const arrived: Waiting[] = [];
let isFinishing = false;

/** The id by which the server knows an upload. */
export const idOf = ({ about }: Upload): string => about.url.slice(about.url.lastIndexOf("/") + 1);

/** Has a file that arrived put into the library. Resolves when its line says what became of it. */
export function finishSoon(upload: Upload): Promise<void> {
  show(upload, { state: "arrived" });
  return new Promise((resolve) => {
    arrived.push({ upload, resolve });
    if (!isFinishing) void finishAll();
  });
}

async function finishAll(): Promise<void> {
  isFinishing = true;
  while (arrived.length > 0) {
    const some = arrived.splice(0, AT_ONCE);
    await finishSome(some.map(({ upload }) => upload));
    for (const { resolve } of some) resolve();
  }
  isFinishing = false;
}

async function finishSome(some: readonly Upload[]): Promise<void> {
  try {
    const { uploads: outcomes, albums } = await ask(some);
    batch(() => {
      noteAlbums(albums);
      for (const [index, upload] of some.entries()) settle(upload, outcomes[index]);
    });
  } catch (thrown) {
    batch(() => {
      for (const upload of some) fail(upload, thrown);
    });
  }
  tellLists();
  await fillPlaylists();
  await sendPictures();
  await sendWords();
  const { done, all } = summary.peek();
  announce(`${done} of ${all} uploaded`);
}

type Answer = Awaited<ReturnType<typeof askOnce>>;
type Outcome = Answer["uploads"][number];

const askOnce = (some: readonly Upload[]) =>
  dataOf(
    api.POST("/app/uploads/finish", {
      body: {
        uploads: some.map((upload) => {
          const { path, version, playlist } = upload.about;
          const as = version && { trackId: version.trackId, activate: version.activate };
          // A file dropped on a playlist is wanted there.
          return { id: idOf(upload), path, ...as, ...(playlist && { isSeparate: true }) };
        }),
      },
    }),
  );

/** Asks until there is an answer: the same one, however often it is asked for. */
async function ask(some: readonly Upload[]): Promise<Answer> {
  for (let tries = 0; ; tries++)
    try {
      return await askOnce(some);
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      await waitOrThrow(thrown, tries);
    }
}

function settle(upload: Upload, outcome: Outcome | undefined): void {
  if (!outcome?.trackId) {
    refuse(upload, outcome);
    return;
  }
  const { trackId } = outcome;
  const title = outcome.title ?? upload.name;
  const { versionId } = outcome;
  const made = { trackId, title, isTwin: outcome.outcome === "twin", isListed: false };
  note(upload, { made: { ...made, ...(versionId && { versionId }) } });
  upload.file = undefined;
  void dropBytes([upload.id]);
  show(upload, { state: "done", sentBytes: upload.about.size });
  if (outcome.outcome !== "version") return;
  changed("versions", [trackId]);
  changed("tracks", [trackId]);
  toast(`Added a new version of ${title}`);
}

function refuse(upload: Upload, outcome: Outcome | undefined): void {
  if (outcome?.messageCode === "track_not_found" && upload.isDecided) {
    // The track was deleted while the answer was on its way: the file becomes a new one.
    const { version: _, ...about } = upload.about;
    upload.about = about;
    note(upload, {});
    show(upload, { state: "asking" });
    return;
  }
  // The upload has ended on the server: another try starts again.
  if (outcome?.messageCode === "not_found") note(upload, { url: "", key: newName(), reached: 0 });
  fail(upload, outcome?.message ?? "The server did not answer");
}

/** Says in a file's line why it failed. */
export function fail(upload: Upload, thrown: unknown): void {
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  show(upload, { state: "failed", reason: /[.!?]$/.test(reason) ? reason : `${reason}.` });
}

let telling: ReturnType<typeof setTimeout> | undefined;

/** Reads lists again, at once and then once a second. */
function tellLists(): void {
  if (telling !== undefined) return;
  telling = setTimeout(() => {
    telling = undefined;
    changed("tracks", null);
  }, EVERY_MS);
  changed("tracks", null);
}
