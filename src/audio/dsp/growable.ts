/** A list of numbers that grows by a quarter: four bytes a value, for summaries of a stream of unknown length. */
export type GrowableFloats = {
  push(value: number): void;
  /** A view of the pushed values; valid until the next push. */
  view(): Float32Array;
};

/** Returns an empty list of 32-bit floats. */
export function createGrowableFloats(initialCapacity = 1024): GrowableFloats {
  let values = new Float32Array(initialCapacity);
  let length = 0;
  return {
    push(value) {
      if (length === values.length) {
        const bytes = Math.ceil(values.length * 1.25) * Float32Array.BYTES_PER_ELEMENT;
        // Frees the smaller buffer at once: the garbage collector would let several of them pile up.
        values = new Float32Array(values.buffer.transfer(bytes));
      }
      values[length++] = value;
    },
    view: () => values.subarray(0, length),
  };
}
