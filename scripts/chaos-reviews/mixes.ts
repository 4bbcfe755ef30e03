import type { Stereo } from "../../src/demo/dsp/audio.ts";
import { mixPiece } from "../../src/demo/mix.ts";
import { DEMO_PIECES } from "../../src/demo/pieces.ts";
import { encodeWav } from "../../src/demo/wav.ts";

const RATE_HZ = 44_100;
/** Long enough for every kind of edit to be found. */
export const SONG_SEC = 24;

/** Returns a function that makes a mix of a piece: each is edited in another way, and no two have the same bytes. */
export function createMixes(): (song: number, version: number) => File {
  const songs = DEMO_PIECES.slice(0, 2).map((piece) => {
    const { left, right } = mixPiece(piece);
    return { left: left.slice(0, SONG_SEC * RATE_HZ), right: right.slice(0, SONG_SEC * RATE_HZ) };
  });
  return (song, version) => {
    const audio = songs[song % songs.length];
    if (!audio) throw new RangeError("There is no such song");
    const bytes = encodeWav(edited(audio, version), []) as Uint8Array<ArrayBuffer>;
    return new File([bytes], `song ${song} v${version + 1}.wav`);
  };
}

/** The first is the song; of the others every other one begins later, the rest lack a passage. */
function edited({ left, right }: Stereo, version: number): Stereo {
  const gain = 0.6 + 0.01 * version;
  const [from, to] =
    version === 0 ? [0, 0] : version % 2 === 1 ? [0, 0.25 * version] : [6, 6 + 0.5 * version];
  const edit = (samples: Float32Array) => {
    const [first, last] = [Math.round(from * RATE_HZ), Math.round(to * RATE_HZ)];
    return Float32Array.from([...samples.subarray(0, first), ...samples.subarray(last)], (x) => gain * x);
  };
  return { left: edit(left), right: edit(right) };
}
