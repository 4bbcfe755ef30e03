import { drawKept, playKept } from "../player/sound.ts";
import { canKeep, keepsSomething } from "./kept.ts";

let loading: ReturnType<typeof load> | undefined;

/** Loads the part that keeps music. */
export function pocket(): ReturnType<typeof load> {
  loading ??= load();
  loading.catch(() => {
    loading = undefined;
  });
  return loading;
}

async function load() {
  const part = await import("./part.ts");
  playKept(part.findKept);
  drawKept(part.findOutline);
  return part;
}

/** Brings what is kept up to date, where something is. Its part is loaded now: signing out needs it without a connection too. */
export function startPocket(): void {
  const isInstalled = matchMedia("(display-mode: standalone)").matches;
  if (canKeep && (keepsSomething() || isInstalled)) void startKeeping().catch(() => undefined);
}

async function startKeeping(): Promise<void> {
  await (await pocket()).start();
}
