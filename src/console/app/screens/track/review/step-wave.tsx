/** @jsxRuntime automatic @jsxImportSource preact */
import { type Signal, useComputed } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { Side } from "../../../player/ab.ts";
import { clock as timeOf } from "../../../player/time.ts";
import { peakOf } from "../../../player/wave.ts";
import { WaveCanvas } from "../../../player/wave-canvas.tsx";
import { tooltip } from "../../../ui/actions.ts";
import { Button } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { useActions } from "../../../ui/keys.ts";
import { Segments } from "../../../ui/segments.tsx";
import type { Ab } from "../use-ab.ts";
import { useOutlineOf } from "../wave.tsx";
import type { Duo } from "./duo.ts";

/** What shows of the music before and after what is repeated. */
const MARGIN_SEC = 1;
const JUMP_SEC = 2;

type Labels = { old: string | undefined; new: string };
type WavesProps = { duo: Duo; ab: Ab; labels: Labels; side: Side };

/** The passage of a note in both versions, one under the other, so that the same moment stands at the same place. */
export function Waves({ duo, ab, labels, side }: WavesProps) {
  const { a, b, hasOld, hasNew, offsetSec, startSec, span } = duo;
  const outlines = [useOutlineOf(a), useOutlineOf(b)] as const;
  const fromSec = startSec - MARGIN_SEC;
  const lengthSec = span.toSec + MARGIN_SEC - fromSec;
  // On one scale: the louder one is the taller one.
  const loudest = () => Math.max(...outlines.map(({ value }) => (value ? peakOf(value) : 1)));
  const row = (at: Side, label: string, shiftSec: number) => (
    <div class={side === at || !(hasOld && hasNew) ? "step-wave" : "step-wave compare-silent"}>
      <span aria-hidden="true">{label}</span>
      <WaveCanvas
        outline={outlines[at === "a" ? 0 : 1]}
        view={(width) => ({ fromSec: fromSec + shiftSec, secondsPerPx: lengthSec / Math.max(1, width) })}
        playedSec={() => ab.positionSec.value + shiftSec}
        peak={loudest}
      />
    </div>
  );
  return (
    <Passage duo={duo} ab={ab} fromSec={fromSec} lengthSec={lengthSec}>
      {hasOld && row("a", `Old: ${labels.old}`, 0)}
      {hasNew && row("b", hasOld ? `New: ${labels.new}` : labels.new, offsetSec)}
    </Passage>
  );
}

type PassageProps = {
  duo: Duo;
  ab: Ab;
  fromSec: number;
  lengthSec: number;
  children: preact.ComponentChildren;
};

/** The waves with the note on them. A press moves to its moment. */
function Passage({ duo, ab, fromSec, lengthSec, children }: PassageProps) {
  const box = useRef<HTMLDivElement>(null);
  const share = (sec: number) => `${(100 * sec) / lengthSec}%`;
  const isRange = duo.toSec !== null;
  return (
    <div
      ref={box}
      class="step-waves"
      onPointerDown={({ button, clientX }) => {
        const place = box.current?.getBoundingClientRect();
        if (button !== 0 || !place) return;
        ab.moveTo(Math.max(0, fromSec + (lengthSec * (clientX - place.left)) / place.width));
      }}
    >
      {children}
      <span
        class={isRange ? "step-mark step-range" : "step-mark"}
        style={{
          left: share(duo.fromSec - fromSec),
          ...(isRange && { width: share((duo.toSec ?? 0) - duo.fromSec) }),
        }}
      />
    </div>
  );
}

type SoundProps = Omit<WavesProps, "side"> & { side: Signal<Side>; children: preact.ComponentChildren };

/** Playing, and which of the two sounds. */
export function Sound({ duo, ab, labels, side, children }: SoundProps) {
  const { hasOld, hasNew, offsetSec, span, reason } = duo;
  const choose = (next: Side) => {
    ab.choose(next);
    side.value = next;
  };
  const swap = () => choose(side.peek() === "a" ? "b" : "a");
  const jump = (by: number) => () =>
    ab.moveTo(Math.min(Math.max(span.fromSec, ab.positionSec.peek() + by), span.toSec));
  const hasBoth = hasOld && hasNew;
  useActions({
    playPause: ab.toggle,
    switchVersions: hasBoth ? swap : undefined,
    back: jump(-JUMP_SEC),
    forward: jump(JUMP_SEC),
  });
  const current = hasBoth ? side.value : hasNew ? "b" : "a";
  const now = useComputed(() => timeOf(ab.positionSec.value + (current === "b" ? offsetSec : 0)));
  const isPlaying = ab.isPlaying.value;
  const sides = [
    ...(labels.old === undefined
      ? []
      : [{ value: "a" as const, name: `Old: ${labels.old}`, isDisabled: !hasOld }]),
    { value: "b" as const, name: `New: ${labels.new}`, isDisabled: !hasNew },
  ];
  return (
    <>
      <div class="step-sound">
        <button
          type="button"
          class="play-button"
          aria-label={isPlaying ? "Pause" : "Play"}
          title={tooltip("playPause", isPlaying ? "Pause" : "Play")}
          aria-busy={ab.isLoading.value}
          onClick={ab.toggle}
        >
          <Icon name={isPlaying ? "pause" : "play"} />
        </button>
        <Segments label="Which one sounds" options={sides} current={current} onChange={choose} />
        {hasBoth && (
          <Button look="quiet small" icon="swap" title={tooltip("switchVersions", "Switch")} run={swap}>
            Switch
          </Button>
        )}
        {children}
        <span class="compare-time" aria-hidden="true">
          {now}
        </span>
      </div>
      {reason !== undefined && <p class="soft">{reason}</p>}
    </>
  );
}
