import { owner } from "../store.ts";
import { newName } from "../tabs.ts";
import { keepPart, type Recording } from "./store.ts";

/** What browsers write that a library takes: the best first. */
const TYPES = ["audio/mp4;codecs=opus", "audio/ogg;codecs=opus", "audio/mp4"];
const BITS_PER_SECOND = 256_000;
/** A part is written down so often. */
const PART_MS = 2000;
/** Music is recorded as it sounds: what makes speech clear spoils it. */
const AS_IT_SOUNDS = { echoCancellation: false, noiseSuppression: false, autoGainControl: false };

/** True where the browser lets a page record, in a form that a library takes. */
export const canRecord = (): boolean => navigator.mediaDevices !== undefined && typeOf() !== undefined;
const typeOf = () => TYPES.find((type) => "MediaRecorder" in window && MediaRecorder.isTypeSupported(type));

/** What is recorded at the moment. */
export type Recorder = {
  /** The loudest sample of the last moment, 0 to 1. */
  level: () => number;
  seconds: () => number;
  pause: () => void;
  goOn: () => void;
  /** Ends it. Returns what was recorded, when all of it is written down. */
  stop: () => Promise<Recording>;
  /** Resolves when the microphone is gone. */
  unplugged: Promise<void>;
};

/**
 * Records from a microphone: the browser asks the person first.
 *
 * @param deviceId Which microphone; left out: the usual one.
 * @throws DOMException `NotAllowedError`, `NotFoundError`, `NotReadableError`.
 */
export async function record(name: string, deviceId?: string): Promise<Recorder> {
  const audio = { ...AS_IT_SOUNDS, ...(deviceId !== undefined && { deviceId: { exact: deviceId } }) };
  const stream = await navigator.mediaDevices.getUserMedia({ audio });
  const mediaType = typeOf() ?? "";
  const recorder = new MediaRecorder(stream, { mimeType: mediaType, audioBitsPerSecond: BITS_PER_SECOND });
  const clock = createClock();
  const meter = createMeter(stream);
  const recording: Recording = { id: newName(), owner, name, mediaType, at: Date.now(), seconds: 0 };
  let parts = 0;
  let written = Promise.resolve();
  recorder.ondataavailable = ({ data }) => {
    if (data.size === 0) return;
    const now = { ...recording, seconds: clock.seconds() };
    const number = parts++;
    written = written.then(() => keepPart(now, number, data));
  };
  const ended = new Promise<void>((resolve) => {
    recorder.onstop = () => resolve();
  });
  const wake = keepAwake();
  recorder.start(PART_MS);
  clock.goOn();
  addEventListener("beforeunload", askFirst);
  return {
    level: meter.level,
    seconds: clock.seconds,
    pause: () => {
      recorder.pause();
      clock.pause();
    },
    goOn: () => {
      recorder.resume();
      clock.goOn();
    },
    stop: async () => {
      clock.pause();
      if (recorder.state !== "inactive") recorder.stop();
      await ended;
      removeEventListener("beforeunload", askFirst);
      for (const track of stream.getTracks()) track.stop();
      await Promise.all([meter.close(), wake.then((lock) => lock?.release())]);
      await written;
      return { ...recording, seconds: clock.seconds() };
    },
    unplugged: new Promise((resolve) => {
      stream.getAudioTracks()[0]?.addEventListener("ended", () => resolve(), { once: true });
    }),
  };
}

const askFirst = (event: BeforeUnloadEvent): void => event.preventDefault();

/** Counts the seconds that are recorded. */
function createClock() {
  let [doneMs, since]: [number, number | undefined] = [0, undefined];
  const ms = () => doneMs + (since === undefined ? 0 : performance.now() - since);
  return {
    seconds: () => ms() / 1000,
    goOn: () => {
      since ??= performance.now();
    },
    pause: () => {
      doneMs = ms();
      since = undefined;
    },
  };
}

function createMeter(stream: MediaStream) {
  const context = new AudioContext();
  const analyser = new AnalyserNode(context, { fftSize: 2048 });
  context.createMediaStreamSource(stream).connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  return {
    level: () => {
      analyser.getFloatTimeDomainData(samples);
      return samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
    },
    close: () => context.close(),
  };
}

/** A phone that goes to sleep stops recording. */
const keepAwake = (): Promise<WakeLockSentinel | undefined> =>
  navigator.wakeLock?.request("screen").catch(() => undefined) ?? Promise.resolve(undefined);
