import { clock, wavePath, waveX } from "../waveform.ts";
import { byId } from "./dom.ts";
import { marksOf, type Track } from "./queue.ts";

/** The waveform and the times below it. */
export type Wave = {
  /** Shows a track. Its outline is fetched from the server. */
  show: (track: Track) => void;
  /** Fetches the outline of a track again. */
  refresh: (track: Track) => void;
  setTime: (elapsedSec: number, durationSec: number) => void;
  /** Shows the marks of the track's comments. */
  mark: (track: Track, durationSec: number) => void;
};

const FLAT = wavePath(new Int8Array());

/** Takes over the waveform that the server drew for the first track. */
export function createWave(first: Track): Wave {
  const pictures = [byId("wave-path"), byId("wave-path-played")];
  const draw = (path: string) => {
    for (const picture of pictures) picture.setAttribute("d", path);
  };
  const paths = new Map<string, Promise<string | undefined>>();
  paths.set(first.wave, Promise.resolve(byId("wave-path").getAttribute("d") ?? ""));
  const seek = byId<HTMLInputElement>("seek");
  let shown = first.wave;

  const pathOf = async (wave: string): Promise<string> => {
    const asked = paths.get(wave) ?? fetchPath(wave);
    paths.set(wave, asked);
    const path = await asked;
    if (path !== undefined) return path;
    paths.delete(wave);
    if (shown === wave) shown = "";
    return FLAT;
  };
  const show = ({ wave }: Track) => {
    if (wave === shown) return;
    shown = wave;
    draw(FLAT);
    void pathOf(wave).then((drawn) => {
      if (shown === wave) draw(drawn);
    });
  };
  return {
    show,
    refresh: (track) => {
      paths.delete(track.wave);
      shown = "";
      show(track);
    },
    setTime: (elapsedSec, durationSec) => {
      const share = durationSec > 0 ? Math.min(1, elapsedSec / durationSec) : 0;
      byId("wave").style.setProperty("--played", `${100 * share}%`);
      byId("elapsed").textContent = clock(elapsedSec);
      byId("total").textContent = durationSec > 0 ? clock(durationSec) : "";
      seek.max = String(Math.max(1, durationSec));
      seek.value = String(elapsedSec);
      seek.setAttribute("aria-valuetext", `${clock(elapsedSec)} of ${clock(durationSec)}`);
    },
    mark: (track, durationSec) => {
      const places = marksOf(track).flatMap(({ dataset }) => waveX(Number(dataset.at), durationSec) ?? []);
      byId("wave-marks").setAttribute("d", places.map((x) => `M${x} 97h.01`).join(""));
    },
  };
}

/** Returns a track's outline; a track without one gets a flat line. Undefined: it could not be fetched now. */
async function fetchPath(wave: string): Promise<string | undefined> {
  try {
    const answer = await fetch(wave);
    if (answer.status === 404) return FLAT;
    return answer.ok ? wavePath(new Int8Array(await answer.arrayBuffer())) : undefined;
  } catch {
    return undefined;
  }
}
