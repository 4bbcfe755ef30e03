import { createHeardParts } from "./heard.ts";
import type { Playback } from "./playback.ts";

/** How often the server is told what plays. */
const EVERY_MS = 10_000;

/** Tells the server that a visitor is looking at the page; a tab in the background does not count. */
export function tellSeen(address: string): void {
  const tell = () => navigator.sendBeacon(address);
  if (document.visibilityState === "visible") tell();
  else document.addEventListener("visibilitychange", tell, { once: true });
}

/**
 * Tells the server which parts of each track were heard, and where the listener is: loading alone is not listening. Each report
 * says everything, so a lost one is made up for by the next.
 */
export function tellHeard({ audio, current, elapsedSec }: Playback): void {
  const heard = createHeardParts();
  let address = "";
  let told = "";
  let toldAt = 0;
  const tell = (isLeaving: boolean) => {
    const parts = heard.parts().map((part) => part.map((seconds) => seconds.toFixed(1)).join("-"));
    const body = new URLSearchParams({ at: heard.atSec().toFixed(1), parts: parts.join() });
    const news = `${address}?${body}`;
    if (parts.length === 0 || news === told) return;
    told = news;
    toldAt = Date.now();
    if (isLeaving) navigator.sendBeacon(address, body);
    else
      void send(address, body).then((isTold) => {
        if (!isTold && told === news) told = "";
      });
  };
  const look = () => {
    // The events of a track may come when the next one has begun to load.
    if (audio.seeking || audio.readyState === HTMLMediaElement.HAVE_NOTHING) return;
    // Comparing an earlier version is not listening to the track.
    if (current().earlier !== undefined) return;
    address = current().src.replace("/listen/", "/heard/");
    // At a seam, the end plays before it is heard.
    heard.move(audio.ended ? audio.currentTime : elapsedSec(), Date.now());
  };
  audio.addEventListener("timeupdate", () => {
    look();
    if (Date.now() - toldAt >= EVERY_MS) tell(false);
  });
  for (const name of ["playing", "seeked"]) audio.addEventListener(name, look);
  audio.addEventListener("seeking", heard.jump);
  for (const name of ["pause", "ended"])
    audio.addEventListener(name, () => {
      look();
      tell(false);
    });
  // The next track has begun to load: this is the last chance to report what was heard of this one.
  audio.addEventListener("emptied", () => {
    tell(false);
    heard.clear();
  });
  document.addEventListener("visibilitychange", () => tell(true));
  addEventListener("pagehide", () => tell(true));
}

/** Returns false when the server did not take it, as when there were too many requests. */
async function send(address: string, body: URLSearchParams): Promise<boolean> {
  try {
    return (await fetch(address, { method: "POST", body, keepalive: true })).ok;
  } catch {
    return false;
  }
}
