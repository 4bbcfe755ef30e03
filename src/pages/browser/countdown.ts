import { timeLeft } from "../time-left.ts";
import { findById } from "./dom.ts";

const LOOK_AGAIN_MS = 20_000;

/** Keeps the time that is left until a deadline, as long as the page is open. */
export function countDown(): void {
  const place = findById("time-left");
  if (!place) return;
  // The page says how long it is by the server's clock, which decides.
  const until = Date.now() + Number(place.dataset.left);
  setInterval(() => {
    const words = timeLeft(until - Date.now());
    if (place.textContent !== words) place.textContent = words;
  }, LOOK_AGAIN_MS);
}
