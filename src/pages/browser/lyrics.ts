import type { Track } from "./queue.ts";

/** The words of the tracks, as they run along with the music. */
export type LyricsView = {
  /** Takes the words of tracks that the page has now. */
  add: (tracks: readonly Track[]) => void;
  /** Marks the line that is sung. Repeating it costs little. */
  follow: (track: Track, elapsedSec: number) => void;
};

type Line = { element: HTMLElement; sec: number };

/** A line is marked so long before it is sung: the time comes in steps. */
const AHEAD_SEC = 0.15;
/** Whoever scrolls reads elsewhere: the words stay for so long. */
const LEFT_ALONE_MS = 4000;

/** Has words with times run along. `onPress` receives the second at which a pressed line is sung. */
export function createLyrics(onPress: (track: Track, sec: number) => void): LyricsView {
  const known = new WeakMap<Track, Line[]>();
  let marked: HTMLElement | undefined;
  let scrolledAt = Number.NEGATIVE_INFINITY;

  const add = (track: Track) => {
    const lines = [...track.row.querySelectorAll<HTMLElement>(".lyric[data-sung]")].map((element) => ({
      element,
      sec: Number(element.dataset.sung),
    }));
    known.set(track, lines);
    const place = lines[0]?.element.closest<HTMLElement>(".lyric-lines");
    if (place) letScroll(place);
    for (const event of ["wheel", "touchmove", "keydown"])
      place?.addEventListener(event, () => (scrolledAt = performance.now()), { passive: true });
    place?.addEventListener("click", ({ target }) => {
      const line = lines.find(({ element }) => element === target);
      if (line && !getSelection()?.toString()) onPress(track, line.sec);
    });
  };
  const mark = (element: HTMLElement | undefined) => {
    if (element === marked) return;
    marked?.removeAttribute("aria-current");
    marked = element;
    marked?.setAttribute("aria-current", "true");
    if (marked && performance.now() - scrolledAt > LEFT_ALONE_MS) showInPlace(marked);
  };
  return {
    add: (tracks) => tracks.forEach(add),
    follow: (track, elapsedSec) => {
      const lines = known.get(track) ?? [];
      // An earlier version, which is heard beside a note, has other times.
      const isSung = elapsedSec > 0 && track.earlier === undefined;
      mark(isSung ? lines.findLast(({ sec }) => sec <= elapsedSec + AHEAD_SEC)?.element : undefined);
    },
  };
}

/** Words with times have a place of their own to run in, which the keyboard reaches. */
function letScroll(place: HTMLElement): void {
  place.classList.add("timed");
  place.tabIndex = 0;
  place.setAttribute("role", "group");
  place.setAttribute("aria-label", "Words, as they are sung");
}

/** Scrolls the words, and not the page, so that a line is in the middle. */
function showInPlace(line: HTMLElement): void {
  const place = line.closest<HTMLElement>(".lyric-lines");
  if (!place || place.offsetParent === null) return;
  const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const by = line.getBoundingClientRect().top - place.getBoundingClientRect().top;
  const top = place.scrollTop + by - (place.clientHeight - line.offsetHeight) / 2;
  place.scrollTo({ top, behavior: isCalm ? "auto" : "smooth" });
}
