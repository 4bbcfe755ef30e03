/** @jsxRuntime automatic @jsxImportSource preact */
import { type Signal, useComputed, useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { useSize } from "../../player/canvas.ts";
import type { Outline } from "../../player/outline.ts";
import { clock as timeOf } from "../../player/time.ts";
import { durationOf, wholeView } from "../../player/wave.ts";
import { useOutline, WaveCanvas } from "../../player/wave-canvas.tsx";
import { tooltip } from "../../ui/actions.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { useActions } from "../../ui/keys.ts";
import type { Clock } from "./clock.ts";
import type { Draft } from "./draft.ts";
import type { Comment, SheetProps, Version } from "./queries.ts";
import { heardVersionId } from "./sound.ts";
import { useGestures } from "./wave-gestures.ts";
import type { WaveState } from "./wave-state.ts";

const STEP = 0.5;

type WaveProps = SheetProps & {
  active: Version | undefined;
  clock: Clock;
  wave: WaveState;
  comments: readonly Comment[];
  draft: Draft;
};

/** The wave of the active version, with zoom and the comments as marks. */
export function Wave({ track, title, active, clock, wave, comments, draft }: WaveProps) {
  const outline = useOutlineOf(active);
  const isZoomed = useComputed(() => wave.view.value !== undefined).value;
  const durationSec = active?.durationSec ?? track.audio_profile.durationSec ?? 0;
  useEffect(() => {
    wave.durationSec.value = (outline.value && durationOf(outline.value)) ?? durationSec;
  }, [outline.value, durationSec, wave]);
  useActions({ zoomIn: () => wave.zoom(STEP), zoomOut: () => wave.zoom(1 / STEP) });
  const now = useComputed(() => timeOf(clock.positionSec.value));
  return (
    <section class="wave-box" aria-label="Waveform">
      {isZoomed && outline.value && <Overview outline={outline.value} wave={wave} clock={clock} />}
      <WaveView outline={outline} title={title} clock={clock} wave={wave}>
        <Marks comments={comments} wave={wave} draft={draft} />
      </WaveView>
      <div class="wave-tools">
        <span class="wave-time" aria-hidden="true">
          {now} / {timeOf(durationSec)}
        </span>
        {active && !active.isAnalysed && <span class="soft">{waitingWords(track.analysis)}</span>}
        <Button
          look="quiet small wave-comment"
          icon="comment"
          title={tooltip("comment")}
          run={() => draft.begin(clock.positionSec.peek(), heardVersionId(track.id, active))}
        >
          Comment at {now}
        </Button>
        <ZoomButtons wave={wave} isZoomed={isZoomed} />
      </div>
    </section>
  );
}

function ZoomButtons({ wave, isZoomed }: { wave: WaveState; isZoomed: boolean }) {
  const tool = (name: string, icon: "zoomOut" | "zoomIn" | "whole", run: () => void, isOff = false) => (
    <IconButton
      label={name}
      icon={icon}
      title={icon === "whole" ? name : tooltip(icon, name)}
      aria-disabled={isOff}
      run={run}
    />
  );
  return (
    <div class="wave-zoom">
      {tool("Zoom out", "zoomOut", () => wave.zoom(1 / STEP), !isZoomed)}
      {tool("Zoom in", "zoomIn", () => wave.zoom(STEP))}
      {tool("Whole track", "whole", wave.showAll, !isZoomed)}
    </div>
  );
}

function waitingWords({ status, reason }: SheetProps["track"]["analysis"]): string {
  if (status === "pending") return "Waiting to be analysed";
  if (status === "processing") return "Analysing…";
  if (status === "failed") return `The analysis failed: ${reason ?? "the file could not be read"}`;
  return "This version has not been analysed";
}

/** The outline of a version as soon as it is analysed. */
export const useOutlineOf = (version: Version | undefined): Signal<Outline | undefined> =>
  useOutline(version?.isAnalysed ? { trackId: version.trackId, versionId: version.id } : undefined);

type ViewProps = {
  outline: Signal<Outline | undefined>;
  title: string;
  clock: Clock;
  wave: WaveState;
  children: preact.ComponentChildren;
};

function WaveView({ outline, title, clock, wave, children }: ViewProps) {
  const box = useRef<HTMLDivElement>(null);
  const slider = useRef<HTMLInputElement>(null);
  useWidth(box, wave);
  useGestures(box, {
    wave,
    onMove: (sec) => {
      clock.moveTo(sec);
      slider.current?.focus({ preventScroll: true });
    },
  });
  const duration = wave.durationSec.value;
  const value = useComputed(() => Math.round(clock.positionSec.value * 10) / 10);
  const words = useComputed(() => `${timeOf(clock.positionSec.value)} of ${timeOf(wave.durationSec.value)}`);
  useSignalEffect(() => {
    if (clock.isPlaying.value) wave.follow(clock.positionSec.value);
  });
  return (
    <div ref={box} class="wave">
      <WaveCanvas outline={outline} view={wave.current} playedSec={() => clock.positionSec.value} />
      <input
        ref={slider}
        type="range"
        class="wave-slider"
        aria-label={`Position in ${title}`}
        aria-valuetext={words}
        min={0}
        max={Math.max(duration, 0.1)}
        step={0.1}
        value={value}
        onInput={({ currentTarget }) => clock.moveTo(Number(currentTarget.value))}
      />
      {children}
    </div>
  );
}

/** Follows the width of an element. */
export function useWidth(box: { current: HTMLElement | null }, { width }: WaveState): void {
  const size = useSize(box);
  useSignalEffect(() => {
    width.value = size.value.width;
  });
}

/** The whole recording above the part that shows; dragging moves the part. */
function Overview({ outline, wave, clock }: { outline: Outline; wave: WaveState; clock: Clock }) {
  const box = useRef<HTMLDivElement>(null);
  const drawn = useSignal<Outline | undefined>(outline);
  const part = useRef<HTMLSpanElement>(null);
  useSignalEffect(() => {
    const { fromSec, secondsPerPx } = wave.current();
    const share = (sec: number) => `${(100 * sec) / Math.max(wave.durationSec.value, 0.1)}%`;
    if (!part.current) return;
    part.current.style.left = share(fromSec);
    part.current.style.width = share(wave.width.value * secondsPerPx);
  });
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const move = ({ buttons, clientX }: PointerEvent) => {
      if (buttons === 0) return;
      const { left, width } = element.getBoundingClientRect();
      const sec = (wave.durationSec.peek() * (clientX - left)) / width;
      wave.scrollTo(sec - (wave.width.peek() * wave.current().secondsPerPx) / 2);
    };
    element.addEventListener("pointerdown", move);
    element.addEventListener("pointermove", move);
    return () => {
      element.removeEventListener("pointerdown", move);
      element.removeEventListener("pointermove", move);
    };
  }, [wave]);
  return (
    <div ref={box} class="wave-overview" aria-hidden="true">
      <WaveCanvas
        outline={drawn}
        view={(width) => wholeView({ width, durationSec: wave.durationSec.value })}
        playedSec={() => clock.positionSec.value}
      />
      <span ref={part} class="wave-window" />
    </div>
  );
}

