/** The outline of a recording at every zoom level, finest first (docs/analysis.md, "Waveform"). */
export type Outline = {
  sampleRateHz: number;
  frames: number;
  levels: readonly { framesPerPair: number; pairs: Int8Array }[];
};

const MAGIC = 0x4442504b;
const HEAD_BYTES = 24;
const LEVEL_BYTES = 12;

/** Reads an outline as the server sends it. @throws RangeError when the bytes are something else. */
export function readOutline(bytes: ArrayBuffer): Outline {
  const view = new DataView(bytes);
  if (view.byteLength < HEAD_BYTES || view.getUint32(0) !== MAGIC || view.getUint16(4, true) !== 1)
    throw new RangeError("Not an outline");
  const levels = Array.from({ length: view.getUint16(6, true) }, (_, level) => {
    const at = HEAD_BYTES + LEVEL_BYTES * level;
    return {
      framesPerPair: view.getUint32(at, true),
      pairs: new Int8Array(bytes, view.getUint32(at + 8, true), 2 * view.getUint32(at + 4, true)),
    };
  });
  return { sampleRateHz: view.getUint32(8, true), frames: view.getFloat64(16, true), levels };
}

/** What part of the recording is shown. */
export type View = { fromSec: number; secondsPerPx: number };
/** Colours as CSS writes them. */
export type Paint = { wave: string; played: string; head: string };
/** Where to draw: CSS pixels; the canvas has `devicePixelRatio` as many of its own. */
export type Place = {
  width: number;
  height: number;
  playedSec: number;
  paint: Paint;
  /** The sample that fills the height, of 127; left out: full scale. */
  peak?: number;
};

/** Draws one frame: a canvas of the view's size, however long the recording. */
export function drawWave(canvas: HTMLCanvasElement, outline: Outline, view: View, place: Place): void {
  const { width, height, playedSec, paint, peak = 127 } = place;
  const ratio = devicePixelRatio;
  const context = prepare(canvas, width, height);
  if (!context) return;
  const head = (playedSec - view.fromSec) / view.secondsPerPx;
  const columns = Math.round(width * ratio);
  const played = Math.min(columns, Math.max(0, Math.round(head * ratio)));
  const grid = { ratio, height, peak };
  context.fillStyle = paint.played;
  fillColumns(context, { outline, view, from: 0, to: played, ...grid });
  context.fillStyle = paint.wave;
  fillColumns(context, { outline, view, from: played, to: columns, ...grid });
  if (head < 0 || head > width || playedSec === 0) return;
  context.fillStyle = paint.head;
  context.fillRect(Math.round(head * ratio) / ratio, 0, 1, height);
}

/** Returns the view after zooming by `factor`; the moment under `px` stays there. */
export function zoomAt(
  { fromSec, secondsPerPx }: View,
  { px, factor }: { px: number; factor: number },
  { width, durationSec }: { width: number; durationSec: number },
): View {
  const next = Math.min(durationSec / width, Math.max(FINEST_SEC_PER_PX, secondsPerPx * factor));
  const from = fromSec + px * (secondsPerPx - next);
  return {
    secondsPerPx: next,
    fromSec: Math.min(Math.max(0, from), Math.max(0, durationSec - width * next)),
  };
}

const FINEST_SEC_PER_PX = 0.0005;

function prepare(canvas: HTMLCanvasElement, width: number, height: number) {
  const ratio = devicePixelRatio;
  const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== wide) canvas.width = wide;
  if (canvas.height !== high) canvas.height = high;
  const context = canvas.getContext("2d");
  context?.setTransform(ratio, 0, 0, ratio, 0, 0);
  context?.clearRect(0, 0, width, height);
  return context;
}

type Columns = {
  outline: Outline;
  view: View;
  from: number;
  to: number;
  ratio: number;
  height: number;
  peak: number;
};

/** Fills columns of whole pixels, from the coarsest level that is still fine enough. Rectangles are faster than one path. */
function fillColumns(context: CanvasRenderingContext2D, columns: Columns): void {
  const { outline, view, from, to, ratio, height, peak } = columns;
  const framesPerColumn = (view.secondsPerPx * outline.sampleRateHz) / ratio;
  const level =
    outline.levels.findLast(({ framesPerPair }) => framesPerPair <= framesPerColumn) ?? outline.levels[0];
  if (!level) return;
  const { pairs, framesPerPair } = level;
  const step = framesPerColumn / framesPerPair;
  const first = (view.fromSec * outline.sampleRateHz) / framesPerPair;
  const middle = height / 2;
  const unit = (middle - 1) / peak;
  for (let column = from; column < to; column++) {
    const pair = Math.floor(first + column * step);
    if (pair < 0 || pair >= pairs.length / 2) continue;
    const end = Math.max(pair + 1, Math.floor(first + (column + 1) * step));
    const [low, high] = extremes(pairs, pair, end);
    context.fillRect(column / ratio, middle - high * unit, 1 / ratio, Math.max(1, (high - low) * unit));
  }
}

function extremes(pairs: Int8Array, from: number, to: number): readonly [low: number, high: number] {
  let [low, high] = [127, -127];
  for (let at = 2 * from; at < 2 * to && at < pairs.length; at += 2) {
    low = Math.min(low, pairs[at] ?? 0);
    high = Math.max(high, pairs[at + 1] ?? 0);
  }
  return [low, high];
}
