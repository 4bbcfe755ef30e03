const INT16_MAX = 32_767;

/** Returns the scale of each column, and the values in its units, row by row. */
export function matrixBytes(values: Float32Array, columns: number): Buffer {
  const scales = new Float32Array(columns);
  for (const [i, value] of values.entries()) {
    const column = i % columns;
    scales[column] = Math.max(scales[column] ?? 0, Math.abs(value) / INT16_MAX);
  }
  const units = Int16Array.from(values, (value, i) => Math.round(value / (scales[i % columns] || 1)));
  return Buffer.concat([Buffer.from(scales.buffer), Buffer.from(units.buffer)]);
}
