/** @jsxRuntime automatic @jsxImportSource preact */
import { type Signal, useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { usePaint, useSize } from "./canvas.ts";
import { drawWave, type Outline, type View } from "./outline.ts";
import { outlineOf } from "./sound.ts";
import { peakOf } from "./wave.ts";

/** So much higher than the loudest moment is the wave's box. */
const ROOM = 1.1;

/** The outline of a version, once it is there; undefined: none is wanted. */
export function useOutline(
  of: { trackId: string; versionId: string } | undefined,
): Signal<Outline | undefined> {
  const outline = useSignal<Outline | undefined>(undefined);
  useEffect(() => {
    outline.value = undefined;
    if (!of) return;
    let isOld = false;
    void outlineOf(of).then((found) => {
      if (!isOld) outline.value = found;
    });
    return () => {
      isOld = true;
    };
  }, [of?.versionId, outline]);
  return outline;
}

type CanvasProps = {
  outline: Signal<Outline | undefined>;
  /** The part that shows in so many pixels. */
  view: (width: number) => View;
  playedSec: () => number;
  /** What fills the height; by default the loudest moment of the recording. */
  peak?: () => number;
};

/** A part of a recording, drawn again when anything about it changes. */
export function WaveCanvas({ outline, view, playedSec, peak }: CanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const paint = usePaint();
  const size = useSize(canvas);
  useSignalEffect(() => {
    const element = canvas.current;
    const { width, height } = size.value;
    if (!element || width === 0) return;
    const drawn = outline.value;
    if (!drawn) {
      element.width = 0;
      return;
    }
    const looks = { playedSec: playedSec(), paint: paint.value, peak: (peak?.() ?? peakOf(drawn)) * ROOM };
    drawWave(element, drawn, view(width), { width, height, ...looks });
  });
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a canvas takes no focus
  return <canvas ref={canvas} aria-hidden="true" />;
}
