/** Measures how much of a recording lies away from the centre. */
export type StereoMeter = {
  push(planes: readonly Float32Array[], count: number): void;
  /** Share of side energy in mid and side together, 0 (mono) to 1 (out of phase). */
  finish(): number;
};

/** Builds a width meter over the first two channels. */
export function createStereoMeter(): StereoMeter {
  let side = 0;
  let all = 0;
  return {
    push([left, right], count) {
      if (!left || !right) return;
      for (let i = 0; i < count; i++) {
        const l = left[i] as number;
        const r = right[i] as number;
        side += (l - r) * (l - r);
        all += l * l + r * r;
      }
    },
    finish: () => (all > 0 ? side / (2 * all) : 0),
  };
}
