/** A metric as Prometheus reads it. */
export type ParsedMetric = { type: string; help: string; samples: Map<string, number> };

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(\{.*\})? (-?[0-9.]+(?:e[+-]?\d+)?|[+-]Inf|NaN)$/;
const LABELS = /^\{[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*"(?:,[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*")*\}$/;

type Current = { name: string; metric: ParsedMetric };

/** Reads the text format, and throws at everything that a strict reader refuses. */
export function parseMetrics(text: string): Map<string, ParsedMetric> {
  if (!text.endsWith("\n")) throw new Error("The text must end with a line feed");
  const metrics = new Map<string, ParsedMetric>();
  let current: Current | undefined;
  for (const line of text.slice(0, -1).split("\n"))
    if (line.startsWith("# HELP ")) current = begin(line, metrics);
    else if (line.startsWith("# TYPE ")) setType(line, current);
    else addSample(line, current);
  for (const [name, metric] of metrics) checkHistogram(name, metric);
  return metrics;
}

function begin(line: string, metrics: Map<string, ParsedMetric>): Current {
  const [, name = "", help = ""] = /^# HELP (\S+) (.+)$/.exec(line) ?? [];
  if (!NAME.test(name) || metrics.has(name)) throw new Error(`Wrong or repeated name: ${line}`);
  const metric = { type: "", help, samples: new Map() };
  metrics.set(name, metric);
  return { name, metric };
}

function setType(line: string, current: Current | undefined): void {
  const [, name, type = ""] = /^# TYPE (\S+) (counter|gauge|histogram)$/.exec(line) ?? [];
  if (current?.name !== name || current?.metric.type !== "") throw new Error(`Misplaced: ${line}`);
  current.metric.type = type;
}

function addSample(line: string, current: Current | undefined): void {
  const [, name = "", labels = "", value] = SAMPLE.exec(line) ?? [];
  const base = current?.metric.type === "histogram" ? name.replace(/_(bucket|sum|count)$/, "") : name;
  if (!current || value === undefined || base !== current.name) throw new Error(`Misplaced: ${line}`);
  if (labels !== "" && !LABELS.test(labels)) throw new Error(`Malformed labels: ${line}`);
  const { samples } = current.metric;
  if (samples.has(name + labels)) throw new Error(`Twice: ${line}`);
  samples.set(name + labels, Number(value.replace("Inf", "Infinity")));
}

/** Buckets only grow, and the last holds everything. */
function checkHistogram(name: string, { type, samples }: ParsedMetric): void {
  if (type !== "histogram") return;
  const series = Map.groupBy(
    [...samples].filter(([key]) => key.startsWith(`${name}_bucket`)),
    ([key]) =>
      key
        .replace(/,?le="[^"]*"/, "")
        .replace(`${name}_bucket`, "")
        .replace("{}", ""),
  );
  for (const [labels, buckets] of series) {
    const counts = buckets.map(([, count]) => count);
    const isGrowing = counts.every((count, at) => at === 0 || count >= (counts[at - 1] ?? 0));
    const isWhole =
      buckets.at(-1)?.[0].includes('le="+Inf"') && samples.get(`${name}_count${labels}`) === counts.at(-1);
    if (!isGrowing || !isWhole) throw new Error(`Not a histogram: ${name}${labels}`);
  }
}
