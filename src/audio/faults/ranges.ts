import { code, op } from "../../wasm/assemble.ts";
import { pairLoop } from "../dsp/pair-loop.ts";
import type { SampleRange } from "./clipping.ts";

const { get, set } = op;

const createLoop = pairLoop({
  kept: 3,
  body({ samples, kept }) {
    const [sum, high, low] = kept as [number, number, number];
    return code(
      code(get(sum), get(samples), op.addDoubles, set(sum)),
      code(get(high), get(samples), op.higherDoubles, set(high)),
      code(get(low), get(samples), op.lowerDoubles, set(low)),
    );
  },
});

/** Builds what returns, for each channel, the sum of its first `count` samples, the highest and the lowest; 0 where all are on the other side of it. */
export function createRanges(): (
  planes: readonly Float32Array[],
  count: number,
) => (SampleRange & { sum: number })[] {
  const { values, run } = createLoop();
  return (planes, count) => {
    const ranges = planes.map(() => ({ sum: 0, high: 0, low: 0 }));
    for (let channel = 0; channel < planes.length; channel += 2) {
      const first = planes[channel] as Float32Array;
      values.fill(0);
      run(first, planes[channel + 1] ?? first, 0, count);
      for (let beside = 0; beside < 2 && channel + beside < planes.length; beside++) {
        const [sum, high, low] = [0, 1, 2].map((i) => values[2 * i + beside]) as [number, number, number];
        ranges[channel + beside] = { sum, high, low };
      }
    }
    return ranges;
  };
}
