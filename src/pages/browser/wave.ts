import { clock, wavePath, waveX } from "../waveform.ts";
import { byId } from "./dom.ts";
import type { Track } from "./queue.ts";

/** The waveform and the times below it. */
export type Wave = {
  /** Shows another track: its outline comes from the server, once. */
  show: (track: Track) => void;
  setTime: (elapsedSec: number, durationSec: number) => void;
  /** Puts the marks of what was said about the track on show. */
  mark: (track: Track, durationSec: number) => void;
};

/** Takes hold of the waveform that the server drew; the first track's is there. */
export function createWave(first: Track): Wave {
  const pictures = [byId("wave-path"), byId("wave-path-played")];
  const draw = (path: string) => {
    for (const picture of pictures) picture.setAttribute("d", path);
  };
  const paths = new Map([[first.wave, Promise.resolve(byId("wave-path").getAttribute("d") ?? "")]]);
  const seek = byId<HTMLInputElement>("seek");
  let shown = first.wave;

  const pathOf = (wave: string): Promise<string> => {
    const known = paths.get(wave) ?? fetchPath(wave);
    paths.set(wave, known);
    return known;
  };
  return {
    show: ({ wave }) => {
      if (wave === shown) return;
      shown = wave;
      draw(wavePath(new Int8Array()));
      void pathOf(wave).then((drawn) => {
        if (shown === wave) draw(drawn);
      });
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
      const said = document.querySelectorAll<HTMLElement>(`[data-of="${CSS.escape(track.id)}"]`);
      const places = [...said].flatMap(({ dataset }) => waveX(Number(dataset.at), durationSec) ?? []);
      byId("wave-marks").setAttribute("d", places.map((x) => `M${x} 97h.01`).join(""));
    },
  };
}

/** A track without an outline keeps its flat line. */
async function fetchPath(wave: string): Promise<string> {
  try {
    const answer = await fetch(wave);
    return wavePath(new Int8Array(answer.ok ? await answer.arrayBuffer() : new ArrayBuffer(0)));
  } catch {
    return wavePath(new Int8Array());
  }
}
