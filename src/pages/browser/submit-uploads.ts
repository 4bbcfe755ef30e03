import { type DetailedError, Upload } from "tus-js-client";
import { sizeText } from "../size.ts";
import { byId, memory } from "./dom.ts";
import { addLine, type Line } from "./submit-list.ts";

/** Acknowledged pieces are safe on the server's disk; a proxy that buffers requests holds back at most one piece. */
const PIECE_BYTES = 32 * 1024 * 1024;
/** After these, once per minute for as long as the page is open. */
const RETRY_DELAYS_MS = [500, 1000, 3000, 5000, 10_000, 20_000, 30_000, ...Array(600).fill(60_000)];

/** The state of an upload that is remembered while its page is closed. */
type Remembered = { url: string; name: string; size: number; key: string; isDone: boolean };

type Entry = Remembered & {
  line: Line;
  /** Undefined when the upload began before the page was loaded and its file has not been chosen again. */
  upload?: Upload;
  isRefused?: boolean;
  /** True between a lost connection and the next byte. */
  isBroken?: boolean;
};

/** The files of the form. */
export type Uploads = {
  add: (files: Iterable<File>) => void;
  /** Ids of the files that have arrived. */
  ids: () => string[];
  /** The number of files still being sent, and the names of those that cannot be sent as they are. */
  open: () => { sending: number; stuck: string[] };
  /** Adds a listener that is called on every change. */
  onChange: (listener: () => void) => void;
};

/** Makes the list of files work. It includes files sent before a reload. `page` is the path of the form's page. */
export function createUploads(page: string, remembered: string): Uploads {
  const entries: Entry[] = [];
  const maxItems = Number(byId("submit-form").dataset.maxItems);
  const listeners: (() => void)[] = [];
  const changed = () => {
    // Saved on every change: a reload may come at any time.
    const kept = entries.filter(({ url, isRefused }) => url !== "" && !isRefused);
    memory.set(
      remembered,
      JSON.stringify(kept.map(({ url, name, size, key, isDone }) => ({ url, name, size, key, isDone }))),
    );
    for (const listener of listeners) listener();
  };
  const enter = (from: Remembered): Entry => {
    const entry: Entry = {
      ...from,
      line: addLine(from.name, from.size, {
        onRemove: () => {
          entries.splice(entries.indexOf(entry), 1);
          entry.line.remove();
          drop(entry);
          changed();
        },
        onRetry: () => goOn(entry),
      }),
    };
    entries.push(entry);
    return entry;
  };
  const addOne = (file: File) => {
    const key = `${file.name} ${file.size} ${file.lastModified}`;
    const known = entries.find((entry) => entry.key === key && !entry.isRefused);
    if (known?.upload || known?.isDone) return;
    const entry = known ?? enter({ url: "", name: file.name, size: file.size, key, isDone: false });
    const isTooMany = entries.filter(({ isRefused }) => !isRefused).length > maxItems;
    const refusal = isTooMany ? `You can send at most ${maxItems} files together.` : refusalOf(file);
    if (refusal === undefined) send(entry, file, page, changed);
    else refuse(entry, refusal);
  };
  const add = (files: Iterable<File>) => {
    for (const file of files) addOne(file);
    changed();
  };

  for (const entry of readRemembered(remembered).map(enter)) void restore(entry, changed);
  adoptRendered(entries, enter, page);
  addEventListener("online", () => {
    for (const entry of entries) if (entry.isBroken) goOn(entry);
  });
  return {
    add,
    ids: () => entries.filter(({ isDone }) => isDone).map(({ url }) => url.split("/").at(-1) ?? ""),
    open: () => ({
      sending: entries.filter(({ isDone, isRefused, upload }) => !isDone && !isRefused && upload).length,
      stuck: entries
        .filter(({ isDone, isRefused, upload }) => !isDone && (isRefused || !upload))
        .map(({ name }) => name),
    }),
    onChange: (listener) => void listeners.push(listener),
  };
}

function refuse(entry: Entry, words: string): void {
  entry.isRefused = true;
  entry.line.show("refused", words);
}

/** Resumes at once, without waiting for the next retry: a pending or hanging request is aborted first. */
function goOn({ upload }: Entry): void {
  void upload?.abort().then(() => upload.start());
}

