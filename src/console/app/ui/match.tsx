/** @jsxRuntime automatic @jsxImportSource preact */

/** How well something fits what was asked for, from 0 to 1, as a bar. */
export function Match({ score }: { score: number }) {
  const percent = Math.round(100 * score);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a <meter> cannot be drawn alike in all browsers
    <span
      role="meter"
      class="match"
      aria-label="Match"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      aria-valuetext={`${percent} of 100, ${inWords(score)}`}
    >
      <span style={{ width: `${percent}%` }} />
    </span>
  );
}

function inWords(score: number): string {
  if (score >= 0.75) return "a very good match";
  if (score >= 0.5) return "a good match";
  return score >= 0.25 ? "a fair match" : "a weak match";
}
