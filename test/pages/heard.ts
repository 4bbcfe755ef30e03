import type { Page } from "playwright-core";

/** Keeps the left channel of whatever reaches the speakers, as its own worklet. */
const RECORDER = `registerProcessor("recorder", class extends AudioWorkletProcessor {
  kept = [];
  constructor() {
    super();
    this.port.onmessage = () => this.port.postMessage(this.kept);
  }
  process([input]) {
    this.kept.push(...(input[0] ?? new Float32Array(128)));
    return true;
  }
});`;

const TAP = `{
  const { connect } = AudioNode.prototype;
  const recorders = new Map();
  const recorderOf = async (context) => {
    const script = new Blob([${JSON.stringify(RECORDER)}], { type: "text/javascript" });
    await context.audioWorklet.addModule(URL.createObjectURL(script));
    const recorder = new AudioWorkletNode(context, "recorder");
    connect.call(recorder, context.destination);
    return window.recorder = recorder;
  };
  AudioNode.prototype.connect = function (to, ...others) {
    const { context } = this;
    if (to === context.destination) {
      window.soundContext = context;
      recorders.set(context, recorders.get(context) ?? recorderOf(context));
      recorders.get(context).then((recorder) => connect.call(this, recorder));
    }
    return connect.call(this, to, ...others);
  };
}`;

/** Records what a page plays, sample by sample. Call it before the page is there, in a context without a policy for scripts. */
export async function recordSound(page: Page): Promise<() => Promise<Float32Array>> {
  await page.addInitScript(TAP);
  // As text: as a list of numbers, each of them would be wrapped and parsed alone.
  const read = `new Promise((found) => {
    const reader = new FileReader();
    reader.onload = () => found(reader.result.split(",")[1]);
    window.recorder.port.onmessage = ({ data }) => reader.readAsDataURL(new Blob([Float32Array.from(data)]));
    window.recorder.port.postMessage("");
  })`;
  return async () => {
    const bytes = Buffer.from((await page.evaluate(read)) as string, "base64");
    return new Float32Array(new Uint8Array(bytes).buffer);
  };
}

/** Returns how much a recording from `at` on is like a piece of sound, at most 1, however loud either is. */
export function likeness(piece: Float32Array, recording: Float32Array, at: number): number {
  let [product, own, heard] = [0, 0, 0];
  for (let i = 0; i < piece.length; i++) {
    const sample = piece[i] ?? 0;
    const other = recording[at + i] ?? 0;
    product += sample * other;
    own += sample ** 2;
    heard += other ** 2;
  }
  return product / Math.max(Number.EPSILON, Math.sqrt(own * heard));
}

/** Returns where a recording is most like a piece of sound. */
export function placeOf(piece: Float32Array, recording: Float32Array): number {
  // As `likeness` has it, but for the loudness of the piece, which is the same everywhere.
  let [best, place] = [-1, 0];
  for (let at = 0; at < recording.length - piece.length; at++) {
    let [product, heard] = [0, 0];
    for (let i = 0; i < piece.length; i++) {
      const other = recording[at + i] ?? 0;
      product += (piece[i] ?? 0) * other;
      heard += other ** 2;
    }
    const like = product / Math.max(Number.EPSILON, Math.sqrt(heard));
    if (like > best) [best, place] = [like, at];
  }
  return place;
}
