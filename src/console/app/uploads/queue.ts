import { batch } from "@preact/signals";
import { sentenceOf } from "../api/errors.ts";
import { keepBytes } from "./bytes.ts";
import { type Chosen, type Sorted, sortChosen } from "./dropped.ts";
import { fail } from "./finish.ts";
import { look, settle } from "./offers.ts";
import { isFolderPicture, keepPictures } from "./pictures.ts";
import { printOf } from "./print.ts";
import { drop, send } from "./send.ts";
import {
  isPaused,
  isTrayOpen,
  leftOut,
  type Now,
  note,
  show,
  summary,
  takeOff,
  toUpload,
  type Upload,
  uploads,
} from "./state.ts";
import { owner, type Remembered, remember, remembered } from "./store.ts";
import { alone, aloneNow, newName, thisTab } from "./tabs.ts";
import { keepWords, wordsBeside } from "./words.ts";

/** Three at once are the fastest, and leave connections to the player. */
const AT_ONCE = 3;

/** What files become: tracks, unless they are versions of one; and the playlist that they go to. */
export type Goal = Pick<Remembered, "version" | "playlist">;

const sending = new Map<string, AbortController>();

/** Sends music to the library, and names other files. Uploads from before a reload go on. */
export function addUploads(chosen: readonly Chosen[], goal: Goal = {}): Sorted {
  const sorted = sortChosen(chosen);
  keepPictures(sorted.leftOut.filter(isFolderPicture));
  const words = wordsBeside(sorted.leftOut, sorted.music);
  keepWords(words);
  const isUsed = (each: Chosen) => isFolderPicture(each) || words.includes(each);
  leftOut.value = [...leftOut.value, ...sorted.leftOut.filter((each) => !isUsed(each))];
  const byPath = Map.groupBy(uploads.peek(), ({ about }) => about.path);
  const isAsking = uploads.peek().some((upload) => isIn(upload, "missing"));
  const [again, others]: [Upload[], [Chosen, Upload][]] = [[], []];
  const isFresh = (each: Chosen) => {
    const namesakes = (byPath.get(each.path) ?? []).filter(({ about }) => about.size === each.file.size);
    if (namesakes.some((upload) => isOnItsWay(upload, each, goal))) return false;
    const done = isAsking ? namesakes.find((upload) => isIn(upload, "done")) : undefined;
    const waiting = done ? undefined : goOnWith(each, goal, namesakes);
    if (done) others.push([each, done]);
    if (waiting) again.push(waiting);
    return !done && !waiting;
  };
  // What counts the files counts them once.
  const fresh = batch(() => sorted.music.filter(isFresh));
  look(again.filter(({ offer }) => !offer.peek()));
  void begin(fresh, goal);
  void beginOthers(others, goal);
  if (sorted.music.length > 0) isTrayOpen.value = true;
  sendNext();
  return sorted;
}

async function begin(fresh: readonly Chosen[], goal: Goal): Promise<void> {
  if (fresh.length === 0) return;
  const added = fresh.map(({ file, path, isOnlyHere }) => {
    const about = { path, size: file.size, modified: file.lastModified, ...goal };
    const upload = toUpload(
      { id: newName(), key: newName(), owner, tab: "", url: "", reached: 0, ...about },
      { state: "waiting", sentBytes: 0 },
    );
    upload.file = file;
    if (isOnlyHere) void keepBytes(upload.id, file).catch(() => undefined);
    return upload;
  });
  uploads.value = [...uploads.value, ...added];
  look(added);
  sendNext();
  const tab = await thisTab;
  for (const upload of added) upload.about = { ...upload.about, tab };
  await remember(added.map(({ about }) => about));
}

const isIn = ({ now }: Upload, ...states: Now["state"][]) => states.includes(now.peek().state);

/** True when a file is on the list already, with the same goal. */
const isOnItsWay = (upload: Upload, { file }: Chosen, { version }: Goal) =>
  upload.about.modified === file.lastModified &&
  upload.about.version?.trackId === version?.trackId &&
  isIn(upload, "waiting", "sending", "arrived", "asking");

/**
 * While files of a folder are missing, those that have arrived are chosen again with them. Sends those of them that are
 * other files than the ones that have arrived.
 */
async function beginOthers(others: readonly [Chosen, Upload][], goal: Goal): Promise<void> {
  for (const [chosen, { about }] of others) {
    const print = await printOf(chosen.file).catch(() => undefined);
    if (print !== about.print) await begin([chosen], goal);
  }
}

