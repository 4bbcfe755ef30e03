import { signal } from "@preact/signals";

const EVERY_MS = 1000;

/** What the status "Messages" says. */
export const message = signal("");

let next: string | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Has screen readers say something: `Moved to 3 of 12`. Messages that come fast are joined: only the newest is said, at most
 * one a second.
 */
export function announce(text: string): void {
  next = text;
  if (timer !== undefined) return;
  say();
  timer = setTimeout(() => {
    timer = undefined;
    if (next !== undefined) announce(next);
  }, EVERY_MS);
}

function say(): void {
  // The same words again would not be said again.
  message.value = message.value === next ? `${next}\u00a0` : (next ?? "");
  next = undefined;
}
