import { api } from "../api/client.ts";

/** The outline of a recording at every zoom level, finest first. */
export type Outline = {
  sampleRateHz: number;
  durationSec: number;
  levels: readonly { framesPerPair: number; pairs: Int8Array }[];
  /** The furthest sample from the middle, at most 127. */
  peak: number;
};
/** The part of a recording that shows. */
export type View = { fromSec: number; secondsPerPx: number };
/** Colours as CSS has them. */
export type Paint = { wave: string; played: string; head: string };

/** No closer than this: beyond it there is nothing more to see. */
const CLOSEST_SECONDS_PER_PX = 0.0005;
const MAGIC = 0x4442504b;
const HEAD_BYTES = 24;
const LEVEL_BYTES = 12;
/** The part of the height that the loudest moment fills. */
const FILLED = 0.9;

/** Reads the outline format of docs/analysis.md, "Waveform". @throws RangeError when it is something else. */
export function readOutline(bytes: ArrayBuffer): Outline {
  const view = new DataView(bytes);
  if (view.byteLength < HEAD_BYTES || view.getUint32(0) !== MAGIC || view.getUint16(4, true) !== 1)
    throw new RangeError("This is not an outline");
  const sampleRateHz = view.getUint32(8, true);
  const levels = Array.from({ length: view.getUint16(6, true) }, (_, level) => {
    const at = HEAD_BYTES + LEVEL_BYTES * level;
    const pairs = new Int8Array(bytes, view.getUint32(at + 8, true), 2 * view.getUint32(at + 4, true));
    return { framesPerPair: view.getUint32(at, true), pairs };
  });
  const coarsest = levels.at(-1)?.pairs ?? new Int8Array();
  const peak = coarsest.reduce((most, value) => Math.max(most, Math.abs(value)), 1);
  return { sampleRateHz, durationSec: view.getFloat64(16, true) / sampleRateHz, levels, peak };
}

/** Fetches the outline of a version. @throws ApiError `version_not_analysed`. */
export async function fetchOutline(
  trackId: string,
  versionId: string,
  signal?: AbortSignal,
): Promise<Outline> {
  const { data } = await api.GET("/app/library/tracks/{trackId}/versions/{versionId}/waveform", {
    params: { path: { trackId, versionId } },
    parseAs: "arrayBuffer",
    ...(signal && { signal }),
  });
  return readOutline(data as unknown as ArrayBuffer);
}

/** The view in which a whole recording fills `width` pixels. */
export const wholeView = (durationSec: number, width: number): View => ({
  fromSec: 0,
  secondsPerPx: Math.max(durationSec, 0.1) / Math.max(1, width),
});

/** Returns the view after zooming by `factor`; what is at pixel `x` stays there. A factor below 1 goes closer. */
export function zoomAt(
  { fromSec, secondsPerPx }: View,
  x: number,
  factor: number,
  { width, durationSec }: { width: number; durationSec: number },
): View {
  const next = Math.min(durationSec / width, Math.max(CLOSEST_SECONDS_PER_PX, secondsPerPx * factor));
  return viewFrom(fromSec + x * (secondsPerPx - next), next, { width, durationSec });
}

/** Returns a view that begins at a time, moved so that it stays within the recording. */
export function viewFrom(
  fromSec: number,
  secondsPerPx: number,
  { width, durationSec }: { width: number; durationSec: number },
): View {
  const last = Math.max(0, durationSec - width * secondsPerPx);
  return { secondsPerPx, fromSec: Math.min(Math.max(0, fromSec), last) };
}

/**
 * Draws a part of a recording on a canvas, which gets the size that it shows at. One canvas of the view's size serves
 * every zoom: the coarsest level that is still fine enough is drawn, so a column of pixels reads at most four pairs.
 *
 * @param peak What fills the height; by default the loudest moment of the recording.
 */
export function drawWave(
  canvas: HTMLCanvasElement,
  outline: Outline,
  { fromSec, secondsPerPx }: View,
  { playedSec, paint, peak = outline.peak }: { playedSec: number; paint: Paint; peak?: number },
): void {
  const { clientWidth: width, clientHeight: height } = canvas;
  const context = sized(canvas, width, height);
  const head = (playedSec - fromSec) / secondsPerPx;
  const path = columnsOf(outline, { fromSec, secondsPerPx }, { width, height, peak });
  fill(context, path, { from: 0, to: Math.min(width, head), height, colour: paint.played });
  fill(context, path, { from: Math.max(0, head), to: width, height, colour: paint.wave });
  if (head < 0 || head > width || playedSec <= 0) return;
  context.fillStyle = paint.head;
  context.fillRect(Math.round(head * devicePixelRatio) / devicePixelRatio - 0.5, 0, 1.5, height);
}

function sized(canvas: HTMLCanvasElement, width: number, height: number): CanvasRenderingContext2D {
  const [wide, high] = [Math.round(width * devicePixelRatio), Math.round(height * devicePixelRatio)];
  if (canvas.width !== wide) canvas.width = wide;
  if (canvas.height !== high) canvas.height = high;
  const context = canvas.getContext("2d") as CanvasRenderingContext2D;
  context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
}

function columnsOf(
  { levels, sampleRateHz }: Outline,
  { fromSec, secondsPerPx }: View,
  { width, height, peak }: { width: number; height: number; peak: number },
): Path2D {
  const path = new Path2D();
  const framesPerColumn = (secondsPerPx * sampleRateHz) / devicePixelRatio;
  const level = levels.findLast(({ framesPerPair }) => framesPerPair <= framesPerColumn) ?? levels[0];
  if (!level) return path;
  const { pairs, framesPerPair } = level;
  const step = framesPerColumn / framesPerPair;
  const first = (fromSec * sampleRateHz) / framesPerPair;
  const middle = height / 2;
  const unit = (FILLED * middle) / peak;
  for (let column = 0; column < width * devicePixelRatio; column++) {
    const begin = first + column * step;
    const from = Math.floor(begin);
    if (begin < 0 || from >= pairs.length / 2) continue;
    const [low, high] = reach(pairs, from, Math.max(from + 1, Math.floor(begin + step)));
    const tall = Math.max(1, (high - low) * unit);
    path.rect(column / devicePixelRatio, middle - high * unit, 1 / devicePixelRatio, tall);
  }
  return path;
}

function reach(pairs: Int8Array, from: number, to: number): [low: number, high: number] {
  let [low, high] = [127, -127];
  for (let pair = from; pair < Math.min(to, pairs.length / 2); pair++) {
    low = Math.min(low, pairs[2 * pair] ?? 0);
    high = Math.max(high, pairs[2 * pair + 1] ?? 0);
  }
  return [low, high];
}

type Part = { from: number; to: number; height: number; colour: string };

function fill(context: CanvasRenderingContext2D, path: Path2D, { from, to, height, colour }: Part): void {
  if (to <= from) return;
  context.save();
  context.beginPath();
  context.rect(from, 0, to - from, height);
  context.clip();
  context.fillStyle = colour;
  context.fill(path);
  context.restore();
}

/** Returns the colours of waves, as the style sheet has them at the moment. */
export function readPaint(element: Element): Paint {
  const style = getComputedStyle(element);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  return { wave: colour("--wave"), played: colour("--accent"), head: colour("--ink") };
}
