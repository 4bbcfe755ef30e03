/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignalEffect } from "@preact/signals";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { View } from "../../player/outline.ts";
import { clock as timeOf } from "../../player/time.ts";
import { counted } from "../../ui/numbers.ts";
import { type Cluster, clustersOf, type Spot } from "./clusters.ts";
import type { Draft } from "./draft.ts";
import type { WaveState } from "./wave-state.ts";

/** Pixels between two marks, so that neither covers the other. */
const APART_PX = 26;
/** The part of the wave that a cluster fills once it was pressed. */
const OPENED = 0.8;
/** Notes that are closer than this are at one moment. */
const MOMENT_SEC = 0.05;

type MarksProps = { spots: readonly Spot[]; wave: WaveState; draft: Draft };

/**
 * The notes on the wave, for the pointer; the list says the same to everyone. They follow every step of a zoom without being
 * rendered again, however many they are.
 */
export function Marks({ spots, wave, draft }: MarksProps) {
  const box = useRef<HTMLDivElement>(null);
  const clustersAt = useMemo(() => clustersBy(spots), [spots]);
  const place = () => {
    const view = wave.current();
    const end = view.fromSec + wave.width.value * view.secondsPerPx;
    const clusters = clustersAt(view.secondsPerPx).filter(({ fromSec }) => fromSec <= end);
    if (box.current) draw(box.current, clusters, view);
  };
  useSignalEffect(place);
  useLayoutEffect(place);
  const open = ({ spots, fromSec }: Cluster) => {
    const toSec = spots.at(-1)?.fromSec ?? fromSec;
    if (toSec - fromSec > MOMENT_SEC) wave.show({ fromSec, toSec, part: OPENED });
    if (spots[0]) draft.open(spots[0].id);
  };
  return (
    <div
      ref={box}
      class="wave-marks"
      aria-hidden="true"
      onClick={({ target }) => {
        const cluster = target instanceof HTMLElement && marked.get(target);
        if (cluster) open(cluster);
      }}
    />
  );
}

/** Returns the clusters of a zoom, which stay the same while the wave moves. */
function clustersBy(spots: readonly Spot[]): (secondsPerPx: number) => readonly Cluster[] {
  let known: { secondsPerPx: number; clusters: readonly Cluster[] } | undefined;
  return (secondsPerPx) => {
    if (known?.secondsPerPx !== secondsPerPx)
      known = { secondsPerPx, clusters: clustersOf(spots, APART_PX * secondsPerPx) };
    return known.clusters;
  };
}

/** What a mark stands for. */
const marked = new WeakMap<Element, Cluster>();

/** Moves the marks to the clusters that begin in the view, or shows how far those from before it go. */
function draw(box: HTMLElement, clusters: readonly Cluster[], { fromSec: left, secondsPerPx }: View): void {
  const shown = clusters.filter(({ fromSec }) => fromSec >= left);
  const before = clusters.slice(0, clusters.length - shown.length);
  const end = before.reduce((last, { toSec }) => Math.max(last, toSec), left);
  const px = (sec: number) => `${Math.round((100 * sec) / secondsPerPx) / 100}px`;
  write(box, "--before", end > left ? px(end - left) : "");
  // As many as there ever were at once.
  while (box.children.length < shown.length) box.append(newMark());
  for (const [at, mark] of ([...box.children] as HTMLElement[]).entries()) {
    const cluster = shown[at];
    if (mark.hidden !== (cluster === undefined)) mark.hidden = cluster === undefined;
    if (!cluster) continue;
    if (marked.get(mark) !== cluster) describe(mark, cluster);
    const { fromSec, toSec } = cluster;
    write(mark, "translate", px(fromSec - left));
    write(mark, "--range", toSec > fromSec ? px(toSec - fromSec) : "");
  }
}

/** What is the same is not written again: each would have the styles worked out anew. */
function write({ style }: HTMLElement, name: string, value: string): void {
  if (style.getPropertyValue(name) !== value) style.setProperty(name, value);
}

function newMark(): HTMLElement {
  const mark = document.createElement("button");
  mark.type = "button";
  mark.tabIndex = -1;
  return mark;
}

function describe(mark: HTMLElement, cluster: Cluster): void {
  const { spots, fromSec, toSec } = cluster;
  const [first] = spots;
  marked.set(mark, cluster);
  if (!first) return;
  const isOne = spots.length === 1;
  const text = isOne ? first.author.slice(0, 1).toUpperCase() : `${spots.length}`;
  const look = [
    "wave-mark",
    !isOne && "is-several",
    !spots.some(({ isOpen }) => isOpen) && "is-answered",
    isOne && first.isAbout && "is-about",
    spots.some((spot) => spot.toSec !== null) && "is-range",
  ];
  const name = look.filter(Boolean).join(" ");
  if (mark.textContent !== text) mark.textContent = text;
  if (mark.className !== name) mark.className = name;
  mark.title = isOne
    ? `${first.author}: ${first.text}`
    : `${counted(spots.length, "note")}, ${timeOf(fromSec)}–${timeOf(toSec)}`;
}
