import type { Playback } from "./playback.ts";

const STEP_SEC = 5;

/** Lets the keyboard control playback, except in text fields and on controls that use the key themselves. */
export function listenToKeys(playback: Playback): void {
  const actions: Readonly<Record<string, () => void>> = {
    " ": playback.toggle,
    ArrowLeft: () => playback.seek(playback.elapsedSec() - STEP_SEC),
    ArrowRight: () => playback.seek(playback.elapsedSec() + STEP_SEC),
    "Shift+ArrowLeft": () => playback.step(-1),
    "Shift+ArrowRight": () => playback.step(1),
    p: () => playback.step(-1),
    n: () => playback.step(1),
    m: () => {
      playback.audio.muted = !playback.audio.muted;
    },
    Home: () => playback.seek(0),
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTaken(event)) return;
    const action = actionOf(event);
    if (!action) return;
    event.preventDefault();
    action();
  });

  function actionOf({ key, shiftKey }: KeyboardEvent): (() => void) | undefined {
    if (/^[0-9]$/.test(key)) return () => playback.seek((playback.durationSec() * Number(key)) / 10);
    if (shiftKey && key.startsWith("Arrow")) return actions[`Shift+${key}`];
    return actions[key.length === 1 ? key.toLowerCase() : key];
  }
}

function isTaken({ key, target }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest("textarea, select, [contenteditable]")) return true;
  if (target instanceof HTMLInputElement) return target.type !== "range" || movesItself(target, key);
  // A space presses the focused button, and opens or closes a focused summary.
  return key === " " && target.closest("button, a, summary") !== null;
}

/** The position moves by the arrows as the player does, other sliders by their own steps. */
const movesItself = ({ id }: HTMLInputElement, key: string): boolean =>
  key === "Home" || (id !== "seek" && (key.startsWith("Arrow") || key.startsWith("Page") || key === "End"));
