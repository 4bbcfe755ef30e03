/** A track as lists know it. */
export type PlayerTrack = {
  id: string;
  title: string;
  artist: string | null;
  cover: string | null;
  /** Left out: the active version. */
  versionId?: string;
  /** What matches the loudness of the album that it is played in, in dB; left out: its own loudness is matched. */
  albumGainDb?: number;
};

/** A track in the queue; `key` tells two of the same apart. `title` is empty until it is known, after a reload. */
export type Entry = PlayerTrack & { key: number };

/** A list that is played from. */
export type ListSource = {
  /** Tells lists apart: its address. */
  key: string;
  /** Where it goes on: the query of `GET /app/tracks`, and the position of the first row that is not in the queue. */
  more?: { query: string; position: number };
};

/** The tracks that play, have played and will play. */
export type QueueState = {
  current: Entry | undefined;
  past: readonly Entry[];
  /** What the person put in, ahead of the list. */
  added: readonly Entry[];
  /** What follows in the list. */
  rest: readonly Entry[];
  source: ListSource | undefined;
};

export const EMPTY: QueueState = { current: undefined, past: [], added: [], rest: [], source: undefined };

const MAX_PAST = 100;

let lastKey = 0;

/** Makes entries of tracks. */
export const toEntries = (tracks: readonly PlayerTrack[]): Entry[] =>
  tracks.map((track) => ({ ...track, key: ++lastKey }));

/** Plays a list from one of its tracks on. Added tracks stay ahead of the list. */
export function begin(
  state: QueueState,
  { tracks, index, source }: { tracks: readonly PlayerTrack[]; index: number; source: ListSource },
): QueueState {
  const entries = toEntries(tracks);
  return {
    current: entries[index],
    past: entries.slice(Math.max(0, index - MAX_PAST), index),
    added: state.added,
    rest: entries.slice(index + 1),
    source,
  };
}

/** Goes on to the next track; undefined: there is none. */
export function forward(state: QueueState): QueueState | undefined {
  const [next] = [...state.added, ...state.rest];
  if (!next) return undefined;
  const past = state.current ? [...state.past, state.current].slice(-MAX_PAST) : state.past;
  return { ...without(state, next.key), current: next, past };
}

/** Goes back to the track before; undefined: there is none. */
export function backward(state: QueueState): QueueState | undefined {
  const before = state.past.at(-1);
  if (!before) return undefined;
  const rest = state.current ? [state.current, ...state.rest] : state.rest;
  return { ...state, current: before, past: state.past.slice(0, -1), rest };
}

/** Jumps to a track that is up next; the tracks ahead of it are skipped. */
export function jump(state: QueueState, key: number): QueueState {
  const upNext = [...state.added, ...state.rest];
  const at = upNext.findIndex((entry) => entry.key === key);
  const skipped = new Set(upNext.slice(0, at).map((entry) => entry.key));
  const kept = (entries: readonly Entry[]) => entries.filter((entry) => !skipped.has(entry.key));
  return forward({ ...state, added: kept(state.added), rest: kept(state.rest) }) ?? state;
}

/** Takes a track out of "Up next". */
export function without(state: QueueState, key: number): QueueState {
  const kept = (entries: readonly Entry[]) => entries.filter((entry) => entry.key !== key);
  return { ...state, added: kept(state.added), rest: kept(state.rest) };
}

/** Takes a track out wherever it is, because it was deleted. */
export function withoutTrack(state: QueueState, id: string): QueueState {
  const kept = (entries: readonly Entry[]) => entries.filter((entry) => entry.id !== id);
  return { ...state, past: kept(state.past), added: kept(state.added), rest: kept(state.rest) };
}

/** Moves a track within "Up next" by one place. It then counts as added by the person. */
export function moved(state: QueueState, key: number, by: 1 | -1): QueueState {
  const upNext = [...state.added, ...state.rest];
  const at = upNext.findIndex((entry) => entry.key === key);
  const to = at + by;
  const entry = upNext[at];
  if (!entry || to < 0 || to >= upNext.length) return state;
  upNext.splice(at, 1);
  upNext.splice(to, 0, entry);
  const addedCount = Math.max(state.added.length, Math.min(to, at) + 1);
  return { ...state, added: upNext.slice(0, addedCount), rest: upNext.slice(addedCount) };
}

type Names = { title: string; artist: string };

/** Names entries of which only the id was known; a track without a name is gone, and left out. */
export function withTitles(state: QueueState, names: ReadonlyMap<string, Names | undefined>): QueueState {
  const named = (entries: readonly Entry[]) =>
    entries.flatMap((entry) => {
      if (entry.title !== "" || !names.has(entry.id)) return [entry];
      const found = names.get(entry.id);
      return found ? [{ ...entry, ...found }] : [];
    });
  return { ...state, added: named(state.added), rest: named(state.rest) };
}
