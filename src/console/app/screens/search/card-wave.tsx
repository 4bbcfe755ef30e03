/** @jsxRuntime automatic @jsxImportSource preact */
import { type Signal, useSignalEffect } from "@preact/signals";
import { useRef } from "preact/hooks";
import { withEdge } from "../../actions/find-sound.ts";
import type { Span } from "../../player/ab.ts";
import type { Outline } from "../../player/outline.ts";
import { durationOf, wholeView } from "../../player/wave.ts";
import { WaveCanvas } from "../../player/wave-canvas.tsx";

type Props = {
  outline: Signal<Outline | undefined>;
  part: Signal<Span | undefined>;
  /** Where it plays; 0: nowhere. */
  playedSec: () => number;
};

/** A press that moves less than this chooses nothing. */
const DRAG_PX = 5;

/** The whole sound. Dragging over it chooses a passage; the sliders below do the same for the keyboard. */
export function CardWave({ outline, part, playedSec }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const chosen = useRef<HTMLSpanElement>(null);
  const durationSec = () => (outline.value ? durationOf(outline.value) : 0);
  const pressed = useRef<number | undefined>(undefined);
  useSignalEffect(() => {
    const [span, all] = [part.value, Math.max(durationSec(), 0.1)];
    if (!chosen.current) return;
    chosen.current.hidden = span === undefined;
    if (!span) return;
    chosen.current.style.left = `${(100 * span.fromSec) / all}%`;
    chosen.current.style.width = `${(100 * (span.toSec - span.fromSec)) / all}%`;
  });
  const drag = (clientX: number) => {
    const { left, width } = box.current?.getBoundingClientRect() ?? { left: 0, width: 1 };
    const { current: from } = pressed;
    if (from === undefined || Math.abs(clientX - from) < DRAG_PX) return;
    const secAt = (x: number) => (durationSec() * (x - left)) / width;
    const [fromSec, toSec] = [secAt(Math.min(from, clientX)), secAt(Math.max(from, clientX))];
    // The edge that was pressed first stays where it is.
    part.value =
      clientX < from
        ? withEdge({ fromSec, toSec }, "to", toSec, durationSec())
        : withEdge({ fromSec, toSec }, "from", fromSec, durationSec());
  };
  return (
    <div
      ref={box}
      class="reference-wave"
      aria-hidden="true"
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        pressed.current = event.clientX;
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={({ clientX }) => drag(clientX)}
      onPointerUp={() => {
        pressed.current = undefined;
      }}
      onPointerCancel={() => {
        pressed.current = undefined;
      }}
    >
      <WaveCanvas
        outline={outline}
        view={(width) => wholeView({ width, durationSec: durationSec() })}
        playedSec={playedSec}
      />
      <span ref={chosen} class="reference-chosen" hidden />
    </div>
  );
}
