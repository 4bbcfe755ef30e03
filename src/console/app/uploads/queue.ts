import { computed, signal } from "@preact/signals";
import { changed } from "../api/queries.ts";
import { announce } from "../ui/announce.ts";
import { type Chosen, type Sorted, sortChosen } from "./dropped.ts";
import { send } from "./send.ts";

/** A file on its way to the library. */
export type Upload = Chosen & {
  id: number;
  state: "waiting" | "sending" | "done" | "failed" | "paused";
  sentBytes: number;
  /** Why it failed, in a sentence. */
  reason?: string;
};

/** Three at once are the fastest, and leave connections to the player. */
const AT_ONCE = 3;

/** Every file of this visit, in the order in which they are sent. */
export const uploads = signal<readonly Upload[]>([]);
/** What was chosen and is no music. */
export const leftOut = signal<readonly Chosen[]>([]);
export const isPaused = signal(false);
/** True while the tray shows. */
export const isTrayOpen = signal(true);

/** How far everything is. */
export const summary = computed(() => {
  const all = uploads.value;
  const total = all.reduce((sum, { file }) => sum + file.size, 0);
  const sent = all.reduce(
    (sum, { file, state, sentBytes }) => sum + (state === "done" ? file.size : sentBytes),
    0,
  );
  return {
    all: all.length,
    done: all.filter(({ state }) => state === "done").length,
    open: all.filter(({ state }) => ["waiting", "sending", "paused"].includes(state)).length,
    share: total === 0 ? 0 : sent / total,
  };
});

const sending = new Map<number, AbortController>();
let lastId = 0;

/** Sends music to the library; what is no music is named. */
export function addUploads(chosen: readonly Chosen[]): Sorted {
  const sorted = sortChosen(chosen);
  leftOut.value = [...leftOut.value, ...sorted.leftOut];
  uploads.value = [
    ...uploads.value,
    ...sorted.music.map((each): Upload => ({ ...each, id: ++lastId, state: "waiting", sentBytes: 0 })),
  ];
  if (sorted.music.length > 0) isTrayOpen.value = true;
  sendNext();
  return sorted;
}

/** Stops sending; what was on its way begins again. */
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
export function retry(id: number): void {
  patch(id, { state: "waiting", sentBytes: 0 });
  sendNext();
}

/** Takes a file off the list, and stops sending it. */
export function remove(id: number): void {
  sending.get(id)?.abort();
  uploads.value = uploads.value.filter((each) => each.id !== id);
}

/** Takes what is done off the list. */
export function clearDone(): void {
  uploads.value = uploads.value.filter(({ state }) => state !== "done");
  leftOut.value = [];
}

function sendNext(): void {
  while (!isPaused.value && sending.size < AT_ONCE) {
    const next = uploads.value.find(({ id, state }) => state === "waiting" && !sending.has(id));
    if (!next) return;
    void sendOne(next);
  }
}

async function sendOne({ id, file }: Upload): Promise<void> {
  const controller = new AbortController();
  sending.set(id, controller);
  patch(id, { state: "sending", sentBytes: 0 });
  try {
    await send(file, controller.signal, (sentBytes) => patch(id, { sentBytes }));
    patch(id, { state: "done" });
    changed("tracks", null);
    announce(`${summary.value.done} of ${summary.value.all} uploaded`);
  } catch (thrown) {
    const isStopped = controller.signal.aborted;
    patch(
      id,
      isStopped
        ? { state: "waiting", sentBytes: 0 }
        : { state: "failed", reason: thrown instanceof Error ? thrown.message : String(thrown) },
    );
  } finally {
    sending.delete(id);
    sendNext();
  }
}

function patch(id: number, change: Partial<Upload>): void {
  uploads.value = uploads.value.map((each) => (each.id === id ? { ...each, ...change } : each));
}

addEventListener("beforeunload", (event) => {
  if (summary.value.open > 0) event.preventDefault();
});
