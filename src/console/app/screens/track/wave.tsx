/** @jsxRuntime automatic @jsxImportSource preact */
import { type Signal, useComputed, useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { can } from "../../api/library.ts";
import { useSize } from "../../player/canvas.ts";
import type { Outline } from "../../player/outline.ts";
import { loop } from "../../player/state.ts";
import { clock as timeOf } from "../../player/time.ts";
import { durationOf, wholeView } from "../../player/wave.ts";
import { useOutline, WaveCanvas } from "../../player/wave-canvas.tsx";
import { tooltip } from "../../ui/actions.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { useActions } from "../../ui/keys.ts";
import { later } from "../../ui/later.tsx";
import type { Clock } from "./clock.ts";
import type { Spot } from "./clusters.ts";
import { aboutWords } from "./composer.tsx";
import type { Draft } from "./draft.ts";
import { Marks } from "./marks.tsx";
import type { SheetProps, Version } from "./queries.ts";
import { loaded } from "./sound.ts";
import { momentNow } from "./span.ts";
import { useGestures } from "./wave-gestures.ts";
import type { WaveState } from "./wave-state.ts";

const STEP = 0.5;

const FindSound = later(async () => (await import("./find-sound.tsx")).FindSound);
const Sections = later(async () => (await import("./sections.tsx")).Sections);

type WaveProps = SheetProps & {
  /** The version that is heard. */
  heard: Version | undefined;
  clock: Clock;
  wave: WaveState;
  spots: readonly Spot[];
  draft: Draft;
};

/** The wave of the version that is heard, with zoom and the notes as marks. */
export function Wave({ track, title, heard, clock, wave, spots, draft }: WaveProps) {
  const outline = useOutlineOf(heard);
  const isZoomed = useComputed(() => wave.view.value !== undefined).value;
  const durationSec = heard?.durationSec ?? track.audio_profile.durationSec ?? 0;
  useEffect(() => {
    wave.durationSec.value = (outline.value && durationOf(outline.value)) ?? durationSec;
  }, [outline.value, durationSec, wave]);
  useEffect(() => {
    draft.marked.value = undefined;
  }, [heard?.id, draft]);
  useActions({ zoomIn: () => wave.zoom(STEP), zoomOut: () => wave.zoom(1 / STEP) });
  const now = useComputed(() => timeOf(clock.positionSec.value));
  const { measured } = track.analysis;
  const sections = (measured?.versionId === heard?.id && measured?.structure?.sections) || [];
  return (
    <section class="wave-box" aria-label="Waveform">
      {isZoomed && outline.value && <Overview outline={outline.value} wave={wave} clock={clock} />}
      <WaveView outline={outline} title={title} clock={clock} wave={wave} draft={draft}>
        <SpanOf draft={draft} wave={wave} />
        <Marks spots={spots} wave={wave} draft={draft} />
      </WaveView>
      {sections.length > 0 && <Sections key={heard?.id} sections={sections} clock={clock} wave={wave} />}
      <div class="wave-tools">
        <span class="wave-time" aria-hidden="true">
          {now} / {timeOf(durationSec)}
        </span>
        {heard && !heard.isAnalysed && <span class="soft">{waitingWords(heard, track.analysis)}</span>}
        {heard?.active && <OnPart trackId={track.id} wave={wave} draft={draft} />}
        {can("create:comments") && (
          <>
            <OnMarked draft={draft} versionId={heard?.id} />
            <Button
              look="quiet small wave-comment"
              icon="comment"
              title={tooltip("comment")}
              run={() => draft.begin(momentNow(heard?.id, clock))}
            >
              Comment at {now}
            </Button>
          </>
        )}
        <ZoomButtons wave={wave} isZoomed={isZoomed} />
      </div>
    </section>
  );
}

/** Comments on the part that was dragged over, while there is one. */
function OnMarked({ draft, versionId }: { draft: Draft; versionId: string | undefined }) {
  const span = draft.marked.value;
  useActions({
    close: span && (() => (draft.marked.value = undefined)),
  });
  if (!span) return null;
  const { fromSec: atSec, toSec: endSec } = span;
  return (
    <Button
      look="quiet small wave-comment-span"
      icon="comment"
      title={tooltip("commentSpan")}
      run={() => draft.begin({ atSec, endSec, versionId })}
    >
      {aboutWords(atSec, endSec)}
    </Button>
  );
}

/** Searches by the part that was dragged over, or that the player repeats, while there is one. */
function OnPart({ trackId, wave, draft }: { trackId: string; wave: WaveState; draft: Draft }) {
  const { fromSec = 0, toSec } =
    draft.marked.value ?? (loaded.value?.trackId === trackId ? loop.value : undefined) ?? {};
  if (toSec === undefined) return null;
  return <FindSound {...{ trackId, span: { fromSec, toSec } }} endSec={wave.durationSec.value} />;
}

/** Shows the part that was dragged over, or that is being written about. */
function SpanOf({ draft, wave }: { draft: Draft; wave: WaveState }) {
  const box = useRef<HTMLSpanElement>(null);
  useSignalEffect(() => {
    const { atSec = 0, endSec } = draft.about.value ?? {};
    const span = draft.marked.value ?? (endSec === undefined ? undefined : { fromSec: atSec, toSec: endSec });
    const { fromSec, secondsPerPx } = wave.current();
    if (!box.current) return;
    box.current.hidden = span === undefined;
    if (!span) return;
    box.current.style.translate = `${(span.fromSec - fromSec) / secondsPerPx}px`;
    box.current.style.width = `${(span.toSec - span.fromSec) / secondsPerPx}px`;
  });
  return <span ref={box} class="wave-span" aria-hidden="true" hidden />;
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

function waitingWords(
  { active, analysis }: Version,
  { status, reason }: SheetProps["track"]["analysis"],
): string {
  if (!active && analysis === "pending") return "Analysing…";
  if (!active) return "This version has not been analysed";
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
  draft: Draft;
  children: preact.ComponentChildren;
};

function WaveView({ outline, title, clock, wave, draft, children }: ViewProps) {
  const box = useRef<HTMLDivElement>(null);
  const slider = useRef<HTMLInputElement>(null);
  useWidth(box, wave);
  useGestures(box, {
    wave,
    onMove: (sec) => {
      clock.moveTo(sec);
      slider.current?.focus({ preventScroll: true });
    },
    onSpan: (span) => {
      draft.marked.value = span;
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
