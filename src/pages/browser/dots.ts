import { clock } from "../waveform.ts";
import { byId, element } from "./dom.ts";
import { marksOf, type Track } from "./queue.ts";

/** The dots of a track's comments on its waveform, with the names of those who wrote them. */
export type Dots = {
  /** Shows the dots of a track. Repeating it costs little. */
  show: (track: Track, durationSec: number) => void;
  /** Shows the name of the comment that the music has just reached. */
  follow: (elapsedSec: number) => void;
};

/** What people said at one place, or so near to it that their dots would lie on each other. */
type Said = { sec: number; share: number; names: string[] };

/** Dots that are nearer are one; share of the track. */
const NEAR = 0.025;
const SHOWN_FOR_SEC = 4;

/** Takes over the marks that the server drew. `onPress` receives the second that a dot stands for. */
export function createDots(onPress: (sec: number) => void): Dots {
  const place = byId("wave-dots");
  let shown = "";
  let dots: { button: HTMLElement; sec: number }[] = [];
  return {
    show: (track, durationSec) => {
      const marks = marksOf(track);
      const now = `${track.id} ${track.version} ${durationSec} ${marks.map(({ dataset }) => dataset.at).join()}`;
      if (now === shown) return;
      shown = now;
      dots = gather(marks, durationSec).map((said) => ({ button: toDot(said, onPress), sec: said.sec }));
      place.replaceChildren(...dots.map(({ button }) => button));
    },
    follow: (elapsedSec) => {
      for (const { button, sec } of dots) {
        const isNear = elapsedSec > 0 && elapsedSec >= sec && elapsedSec < sec + SHOWN_FOR_SEC;
        button.classList.toggle("near", isNear);
      }
    },
  };
}

/** Reads the comments of a track from the page, in the order of their places. */
function gather(marks: Iterable<HTMLElement>, durationSec: number): Said[] {
  const places = [...marks]
    .map((mark) => ({ sec: Number(mark.dataset.at), name: nameAt(mark) }))
    .filter(({ sec }) => durationSec > 0 && sec <= durationSec)
    .sort((a, b) => a.sec - b.sec);
  const found: Said[] = [];
  for (const { sec, name } of places) {
    const share = sec / durationSec;
    const last = found.at(-1);
    if (!last || share - last.share >= NEAR) found.push({ sec, share, names: [name] });
    else if (!last.names.includes(name)) last.names.push(name);
  }
  return found;
}

const nameAt = (mark: HTMLElement) =>
  mark.closest(".comment")?.querySelector(".comment-name")?.textContent ?? "";

function toDot({ sec, share, names }: Said, onPress: (sec: number) => void): HTMLElement {
  const dot = element("button", "dot");
  const words = inWords(names);
  dot.setAttribute("type", "button");
  dot.setAttribute("aria-label", `${words} at ${clock(sec)}`);
  // The list below has a button for each comment.
  dot.tabIndex = -1;
  dot.style.setProperty("--at", `${100 * share}%`);
  dot.style.setProperty("--lean", `${-100 * share}%`);
  dot.dataset.letter = letterOf(names);
  dot.append(element("span", "dot-name", words));
  dot.addEventListener("click", () => onPress(sec));
  return dot;
}

const letterOf = (names: readonly string[]) =>
  names.length > 1 ? String(names.length) : ([...(names[0] ?? "")][0] ?? "").toLocaleUpperCase();

/** `Ines`, `Ines and Jon`, `Ines and 3 others` */
function inWords([first = "", second, ...others]: readonly string[]): string {
  if (second === undefined) return first;
  return others.length === 0 ? `${first} and ${second}` : `${first} and ${others.length + 1} others`;
}
