import { type Signal, signal } from "@preact/signals";
import { type View, zoomAt } from "../../player/outline.ts";
import { viewFrom, wholeView } from "../../player/wave.ts";

/** What part of a recording the waves of a sheet show; they all show the same. */
export type WaveState = {
  /** Undefined: all of it. */
  view: Signal<View | undefined>;
  width: Signal<number>;
  durationSec: Signal<number>;
  /** The part that shows, whether zoomed or not. */
  current: () => View;
  /** A factor below 1 zooms in at pixel `x`. */
  zoom: (factor: number, x?: number) => void;
  showAll: () => void;
  /** Moves the part so that it begins at a time. */
  scrollTo: (fromSec: number) => void;
  /** Zooms in to a span, which then fills `part` of the width; one that is too short, as far as it goes. Never zooms out. */
  show: (span: { fromSec: number; toSec: number; part: number }) => void;
  /** Moves the part on when the time has left it. */
  follow: (sec: number) => void;
};

export function createWaveState(): WaveState {
  const view = signal<View | undefined>(undefined);
  const width = signal(0);
  const durationSec = signal(0);
  const size = () => ({ width: width.value, durationSec: durationSec.value });
  const whole = () => wholeView(size());
  const current = () => view.value ?? whole();
  const set = (next: View) => {
    view.value = next.secondsPerPx < whole().secondsPerPx * 0.999 ? next : undefined;
  };
  return {
    view,
    width,
    durationSec,
    current,
    zoom: (factor, x = width.value / 2) => set(zoomAt(current(), { px: x, factor }, size())),
    showAll: () => {
      view.value = undefined;
    },
    scrollTo: (fromSec) => set(viewFrom(fromSec, current().secondsPerPx, size())),
    show: ({ fromSec, toSec, part }) => {
      const wanted = (toSec - fromSec) / (part * Math.max(1, width.value));
      const factor = Math.min(1, wanted / current().secondsPerPx);
      const { secondsPerPx } = zoomAt(current(), { px: 0, factor }, size());
      set(viewFrom((fromSec + toSec - width.value * secondsPerPx) / 2, secondsPerPx, size()));
    },
    follow: (sec) => {
      const { fromSec, secondsPerPx } = current();
      const shown = width.value * secondsPerPx;
      if (view.value && (sec < fromSec || sec > fromSec + shown)) set(viewFrom(sec, secondsPerPx, size()));
    },
  };
}

/** The same part of the recording in a wave of another width. */
export function atWidth(wave: WaveState, width: Signal<number>): WaveState {
  const scale = () => wave.width.value / Math.max(1, width.value);
  return {
    ...wave,
    width,
    current: () => {
      const { fromSec, secondsPerPx } = wave.current();
      return { fromSec, secondsPerPx: secondsPerPx * scale() };
    },
    zoom: (factor, x = width.value / 2) => wave.zoom(factor, x * scale()),
  };
}
