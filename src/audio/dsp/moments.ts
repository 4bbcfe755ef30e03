/** Running statistics of a stream of vectors. */
export type Moments = {
  push(values: Float64Array): void;
  /** Statistics of each dimension; all zeros for fewer than two vectors. */
  finish(): { count: number; mean: Float64Array; deviation: Float64Array; deltaDeviation: Float64Array };
};

/** Builds a meter of mean, standard deviation, and root mean square of the step from one vector to the next. */
export function createMoments(dimensions: number): Moments {
  const mean = new Float64Array(dimensions);
  const squares = new Float64Array(dimensions);
  const steps = new Float64Array(dimensions);
  const previous = new Float64Array(dimensions);
  let count = 0;

  return {
    push(values) {
      count++;
      for (let i = 0; i < dimensions; i++) {
        const value = values[i] as number;
        const before = value - (mean[i] as number);
        mean[i] = (mean[i] as number) + before / count;
        squares[i] = (squares[i] as number) + before * (value - (mean[i] as number));
        if (count > 1) steps[i] = (steps[i] as number) + (value - (previous[i] as number)) ** 2;
        previous[i] = value;
      }
    },
    finish: () => ({
      count,
      mean,
      deviation: squares.map((sum) => Math.sqrt(sum / Math.max(1, count))),
      deltaDeviation: steps.map((sum) => Math.sqrt(sum / Math.max(1, count - 1))),
    }),
  };
}