type MarksProps = { comments: readonly Comment[]; wave: WaveState; draft: Draft };

/**
 * The comments on the wave, for the pointer; the list says the same to everyone. They follow every step of a zoom without
 * being rendered again.
 */
function Marks({ comments, wave, draft }: MarksProps) {
  const box = useRef<HTMLDivElement>(null);
  const marked = comments.filter(({ positionSec }) => positionSec !== null);
  const place = () => {
    const { fromSec, secondsPerPx } = wave.current();
    for (const [at, mark] of [...(box.current?.children ?? [])].entries()) {
      const x = ((marked[at]?.positionSec ?? 0) - fromSec) / secondsPerPx;
      (mark as HTMLElement).hidden = x < 0 || x > wave.width.value;
      (mark as HTMLElement).style.left = `${x}px`;
    }
  };
  useSignalEffect(place);
  useLayoutEffect(place);
  return (
    <div ref={box} class="wave-marks" aria-hidden="true">
      {marked.map(({ id, author, text }) => (
        <button
          key={id}
          type="button"
          tabIndex={-1}
          class="wave-mark"
          title={`${author.name}: ${text}`}
          onClick={() => draft.open(id)}
        >
          {author.name.slice(0, 1).toUpperCase()}
        </button>
      ))}
    </div>
  );
}
