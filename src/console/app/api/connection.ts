import { signal } from "@preact/signals";
import { onlineManager } from "@tanstack/query-core";
import { href } from "../first-data.ts";

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;

/** False while the server cannot be reached. */
export const isConnected = signal(true);

let pauseMs = FIRST_PAUSE_MS;
let timer: ReturnType<typeof setTimeout> | undefined;

/** True when the server answers, whatever it says. */
export async function isReachable(): Promise<boolean> {
  try {
    await fetch(href("/health"), { method: "HEAD", cache: "no-store" });
    return true;
  } catch {
    return false;
  }
}

/** Waits until the server can be reached. @throws The signal's reason. */
export function whenConnected(signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = isConnected.subscribe((isThere) => {
      // The first call comes before `stop` is there.
      if (isThere) queueMicrotask(() => finish(resolve));
    });
    const finish = (settle: () => void) => {
      stop();
      settle();
    };
    signal?.addEventListener("abort", () => finish(() => reject(signal.reason)), { once: true });
  });
}

/** Notes that a request got no answer, and looks for the server until it answers. */
export function connectionFailed(): void {
  if (!isConnected.value) return;
  setConnected(false);
  lookLater();
}

function setConnected(isThere: boolean): void {
  isConnected.value = isThere;
  // Queries pause without a connection, and are read again once there is one.
  onlineManager.setOnline(isThere);
}

function lookLater(): void {
  clearTimeout(timer);
  timer = setTimeout(look, pauseMs);
  pauseMs = Math.min(LONGEST_PAUSE_MS, 2 * pauseMs);
}

async function look(): Promise<void> {
  if (!(await isReachable())) return lookLater();
  pauseMs = FIRST_PAUSE_MS;
  setConnected(true);
}

// Only requests say whether the server is there: a browser without the internet may well reach one in its own network.
onlineManager.setEventListener(() => undefined);
addEventListener("offline", () => void isReachable().then((isThere) => isThere || connectionFailed()));
addEventListener("online", () => {
  if (isConnected.value) return;
  pauseMs = FIRST_PAUSE_MS;
  clearTimeout(timer);
  void look();
});
