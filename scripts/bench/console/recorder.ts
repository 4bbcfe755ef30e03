import type { Page } from "playwright-core";

/** In samples: the piece by which the beginning is found, where it is looked for, and how far a piece may have slipped. */
const BEGIN = 512;
const BEGIN_WITHIN = 96_000;
const SLIP = 600;

/** What the pages' sound goes through on its way out. */
const WORKLET = `registerProcessor("recorder", class extends AudioWorkletProcessor {
  process([[channel]]) {
    if (channel) this.port.postMessage({ frame: currentFrame, samples: channel.slice() });
    return true;
  }
});`;

/** Runs in the page before its scripts: whatever is connected to the output also goes to the recorder. */
const TAP = `
  const WORKLET = ${JSON.stringify(WORKLET)};
  window.recorded = [];
  window.recordedAt = [];
  const Context = window.AudioContext;
  window.AudioContext = class extends Context {
    constructor(...options) {
      super(...options);
      window.recordedRate = this.sampleRate;
      window.recordedBy = this;
      this.tap = this.createGain();
      this.tap.channelCount = 1;
      this.tap.channelCountMode = "explicit";
      this.tapped = this.audioWorklet.addModule(URL.createObjectURL(new Blob([WORKLET], { type: "text/javascript" }))).then(() => {
        const node = new AudioWorkletNode(this, "recorder");
        node.port.onmessage = ({ data: { frame, samples } }) => {
          window.recordedAt.push(frame);
          window.recorded.push(samples);
        };
        this.tap.connect(node);
      });
    }
    // Nothing sounds before it is recorded.
    async resume() {
      await this.tapped;
      return super.resume();
    }
  };
  const connect = AudioNode.prototype.connect;
  AudioNode.prototype.connect = function (target, ...more) {
    if (target === this.context.destination && this.context.tap) connect.call(this, this.context.tap);
    return connect.call(this, target, ...more);
  };`;

/** Loads the page anew, so that everything it plays is recorded by an AudioWorklet. */
export async function recordOutput(page: Page): Promise<void> {
  // The policy admits no script but the server's own; the recorder is the one exception.
  await page.route(page.url(), async (route) => {
    const response = await route.fetch();
    const headers = response.headers();
    const policy = headers["content-security-policy"] ?? "";
    headers["content-security-policy"] = policy.replace("script-src", "script-src blob:");
    await route.fulfill({ response, headers });
  });
  await page.addInitScript(TAP);
  await page.reload();
}

/** Waits until so much more sound has come out. */
export async function moreSound(page: Page, seconds: number): Promise<void> {
  await page.evaluate(`new Promise((done) => {
    const until = window.recorded.length + (${seconds} * window.recordedRate) / 128;
    const look = () => (window.recorded.length >= until ? done() : requestAnimationFrame(look));
    look();
  })`);
}

/** Returns everything that came out, and a file as the page decodes it. */
export async function soundOf(
  page: Page,
  path: string,
): Promise<{ heard: Float32Array; file: Float32Array }> {
  const [heard, file] = (await page.evaluate(`(async () => {
    const toText = (samples) => {
      const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
      let text = "";
      for (let at = 0; at < bytes.length; at += 32768) text += String.fromCharCode(...bytes.subarray(at, at + 32768));
      return btoa(text);
    };
    const heard = new Float32Array(window.recorded.length * 128);
    window.recorded.forEach((block, index) => heard.set(block, index * 128));
    const context = new OfflineAudioContext(1, 1, window.recordedRate);
    const bytes = await (await fetch(${JSON.stringify(path)})).arrayBuffer();
    return [toText(heard), toText((await context.decodeAudioData(bytes)).getChannelData(0))];
  })()`)) as [string, string];
  const samplesOf = (text: string) => new Float32Array(Uint8Array.from(Buffer.from(text, "base64")).buffer);
  return { heard: samplesOf(heard), file: samplesOf(file) };
}

/** Where a piece of sound lies in a file, and how it compares: `gain` is negative for a turned polarity. */
type Place = { lag: number; gain: number; likeness: number };

/**
 * Finds the place of `piece` in `file` among the lags from `from` to `to`, by correlation. The likeness is 1 for the same
 * sound at any level.
 */
function placeOf(piece: Float32Array, file: Float32Array, from: number, to: number): Place {
  const energy = piece.reduce((sum, sample) => sum + sample * sample, 0);
  let best: Place = { lag: from, gain: 0, likeness: 0 };
  for (let lag = Math.max(0, from); lag <= Math.min(to, file.length - piece.length); lag++) {
    let [product, power] = [0, 0];
    for (let i = 0; i < piece.length; i++) {
      const sample = file[lag + i] as number;
      product += sample * (piece[i] as number);
      power += sample * sample;
    }
    const likeness = Math.abs(product) / Math.sqrt(energy * power || 1);
    if (likeness > best.likeness) best = { lag, gain: product / power, likeness };
  }
  return best;
}

/**
 * Finds where each piece of `length` samples of what was heard lies in the file, less its own place: one number if nothing
 * slips. What was heard begins within the first `beginWithin` samples of the file: by default, two seconds.
 */
export function placesOf(
  heard: Float32Array,
  file: Float32Array,
  length: number,
  beginWithin = BEGIN_WITHIN,
): Place[] {
  const first = heard.findIndex((sample) => Math.abs(sample) > 0.01);
  const pieces = Array.from(
    { length: Math.floor((heard.length - first) / length) - 1 },
    (_, index) => first + index * length,
  );
  const begin = placeOf(heard.subarray(first, first + BEGIN), file, 0, beginWithin);
  return pieces.map((at) => {
    const expected = begin.lag + at - first;
    const found = placeOf(heard.subarray(at, at + length), file, expected - SLIP, expected + SLIP);
    return { ...found, lag: found.lag - at };
  });
}
