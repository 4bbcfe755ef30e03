/** @jsxRuntime automatic @jsxImportSource preact */
import { useComputed } from "@preact/signals";
import { clock as timeOf } from "../../player/time.ts";
import type { Clock } from "./clock.ts";
import type { Section } from "./queries.ts";
import type { WaveState } from "./wave-state.ts";

const SECTION_NAMES: Readonly<Record<Section["kind"], string>> = {
  intro: "Intro",
  "verse-like": "Verse-like",
  "chorus-like": "Chorus-like",
  break: "Break",
  end: "End",
  other: "Section",
};

type SectionsProps = { sections: readonly Section[]; clock: Clock; wave: WaveState };

/** The sections of a recording under its wave, which follow its zoom. Each moves to where it begins. */
export function Sections({ sections, clock, wave }: SectionsProps) {
  const spans = useComputed(() => {
    const { fromSec, secondsPerPx } = wave.current();
    const px = (sec: number) => Math.max(0, Math.min(wave.width.value, (sec - fromSec) / secondsPerPx));
    return sections.map(({ startSec, endSec }) => ({ left: px(startSec), width: px(endSec) - px(startSec) }));
  }).value;
  const now = useComputed(() =>
    sections.findLastIndex(({ startSec }) => startSec <= clock.positionSec.value),
  ).value;
  return (
    <ul class="wave-sections" aria-label="Sections">
      {sections.map(({ kind, startSec, endSec }, at) => {
        const { left = 0, width = 0 } = spans[at] ?? {};
        const words = `${SECTION_NAMES[kind]}, ${timeOf(startSec)} to ${timeOf(endSec)}`;
        return (
          <li key={startSec} style={{ left: `${left}px`, width: `${width}px` }} hidden={width < 1}>
            <button
              type="button"
              class={`wave-section is-${kind}`}
              aria-current={at === now ? "true" : undefined}
              aria-label={words}
              title={words}
              onClick={() => clock.moveTo(startSec)}
            >
              {SECTION_NAMES[kind]}
            </button>
          </li>
        );
      })}
    </ul>
  );
}