/** Gives a file that was chosen again to the upload that waits for it: by path and size, else by name and size. */
function goOnWith({ file }: Chosen, { version }: Goal, namesakes: readonly Upload[]): Upload | undefined {
  const waits = (upload: Upload) =>
    isIn(upload, "missing", "failed") && upload.about.version?.trackId === version?.trackId;
  const upload =
    namesakes.find(waits) ??
    uploads.peek().find((each) => each.name === file.name && each.about.size === file.size && waits(each));
  if (!upload) return undefined;
  upload.file = file;
  show(upload, { state: "waiting" });
  return upload;
}

/** Stops sending; what arrived is kept. */
export function pause(): void {
  isPaused.value = true;
  for (const controller of sending.values()) controller.abort();
}

/** Goes on. */
export function resume(): void {
  isPaused.value = false;
  sendNext();
}

/** Sends a file that failed once more. */
export function retry(upload: Upload): void {
  const { url, reached, size } = upload.about;
  if (!upload.file && url !== "" && reached === size) return void settle(upload, true);
  show(upload, { state: upload.file ? "waiting" : "missing" });
  sendNext();
}

/** Takes a file off the list, and what arrived of it off the server. */
export function remove(upload: Upload): void {
  sending.get(upload.id)?.abort();
  if (upload.now.peek().state !== "done") drop(upload.about.url);
  takeOff([upload]);
}

/** Sends what waits. */
export function sendNext(): void {
  while (!isPaused.peek() && sending.size < AT_ONCE) {
    const next = uploads.value.find(
      ({ id, now, file, isElsewhere }) =>
        file && !isElsewhere && now.peek().state === "waiting" && !sending.has(id),
    );
    if (!next?.file) return;
    void sendOne(next, next.file);
  }
}

async function sendOne(upload: Upload, file: File): Promise<void> {
  const controller = new AbortController();
  sending.set(upload.id, controller);
  const { path, size, version } = upload.about;
  const same = `file ${[owner, path, size, file.lastModified, version?.trackId ?? ""].join(" ")}`;
  try {
    const isMine = await aloneNow(same, async () => {
      await sendWhole(upload, file, controller.signal);
      sending.delete(upload.id);
      sendNext();
      await settle(upload);
      return true;
    });
    if (!isMine) void waitForOther(upload, same);
  } catch (thrown) {
    if (controller.signal.aborted) show(upload, { state: "waiting" });
    else if (thrown instanceof DOMException) lose(upload);
    else fail(upload, sentenceOf(thrown));
  } finally {
    sending.delete(upload.id);
    sendNext();
  }
}

async function sendWhole(upload: Upload, file: File, signal: AbortSignal): Promise<void> {
  show(upload, { state: "sending", sentBytes: upload.about.reached });
  const print = await printOf(file);
  const { url, print: before } = upload.about;
  const own = { print, modified: file.lastModified };
  if (before === undefined || before === print) note(upload, own);
  else {
    // Another file with this name and length: what arrived of the other one is of no use.
    drop(url);
    note(upload, { ...own, key: newName(), url: "", reached: 0 });
  }
  await send(
    file,
    upload.about,
    {
      onUrl: (known) => known !== upload.about.url && note(upload, { url: known }),
      onSent: (sentBytes) => show(upload, { sentBytes: Math.min(sentBytes, file.size) }),
    },
    signal,
  );
  note(upload, { reached: file.size });
}

/** The file was moved or deleted while it waited. */
function lose(upload: Upload): void {
  upload.file = undefined;
  show(upload, { state: "missing" });
}

/** Another tab sends the same file: this one says what became of it, or sends it if nothing did. */
async function waitForOther(upload: Upload, same: string): Promise<void> {
  upload.isElsewhere = true;
  show(upload, { state: "waiting" });
  await alone(same, async () => undefined);
  upload.isElsewhere = false;
  const { id, path, size, modified } = upload.about;
  const other = (await remembered()).find(
    (each) =>
      each.id !== id && each.made && each.path === path && each.size === size && each.modified === modified,
  );
  if (other?.made) {
    note(upload, { made: { ...other.made, isTwin: true } });
    show(upload, { state: "done" });
  }
  sendNext();
}

addEventListener("beforeunload", (event) => {
  if (summary.value.unsent > 0) event.preventDefault();
});
