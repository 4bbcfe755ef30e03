import type { Playback } from "./playback.ts";

/** How often the server is told what plays. */
const EVERY_MS = 10_000;
const MAX_PARTS = 50;

/** Tells the server that a visitor is looking at the page; a tab in the background does not count. */
export function tellSeen(address: string): void {
  const tell = () => navigator.sendBeacon(address);
  if (document.visibilityState === "visible") tell();
  else document.addEventListener("visibilitychange", tell, { once: true });
}

/** Tells the server which parts of each track were heard: loading alone is not listening. */
export function tellHeard({ audio, current }: Playback): void {
  let heard: { address: string; parts: string } | undefined;
  let told = "";
  let toldAt = 0;
  const tell = () => {
    if (!heard || heard.address + heard.parts === told) return;
    told = heard.address + heard.parts;
    toldAt = Date.now();
    navigator.sendBeacon(heard.address, new URLSearchParams({ parts: heard.parts }));
  };
  const look = () => {
    const parts = partsOf(audio.played);
    if (parts !== "") heard = { address: current().src.replace("/listen/", "/heard/"), parts };
  };
  audio.addEventListener("timeupdate", () => {
    look();
    if (Date.now() - toldAt >= EVERY_MS) tell();
  });
  for (const name of ["pause", "ended"])
    audio.addEventListener(name, () => {
      look();
      tell();
    });
  // The next track has begun to load: this is the last chance to report what was heard of this one.
  audio.addEventListener("emptied", () => {
    tell();
    heard = undefined;
  });
  document.addEventListener("visibilitychange", tell);
  addEventListener("pagehide", tell);
}

function partsOf(ranges: TimeRanges): string {
  const parts = Array.from({ length: Math.min(ranges.length, MAX_PARTS) }, (_, index) =>
    [ranges.start(index), ranges.end(index)].map((seconds) => seconds.toFixed(1)).join("-"),
  );
  return parts.join();
}
