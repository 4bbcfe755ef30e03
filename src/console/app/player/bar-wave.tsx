/** @jsxRuntime automatic @jsxImportSource preact */
import { type Signal, useSignal, useSignalEffect } from "@preact/signals";
import { useRef } from "preact/hooks";
import { clock } from "../../../pages/waveform.ts";
import { usePaint, useSize } from "./canvas.ts";
import { drawWave, type Outline } from "./outline.ts";
import { seek } from "./player.ts";
import { outlineOf } from "./sound.ts";
import { durationSec, elapsedSec, loop, sound } from "./state.ts";

/** A line, until the outline is there. */
const FLAT: Outline = {
  sampleRateHz: 1,
  frames: 0,
  levels: [{ framesPerPair: 1, pairs: new Int8Array(2 * 3600) }],
};

/** The outline of what plays, and the place in it. */
export function BarWave() {
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const slider = useRef<HTMLInputElement>(null);
  const outline = useOutline();
  const size = useSize(box);
  const paint = usePaint();

  useSignalEffect(() => {
    const { width, height } = size.value;
    if (!canvas.current || width === 0) return;
    const view = { fromSec: 0, secondsPerPx: (durationSec.value || 1) / width };
    const place = { width, height, playedSec: elapsedSec.value, paint: paint.value };
    drawWave(canvas.current, outline.value ?? FLAT, view, place);
  });
  useSignalEffect(() => {
    const input = slider.current;
    if (!input) return;
    input.max = String(Math.max(1, durationSec.value));
    input.value = String(elapsedSec.value);
    input.setAttribute("aria-valuetext", `${clock(elapsedSec.value)} of ${clock(durationSec.value)}`);
  });
  return (
    <div ref={box} class="bar-wave">
      <canvas ref={canvas} />
      <LoopSpan />
      <input
        ref={slider}
        type="range"
        aria-label="Position"
        min="0"
        step="1"
        disabled={sound.value === undefined}
        onInput={({ currentTarget }) => seek(Number(currentTarget.value))}
      />
    </div>
  );
}

/** The part that is repeated. */
function LoopSpan() {
  if (!loop.value) return null;
  const { fromSec, toSec = fromSec } = loop.value;
  const percent = (seconds: number) => (100 * seconds) / (durationSec.peek() || 1);
  return (
    <span class="bar-loop" style={{ left: `${percent(fromSec)}%`, right: `${100 - percent(toSec)}%` }} />
  );
}

/** The outline of the loaded sound, once it is there. */
function useOutline(): Signal<Outline | undefined> {
  const outline = useSignal<Outline | undefined>(undefined);
  useSignalEffect(() => {
    const loaded = sound.value;
    outline.value = undefined;
    if (!loaded) return;
    let isOld = false;
    void outlineOf(loaded).then((found) => {
      if (!isOld) outline.value = found;
    });
    return () => {
      isOld = true;
    };
  });
  return outline;
}
