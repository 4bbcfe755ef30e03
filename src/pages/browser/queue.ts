/** A track, as the page's attributes describe it. */
export type Track = {
  id: string;
  /** The version that plays. */
  version: string;
  src: string;
  wave: string;
  /** Undefined for a track that is not analysed, until the browser knows. */
  seconds: number | undefined;
  /** True while the server analyses it. */
  isPending: boolean;
  /** In dB. */
  gain: number;
  title: string;
  artist: string;
  picture: string | undefined;
  /** Its row, or the whole page for a single track. */
  row: HTMLElement;
  /** What it is called, when it is an earlier version than the one that the page plays. */
  earlier?: string;
};

/** Reads the tracks of the page, in order. */
export function readQueue(): Track[] {
  return readTracks(document.querySelectorAll<HTMLElement>("[data-track]"));
}

/** Reads the tracks of some rows; a row without a track is skipped. */
export function readTracks(rows: Iterable<HTMLElement>): Track[] {
  return [...rows]
    .filter(({ dataset }) => dataset.track !== undefined)
    .map((row) => {
      const {
        track = "",
        version = "",
        wave = "",
        seconds,
        pending,
        gain,
        title = "",
        artist = "",
        picture,
      } = row.dataset;
      return {
        id: track,
        version,
        src: sourceOf(row.dataset),
        wave,
        seconds: seconds === undefined ? undefined : Number(seconds),
        isPending: pending !== undefined,
        gain: Number(gain ?? 0),
        title,
        artist,
        picture,
        row,
      };
    });
}

/** Returns an earlier version of a track, if the page lets its visitor compare it. */
export function readEarlier(now: Track, version: string): Track | undefined {
  const place = document.querySelector<HTMLElement>(`[data-earlier="${CSS.escape(version)}"]`);
  if (!place) return undefined;
  const { wave = "", seconds, gain, label = "" } = place.dataset;
  return {
    ...now,
    version,
    src: sourceOf(place.dataset),
    wave,
    seconds: seconds === undefined ? undefined : Number(seconds),
    gain: Number(gain ?? 0),
    isPending: false,
    earlier: label,
  };
}

/** Where there are two, the first is what this browser says that it may play, or the second is taken. */
function sourceOf({ src = "", type, else: other }: DOMStringMap): string {
  if (type === undefined || other === undefined) return src;
  return document.createElement("audio").canPlayType(type) === "" ? other : src;
}

/** Returns the places of the comments on a track. They are those in the version that the page plays. */
export function marksOf({ id, earlier }: Track): HTMLElement[] {
  return earlier === undefined
    ? [...document.querySelectorAll<HTMLElement>(`[data-of="${CSS.escape(id)}"]`)]
    : [];
}
