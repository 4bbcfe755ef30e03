/** Returns the inverse of a symmetric matrix whose eigenvalues are above zero. */
export function inverseOf(matrix: readonly Float64Array[]): Float64Array[] {
  const size = matrix.length;
  const left = matrix.map((row) => row.slice());
  const right = matrix.map((_, i) => Float64Array.from({ length: size }, (_, j) => (i === j ? 1 : 0)));
  for (let at = 0; at < size; at++) {
    const [pivotLeft, pivotRight] = [left[at], right[at]];
    if (!pivotLeft || !pivotRight) break;
    const pivot = pivotLeft[at] ?? 1;
    scale(pivotLeft, 1 / pivot);
    scale(pivotRight, 1 / pivot);
    for (let row = 0; row < size; row++) {
      const [rowLeft, rowRight] = [left[row], right[row]];
      if (row === at || !rowLeft || !rowRight) continue;
      const factor = rowLeft[at] ?? 0;
      subtract(rowLeft, pivotLeft, factor);
      subtract(rowRight, pivotRight, factor);
    }
  }
  return right;
}

function scale(row: Float64Array, factor: number): void {
  for (let i = 0; i < row.length; i++) row[i] = (row[i] ?? 0) * factor;
}

function subtract(row: Float64Array, other: Float64Array, factor: number): void {
  for (let i = 0; i < row.length; i++) row[i] = (row[i] ?? 0) - factor * (other[i] ?? 0);
}
