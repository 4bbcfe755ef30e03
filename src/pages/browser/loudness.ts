import { findById, memory } from "./dom.ts";

/** Brings tracks of different loudness to one, while the visitor wants it. */
export type Loudness = {
  /** Call it in the tap that begins playback: browsers let nothing sound before. */
  begin: () => void;
  /** The gain of the track that plays from now on, in dB. */
  setGain: (gainDb: number) => void;
};

type AudioSessionNavigator = Navigator & { audioSession?: { type: string } };

/** Makes the matching of an element's sound. Where it is never wanted, the sound goes its plain way. */
export function createLoudness(audio: HTMLAudioElement): Loudness {
  const button = findById("match");
  let isOn = button !== undefined && memory.get("match") !== "off";
  let gainDb = 0;
  let graph: { context: AudioContext; gain: GainNode } | undefined;

  const apply = () => {
    if (!graph) return;
    const { context, gain } = graph;
    // A jump of the gain would click.
    gain.gain.setTargetAtTime(isOn ? 10 ** (gainDb / 20) : 1, context.currentTime, 0.012);
  };
  const build = () => {
    if (graph || !isOn || !("AudioContext" in window)) return;
    // Else a telephone would take the sound for one that its silent switch silences.
    const session = (navigator as AudioSessionNavigator).audioSession;
    if (session) session.type = "playback";
    const context = new AudioContext({ latencyHint: "playback" });
    const gain = context.createGain();
    gain.gain.value = 10 ** (gainDb / 20);
    context.createMediaElementSource(audio).connect(gain).connect(context.destination);
    graph = { context, gain };
  };
  const show = () => button?.setAttribute("aria-pressed", String(isOn));

  button?.addEventListener("click", () => {
    isOn = !isOn;
    memory.set("match", isOn ? "on" : "off");
    show();
    if (!audio.paused) build();
    apply();
  });
  show();
  return {
    begin: () => {
      build();
      void graph?.context.resume();
    },
    setGain: (next) => {
      gainDb = next;
      apply();
    },
  };
}
