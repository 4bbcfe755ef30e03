/** @jsxRuntime automatic @jsxImportSource preact */
import { type Signal, useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { href } from "../../first-data.ts";
import { play } from "../../player/player.ts";
import { clock } from "../../player/time.ts";
import { durationOf, wholeView } from "../../player/wave.ts";
import { useOutline, WaveCanvas } from "../../player/wave-canvas.tsx";
import { place } from "../../router.ts";
import { IconButton } from "../../ui/button.tsx";
import { Curve } from "../../ui/curve.tsx";
import { when } from "../../ui/dates.ts";
import { counted } from "../../ui/numbers.ts";
import { usePointer } from "../../ui/pointer.ts";
import { type HeardTrack, isAtEnd, type Visit } from "./listening.ts";
import { SliceTable } from "./slice-table.tsx";

type HeatProps = { track: HeardTrack; visits: readonly Visit[]; visitCount: number };

/** A track: its wave, over it how many visits heard each part, and a mark where each visit stopped. */
export function Heat({ track, visits, visitCount }: HeatProps) {
  const { trackId, title, artist, durationSec } = track;
  const at = useSignal<number | undefined>(undefined);
  const length = durationSec ?? 0;
  const playFrom = (share: number) =>
    play({
      tracks: [{ id: trackId, title, artist, cover: null }],
      index: 0,
      source: { key: place.peek().path },
      fromSec: share * length,
    });
  return (
    <figure class="heat" aria-label={`Heard of ${title}`}>
      <figcaption class="heat-head">
        <IconButton label={`Play ${title}`} icon="play" title="Play" run={() => playFrom(0)} />
        <a class="tap" href={href(`/library/tracks/${trackId}`)}>
          {title}
        </a>
        <Readout track={track} visitCount={visitCount} at={at} />
      </figcaption>
      <Graph track={track} at={at} onPick={playFrom}>
        <Stops track={track} visits={visits} />
      </Graph>
      <div class="axis" aria-hidden="true">
        <span>0:00</span>
        {durationSec !== null && <span>{clock(durationSec)}</span>}
      </div>
      <SliceTable track={track} visitCount={visitCount} />
    </figure>
  );
}

/** How many visits heard the part under the pointer; without one, how many heard anything. */
function Readout({
  track,
  visitCount,
  at,
}: {
  track: HeardTrack;
  visitCount: number;
  at: Signal<number | undefined>;
}) {
  const share = at.value;
  const { visits, curve, durationSec } = track;
  if (share === undefined)
    return (
      <span class="heat-readout">
        {visits} of {counted(visitCount, "visit")} heard it
      </span>
    );
  const heard = curve[Math.min(curve.length - 1, Math.floor(share * curve.length))] ?? 0;
  return (
    <span class="heat-readout">
      {clock(share * (durationSec ?? 0))} · {Math.round(heard * visitCount)} of {visitCount}
    </span>
  );
}

type GraphProps = {
  track: HeardTrack;
  at: Signal<number | undefined>;
  onPick: (share: number) => void;
  children: preact.ComponentChildren;
};

/** The picture. It is for the pointer; the table says the same to everyone. */
function Graph({ track, at, onPick, children }: GraphProps) {
  const box = useRef<HTMLDivElement>(null);
  usePointer(box, {
    onMove: (share) => {
      at.value = share;
    },
    onPick,
  });
  return (
    <div ref={box} class="heat-graph" aria-hidden="true">
      <HeatWave track={track} />
      <Curve shares={track.curve} />
      {children}
    </div>
  );
}

function HeatWave({ track }: { track: HeardTrack }) {
  const outline = useOutline(track);
  return (
    <WaveCanvas
      outline={outline}
      view={(width) => wholeView({ width, durationSec: outline.value ? durationOf(outline.value) : 0 })}
      playedSec={() => 0}
    />
  );
}

/** A mark where each visit stopped. */
function Stops({ track, visits }: Pick<HeatProps, "track" | "visits">) {
  const { durationSec } = track;
  if (durationSec === null) return null;
  return (
    <>
      {visits.map(({ visit, lastAt, tracks }) => {
        const stop = tracks.find(({ trackId }) => trackId === track.trackId)?.stoppedAtSec;
        if (stop === null || stop === undefined) return null;
        const words = isAtEnd(stop, track) ? "Heard to the end" : `Stopped at ${clock(stop)}`;
        return (
          <span
            key={visit}
            class="heat-stop"
            title={`${words}, ${when(lastAt)}`}
            style={{ left: `${Math.min(100, (100 * stop) / durationSec)}%` }}
          />
        );
      })}
    </>
  );
}