function send(entry: Entry, file: File, page: string, changed: () => void): void {
  const { line } = entry;
  entry.upload = new Upload(file, {
    endpoint: `${page}/uploads`,
    ...(entry.url !== "" && { uploadUrl: entry.url }),
    chunkSize: PIECE_BYTES,
    retryDelays: RETRY_DELAYS_MS,
    metadata: { filename: file.name },
    // This module remembers the list itself, including finished files.
    storeFingerprintForResuming: false,
    onUploadUrlAvailable: () => {
      entry.url = new URL(entry.upload?.url ?? "", location.href).pathname;
      changed();
    },
    onProgress: (sent) => {
      entry.isBroken = false;
      line.show("sending");
      line.progress(sent);
    },
    onShouldRetry: (error) => {
      const status = error.originalResponse?.getStatus() ?? 0;
      const isOver = status >= 400 && status < 500 && ![409, 423, 429].includes(status);
      entry.isBroken = !isOver;
      if (!isOver) line.show("broken", "Connection lost. The upload will resume by itself.");
      return !isOver;
    },
    onSuccess: () => {
      entry.isDone = true;
      line.show("done", `Received, ${sizeText(entry.size)}`);
      byId("submit-status").textContent = `${entry.name} was received`;
      changed();
    },
    onError: (error) => {
      const isAnswered = "originalResponse" in error && Boolean(error.originalResponse);
      entry.isBroken = !isAnswered;
      if (isAnswered) refuse(entry, wordsOf(error));
      else line.show("broken", wordsOf(error));
      changed();
    },
  });
  line.show("sending", "Waiting");
  entry.upload.start();
}

/** Returns why a file cannot be sent, as far as the browser can tell. */
function refusalOf({ size }: File): string | undefined {
  const { maxBytes = "", maxSize = "" } = byId("submit-form").dataset;
  if (size === 0) return "This file is empty.";
  if (size > Number(maxBytes)) return `Too large: ${sizeText(size)}. A file may have at most ${maxSize}.`;
  return undefined;
}

function wordsOf(error: Error | DetailedError): string {
  const text = "originalResponse" in error ? error.originalResponse?.getBody() : undefined;
  if (!text) return "Connection lost. The upload will resume when the connection is back.";
  try {
    const { message, data } = JSON.parse(text);
    const [issue] = data?.errors ?? [];
    return issue ? `This file ${issue.detail}.` : `${message}.`;
  } catch {
    return "The server did not accept this file.";
  }
}

/** Asks the server how much of an upload it received before the page was loaded. */
async function restore(entry: Entry, changed: () => void): Promise<void> {
  const { line, url } = entry;
  line.show("waiting", "Looking");
  const response = await fetch(url, { method: "HEAD", headers: { "Tus-Resumable": "1.0.0" } }).catch(
    () => undefined,
  );
  if (entry.upload) return;
  const offset = Number(response?.headers.get("upload-offset") ?? 0);
  if (response?.ok && offset === entry.size) {
    entry.isDone = true;
    line.show("done", `Received, ${sizeText(entry.size)}`);
  } else {
    // The upload is gone or has expired: start from the beginning.
    if (response && !response.ok) entry.url = "";
    entry.isDone = false;
    line.progress(offset);
    line.show(
      "waiting",
      `${Math.floor((100 * offset) / entry.size)} % received. Choose this file again to continue.`,
    );
  }
  changed();
}

/** Deletes an unwanted upload from the server. If that fails, the server deletes it after a day. */
function drop({ upload, url }: Entry): void {
  void upload?.abort();
  if (url !== "")
    void fetch(url, { method: "DELETE", headers: { "Tus-Resumable": "1.0.0" } }).catch(() => undefined);
}

/** Takes over the files that the server wrote into the list when a form came back. */
function adoptRendered(entries: readonly Entry[], enter: (from: Remembered) => Entry, page: string): void {
  for (const item of document.querySelectorAll<HTMLElement>("#upload-list [data-id]")) {
    const { id = "", name = "", size = "0" } = item.dataset;
    item.remove();
    const url = `${page}/uploads/${id}`;
    if (entries.some((entry) => entry.url === url)) continue;
    const entry = enter({ url, name, size: Number(size), key: url, isDone: true });
    entry.line.show("done", `Received, ${sizeText(entry.size)}`);
  }
}

function readRemembered(key: string): Remembered[] {
  try {
    return JSON.parse(memory.get(key) ?? "[]");
  } catch {
    return [];
  }
}
