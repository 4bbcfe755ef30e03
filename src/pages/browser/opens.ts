import { findById } from "./dom.ts";

const LOOK_AGAIN_MS = 5000;

const place = findById("opens");
if (place) {
  const at = Number(place.dataset.at);
  sayInTheirTime(place, at);
  // The page says how long it is by the server's clock, which decides.
  const until = Date.now() + Number(place.dataset.left);
  setInterval(() => {
    if (Date.now() >= until) location.reload();
  }, LOOK_AGAIN_MS);
}

/** Says when it opens by the clock on the visitor's wall. */
function sayInTheirTime(words: HTMLElement, at: number): void {
  const heading = document.querySelector("h1");
  const moment = new Date(at);
  if (!heading || moment.getTimezoneOffset() === 0) return;
  const isThisYear = moment.getFullYear() === new Date().getFullYear();
  const day = moment.toLocaleDateString("en-GB", {
    day: "numeric",
    month: "long",
    ...(!isThisYear && { year: "numeric" }),
  });
  const time = moment.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
  heading.textContent = `This opens on ${day} at ${time}.`;
  words.textContent = "That is your local time.";
}
