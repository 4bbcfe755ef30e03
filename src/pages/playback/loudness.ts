/** Plays tracks of different loudness equally loud, while the visitor wants it. */
export type Loudness = {
  /** Call it in the tap that begins playback: browsers allow no sound before one. */
  begin: () => void;
  /** Sets the gain of the track that plays from now on, in dB. */
  setGain: (gainDb: number) => void;
  /** Plays all tracks equally loud, or each as it is. */
  match: (isOn: boolean) => void;
};

type AudioSessionNavigator = Navigator & { audioSession?: { type: string } };

/** Makes the loudness matching for an element. Until it is wanted for the first time, the sound is not processed. */
export function createLoudness(audio: HTMLAudioElement, isMatched: boolean): Loudness {
  let isOn = isMatched;
  let gainDb = 0;
  let graph: { context: AudioContext; gain: GainNode } | undefined;

  const apply = () => {
    if (!graph) return;
    const { context, gain } = graph;
    // A sudden change of gain would click.
    gain.gain.setTargetAtTime(isOn ? 10 ** (gainDb / 20) : 1, context.currentTime, 0.012);
  };
  const build = () => {
    if (graph || !isOn || !("AudioContext" in window)) return;
    // Otherwise a phone's silent switch would mute the music.
    const session = (navigator as AudioSessionNavigator).audioSession;
    if (session) session.type = "playback";
    const context = new AudioContext({ latencyHint: "playback" });
    const gain = context.createGain();
    gain.gain.value = 10 ** (gainDb / 20);
    context.createMediaElementSource(audio).connect(gain).connect(context.destination);
    graph = { context, gain };
  };

  return {
    begin: () => {
      build();
      void graph?.context.resume();
    },
    setGain: (next) => {
      gainDb = next;
      apply();
    },
    match: (next) => {
      isOn = next;
      if (!audio.paused) build();
      apply();
    },
  };
}
