/** Two elements that play by turns and look like one. */
export type Pair = {
  /** Whichever of the two is heard: it has that one's state and events. */
  readonly audio: HTMLAudioElement;
  readonly elements: readonly [HTMLAudioElement, HTMLAudioElement];
  /** The number of the one that is heard. */
  lane: () => 0 | 1;
  /** The element that is not heard. */
  other: () => HTMLAudioElement;
  /** Hears the other from now on, which plays already. */
  swap: () => void;
};

/** What both have in common. */
const SHARED: readonly PropertyKey[] = ["volume", "muted", "playbackRate", "defaultPlaybackRate"];
/** What an element says of a file that begins to play. */
const BEGINS = ["emptied", "loadstart", "durationchange", "play", "playing", "timeupdate"];

export function createPair(): Pair {
  const elements = [new Audio(), new Audio()] as const;
  for (const element of elements) element.preload = "none";
  let lane: 0 | 1 = 0;
  const listen = (name: string, listener: (event: Event) => void) => {
    for (const element of elements)
      element.addEventListener(name, (event) => {
        if (element === elements[lane]) listener(event);
      });
  };
  const audio = new Proxy(elements[0], {
    get: (_, key) => {
      if (key === "addEventListener") return listen;
      const value: unknown = Reflect.get(elements[lane], key);
      return typeof value === "function" ? value.bind(elements[lane]) : value;
    },
    set: (_, key, value) => {
      const changed = SHARED.includes(key) ? elements : [elements[lane]];
      return changed.every((element) => Reflect.set(element, key, value));
    },
  });
  return {
    audio,
    elements,
    lane: () => lane,
    other: () => elements[lane === 0 ? 1 : 0],
    swap: () => {
      lane = lane === 0 ? 1 : 0;
      for (const name of BEGINS) elements[lane].dispatchEvent(new Event(name));
    },
  };
}
