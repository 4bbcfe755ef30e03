import { type DetailedError, Upload } from "tus-js-client";
import { sizeText } from "../size.ts";
import { byId, memory } from "./dom.ts";
import { addLine, type Line } from "./submit-list.ts";

/** Acknowledged pieces are safe on the server's disk; proxies that hold requests back hold no more than this. */
const PIECE_BYTES = 32 * 1024 * 1024;
/** Then once a minute, for as long as the page is open. */
const RETRY_DELAYS_MS = [500, 1000, 3000, 5000, 10_000, 20_000, 30_000, ...Array(600).fill(60_000)];

/** What is remembered of an upload while its page is closed. */
type Remembered = { url: string; name: string; size: number; key: string; isDone: boolean };

type Entry = Remembered & {
  line: Line;
  /** Undefined: begun before the page was loaded, and its file was not chosen again yet. */
  upload?: Upload;
  isRefused?: boolean;
  /** Between a lost connection and the next byte. */
  isBroken?: boolean;
};

/** The files of the form. */
export type Uploads = {
  add: (files: Iterable<File>) => void;
  /** Ids of what has arrived. */
  ids: () => string[];
  /** Those that are still on their way, and those that cannot be sent as they are. */
  open: () => { sending: number; stuck: string[] };
  /** Called whenever something has changed. */
  onChange: (listener: () => void) => void;
};

/** Brings the list of files to life: what was sent before a reload is in it. `page` is the path of the form's page. */
export function createUploads(page: string, remembered: string): Uploads {
  const entries: Entry[] = [];
  const maxItems = Number(byId("submit-form").dataset.maxItems);
  const listeners: (() => void)[] = [];
  const changed = () => {
    // The same at every change: a reload may come at any time.
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
    const refusal = isTooMany ? `At most ${maxItems} files go together.` : refusalOf(file);
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

/** At once, and not when its time has come: what is waited for or hangs is given up first. */
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
    // The list is remembered here, with what is finished.
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
      if (!isOver) line.show("broken", "Connection lost. It goes on by itself.");
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

/** What can be known before a byte is sent. */
function refusalOf({ size }: File): string | undefined {
  const { maxBytes = "" } = byId("submit-form").dataset;
  if (size === 0) return "This file is empty.";
  if (size > Number(maxBytes)) return `Too large: ${sizeText(size)}. A file may have at most 1 GB.`;
  return undefined;
}

function wordsOf(error: Error | DetailedError): string {
  const text = "originalResponse" in error ? error.originalResponse?.getBody() : undefined;
  if (!text) return "Connection lost. It goes on when the connection is back.";
  try {
    const { message, data } = JSON.parse(text);
    const [issue] = data?.errors ?? [];
    return issue ? `This file ${issue.detail}.` : `${message}.`;
  } catch {
    return "The server did not take this file.";
  }
}

/** Asks how far an upload came before the page was loaded. */
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
    // Gone, or the day is over: from the beginning then.
    if (response && !response.ok) entry.url = "";
    entry.isDone = false;
    line.progress(offset);
    line.show(
      "waiting",
      `${Math.floor((100 * offset) / entry.size)} % received. Choose this file again to go on.`,
    );
  }
  changed();
}

/** Drops on the server what is wanted no more; should that fail, it is dropped after a day. */
function drop({ upload, url }: Entry): void {
  void upload?.abort();
  if (url !== "")
    void fetch(url, { method: "DELETE", headers: { "Tus-Resumable": "1.0.0" } }).catch(() => undefined);
}

/** Takes over what the server wrote into the list: files of a form that came back. */
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
