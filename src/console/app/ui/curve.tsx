/** @jsxRuntime automatic @jsxImportSource preact */

/** The line keeps its width at the top. */
const MOST = 97;

/** A curve in steps, as wide and high as its box: a slice was heard or it was not. For the eye alone. */
export function Curve({ shares }: { shares: readonly number[] }) {
  const steps = shares.map(
    (share, slice) => `${slice === 0 ? "M0 " : "V"}${100 - MOST * share}H${slice + 1}`,
  );
  const line = steps.join("");
  return (
    <svg class="curve" viewBox={`0 0 ${shares.length} 100`} preserveAspectRatio="none" aria-hidden="true">
      <path class="curve-area" d={`${line}V100H0Z`} />
      <path class="curve-line" d={line} vector-effect="non-scaling-stroke" />
    </svg>
  );
}
