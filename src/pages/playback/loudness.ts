import { LOOK } from "./seam.ts";

/** Plays tracks of different loudness equally loud, while the visitor wants it. */
export type Loudness = {
  /** Call it in the tap that begins playback: browsers allow no sound before one. */
  begin: () => void;
  /** Sets the gain of the track that plays from now on, in dB; with a lane, that of what plays in it. */
  setGain: (gainDb: number, lane?: number) => void;
  /** Plays all tracks equally loud, or each as it is. */
  match: (isOn: boolean) => void;
  /** What joins the two lanes; undefined: not here, or not yet. */
  joiner: () => AudioWorkletNode | undefined;
};

type AudioSessionNavigator = Navigator & { audioSession?: { type: string } };
type Lanes = {
  audio: HTMLAudioElement;
  elements: readonly [HTMLAudioElement, HTMLAudioElement];
  lane: () => number;
};
type Graph = { context: AudioContext; gains: readonly GainNode[]; joiner?: AudioWorkletNode };

/** Nothing has played for so long when the audio hardware may rest. */
const REST_MS = 3000;

/** Makes the loudness matching for two elements. Until it is wanted for the first time, the sound is not processed. */
export function createLoudness({ audio, elements, lane: heard }: Lanes, isMatched: boolean): Loudness {
  let isOn = isMatched;
  const gainsDb = [0, 0];
  let graph: Graph | undefined;
  let rest: ReturnType<typeof setTimeout> | undefined;

  const levelOf = (lane: number) => (isOn ? 10 ** ((gainsDb[lane] ?? 0) / 20) : 1);
  const apply = (lane: number) => {
    const gain = graph?.gains[lane]?.gain;
    if (!graph || !gain) return;
    // A sudden change would click where it is heard.
    if (lane === heard()) gain.setTargetAtTime(levelOf(lane), graph.context.currentTime, 0.012);
    else gain.value = levelOf(lane);
  };
  const build = () => {
    if (graph || !isOn || !("AudioContext" in window)) return;
    // Otherwise a phone's silent switch would mute the music.
    const session = (navigator as AudioSessionNavigator).audioSession;
    if (session) session.type = "playback";
    graph = createGraph(elements, heard);
    for (const [lane, { gain }] of graph.gains.entries()) gain.value = levelOf(lane);
  };
  audio.addEventListener("play", () => {
    clearTimeout(rest);
    void graph?.context.resume();
  });
  audio.addEventListener("pause", () => {
    clearTimeout(rest);
    rest = setTimeout(() => {
      if (elements.every(({ paused }) => paused)) void graph?.context.suspend();
    }, REST_MS);
  });

  return {
    begin: () => {
      build();
      void graph?.context.resume();
    },
    setGain: (next, lane = heard()) => {
      gainsDb[lane] = next;
      apply(lane);
    },
    match: (next) => {
      isOn = next;
      if (!audio.paused) build();
      for (const lane of gainsDb.keys()) apply(lane);
    },
    joiner: () => graph?.joiner,
  };
}

function createGraph(elements: readonly HTMLAudioElement[], heard: () => number): Graph {
  const context = new AudioContext({ latencyHint: "playback" });
  // As late as the joiner, so that it can take over from here without a click.
  const direct = new DelayNode(context, { delayTime: LOOK / context.sampleRate });
  direct.connect(context.destination);
  const gains = elements.map((element) => {
    const gain = context.createGain();
    context.createMediaElementSource(element).connect(gain).connect(direct);
    return gain;
  });
  const graph: Graph = { context, gains };
  void addJoiner(graph, direct, heard).catch(() => undefined);
  return graph;
}

/** Without a secure context, browsers have no worklets. */
async function addJoiner(graph: Graph, direct: DelayNode, heard: () => number): Promise<void> {
  const { context, gains } = graph;
  const own = document.querySelector<HTMLScriptElement>("script[src*='/assets/']")?.src;
  if (!("audioWorklet" in context) || own === undefined) return;
  await context.audioWorklet.addModule(new URL("joiner.js", own));
  const joiner = new AudioWorkletNode(context, "joiner", {
    numberOfInputs: 2,
    outputChannelCount: [2],
    processorOptions: { lane: heard() },
  });
  joiner.connect(context.destination);
  for (const [lane, gain] of gains.entries()) {
    gain.disconnect(direct);
    gain.connect(joiner, 0, lane);
  }
  graph.joiner = joiner;
}
