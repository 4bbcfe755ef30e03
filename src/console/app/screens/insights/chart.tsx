/** @jsxRuntime automatic @jsxImportSource preact */
import { type Signal, useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { href } from "../../first-data.ts";
import { setSearch } from "../../router.ts";
import { InNumbers } from "../../ui/in-numbers.tsx";
import { counted, grouped } from "../../ui/numbers.ts";
import { usePointer } from "../../ui/pointer.ts";
import { daysOf, type Insights, type Step } from "./insights.ts";

/** The part of its place that a bar fills. */
const BAR = 0.76;

type ChartProps = { insights: Insights; isCompared: boolean };

/** How often the music was played on each day: bars, the days before as a line, and the numbers as a table. */
export function Chart({ insights, isCompared }: ChartProps) {
  const { series, range, totals } = insights;
  const at = useSignal<number | undefined>(undefined);
  const hasBefore = isCompared && insights.before !== null;
  const most = Math.max(
    1,
    ...series.map(({ plays, playsBefore }) => mostOf(plays, hasBefore ? playsBefore : 0)),
  );
  const name = `Plays per ${range.by}`;
  const [first, last] = [series[0], series.at(-1)];
  return (
    <figure class="insight-chart" aria-label={name}>
      <figcaption class="insight-chart-head">
        <h2>{name}</h2>
        <Readout series={series} at={at} total={totals.plays} hasBefore={hasBefore} />
      </figcaption>
      <Bars series={series} most={most} hasBefore={hasBefore} at={at} />
      <div class="axis" aria-hidden="true">
        <span>{first && daysOf({ from: first.from, to: first.from })}</span>
        {hasBefore && <span class="insight-legend">previous period</span>}
        <span>{last && last !== first && daysOf({ from: last.to, to: last.to })}</span>
      </div>
      <Numbers series={series} name={name} hasBefore={hasBefore} />
    </figure>
  );
}

const mostOf = (plays: number, before: number | null) => Math.max(plays, before ?? 0);

type ReadoutProps = {
  series: readonly Step[];
  at: Signal<number | undefined>;
  total: number;
  hasBefore: boolean;
};

/** What the bar under the pointer stands for. */
function Readout({ series, at, total, hasBefore }: ReadoutProps) {
  const step = at.value === undefined ? undefined : series[at.value];
  if (!step) return <span class="insight-readout">{counted(total, "play")} · UTC days</span>;
  return (
    <span class="insight-readout">
      {daysOf(step)}: {counted(step.plays, "play")}
      {hasBefore && step.playsBefore !== null && `, before ${grouped(step.playsBefore)}`}
    </span>
  );
}

type BarsProps = {
  series: readonly Step[];
  most: number;
  hasBefore: boolean;
  at: Signal<number | undefined>;
};

/** The picture. It is for the pointer; the table says the same to everyone. */
function Bars({ series, most, hasBefore, at }: BarsProps) {
  const box = useRef<HTMLDivElement>(null);
  const indexOf = (share: number) => Math.min(series.length - 1, Math.floor(share * series.length));
  usePointer(box, {
    onMove: (share) => {
      at.value = share === undefined ? undefined : indexOf(share);
    },
    onPick: (share) => {
      const step = series[indexOf(share)];
      if (step) setSearch({ since: step.from, until: step.to });
    },
  });
  const heightOf = (count: number) => (100 * count) / most;
  const line = series.map(({ playsBefore }, index) => {
    const y = 100 - heightOf(playsBefore ?? 0);
    return `${index === 0 ? "M0 " : "V"}${y}H${index + 1}`;
  });
  return (
    <div ref={box} class="insight-bars" aria-hidden="true">
      <span class="insight-most">{grouped(most)}</span>
      {/* biome-ignore lint/a11y/noSvgWithoutTitle: the box around it is hidden from readers */}
      <svg viewBox={`0 0 ${series.length} 100`} preserveAspectRatio="none">
        {series.map(({ from, plays }, index) => (
          <rect
            key={from}
            class={at.value === index ? "insight-bar insight-bar-on" : "insight-bar"}
            x={index + (1 - BAR) / 2}
            y={100 - heightOf(plays)}
            width={BAR}
            height={heightOf(plays)}
          />
        ))}
        {hasBefore && <path class="insight-before" d={line.join("")} vector-effect="non-scaling-stroke" />}
      </svg>
    </div>
  );
}

/** The chart in numbers, folded. Each line leads to its days alone. */
function Numbers({ series, name, hasBefore }: { series: readonly Step[]; name: string; hasBefore: boolean }) {
  // The year is needed where there are several.
  const isOneYear = series[0]?.from.slice(0, 4) === series.at(-1)?.to.slice(0, 4);
  return (
    <InNumbers
      of={name}
      label={name}
      columns={["Days", "Plays", ...(hasBefore ? ["Before"] : []), "Views", "Downloads", "Comments"]}
    >
      {series.map((step) => (
        <tr key={step.from}>
          <th scope="row">
            <a class="tap" href={href(`/library/insights?since=${step.from}&until=${step.to}`)}>
              {daysOf(step, !isOneYear)}
            </a>
          </th>
          <td>{grouped(step.plays)}</td>
          {hasBefore && <td>{grouped(step.playsBefore ?? 0)}</td>}
          <td>{grouped(step.views)}</td>
          <td>{grouped(step.downloads)}</td>
          <td>{grouped(step.comments)}</td>
        </tr>
      ))}
    </InNumbers>
  );
}
