/** What distinguishes the samples of a metric. Values come from short lists: never an id, an address or a name. */
export type Labels = Readonly<Record<string, string>>;

/** One number of a metric. */
export type Sample = readonly [labels: Labels, value: number];

/** A metric that is counted as things happen. */
export type Counter = {
  add: (labels: Labels, by?: number) => void;
  text: () => string;
};

/** How often a value was in each range, and the sum of all values. */
export type Histogram = {
  observe: (labels: Labels, value: number) => void;
  text: () => string;
};

/** Upper ends of the ranges of durations, seconds. */
export const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;
/** For jobs, which take from a moment to minutes. */
export const LONG_SECONDS = [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600] as const;

/** Makes a counter. The labels of `start` are there from the beginning, with zero: an alert can tell zero from no server. */
export function createCounter(name: string, help: string, start: readonly Labels[] = []): Counter {
  const samples = new Map<string, number>(start.map((labels) => [labelText(labels), 0]));
  return {
    add(labels, by = 1) {
      const key = labelText(labels);
      samples.set(key, (samples.get(key) ?? 0) + by);
    },
    text: () =>
      lines(
        name,
        help,
        "counter",
        [...samples].map(([key, value]) => `${name}${key} ${value}`),
      ),
  };
}

type Cells = { labels: Labels; counts: number[]; sum: number; count: number };

/** Makes a histogram with the given upper ends of its ranges; `start` as for {@link createCounter}. */
export function createHistogram(
  name: string,
  help: string,
  ends: readonly number[],
  start: readonly Labels[] = [],
): Histogram {
  const empty = (labels: Labels): Cells => ({ labels, counts: ends.map(() => 0), sum: 0, count: 0 });
  const cells = new Map<string, Cells>(start.map((labels) => [labelText(labels), empty(labels)]));
  return {
    observe(labels, value) {
      const key = labelText(labels);
      const cell = cells.get(key) ?? empty(labels);
      cells.set(key, cell);
      const at = ends.findIndex((end) => value <= end);
      if (at !== -1) cell.counts[at] = (cell.counts[at] ?? 0) + 1;
      cell.sum += value;
      cell.count++;
    },
    text: () =>
      lines(
        name,
        help,
        "histogram",
        [...cells.values()].flatMap((cell) => histogramLines(name, ends, cell)),
      ),
  };
}

function histogramLines(
  name: string,
  ends: readonly number[],
  { labels, counts, sum, count }: Cells,
): string[] {
  let below = 0;
  const buckets = ends.map((end, at) => {
    below += counts[at] ?? 0;
    return `${name}_bucket${labelText({ ...labels, le: String(end) })} ${below}`;
  });
  const own = labelText(labels);
  return [
    ...buckets,
    `${name}_bucket${labelText({ ...labels, le: "+Inf" })} ${count}`,
    `${name}_sum${own} ${sum}`,
    `${name}_count${own} ${count}`,
  ];
}

/** Writes a metric whose values are read when it is asked for. Without a value nothing is written. */
export function measured(
  name: string,
  help: string,
  samples: number | null | readonly Sample[],
  type: "gauge" | "counter" = "gauge",
): string {
  if (samples === null) return "";
  const list = typeof samples === "number" ? [[{}, samples] as const] : samples;
  return lines(
    name,
    help,
    type,
    list.map(([labels, value]) => `${name}${labelText(labels)} ${value}`),
  );
}

/** Writes a metric in the text format. @see https://prometheus.io/docs/instrumenting/exposition_formats/ */
function lines(name: string, help: string, type: string, samples: readonly string[]): string {
  if (samples.length === 0) return "";
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${samples.join("\n")}\n`;
}

function labelText(labels: Labels): string {
  let text = "";
  for (const name in labels) text += `${text === "" ? "{" : ","}${name}="${escaped(labels[name] ?? "")}"`;
  return text === "" ? "" : `${text}}`;
}

const escaped = (value: string): string =>
  /["\\\n]/.test(value) ? value.replace(/\\/g, "\\\\").replace(/"/g, '\\"').replace(/\n/g, "\\n") : value;
