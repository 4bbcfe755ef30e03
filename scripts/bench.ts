/**
 * Prints how fast the program is, each figure beside its yardstick from the same run.
 *
 * usage: bun scripts/bench.ts [http] [upload] [start] [analysis] [analytics] [search] [tools] [paging] [webhooks] [pages] [--quick] [--file SOUND_FILE] [--million]
 * Without a section: all of them, about twelve minutes. --quick: seconds, for a look. --file: analysed as well.
 * --million: searches among a million tracks too, ten minutes more and eight gigabytes of temporary files.
 */
import { parseArgs } from "node:util";
import type { Figure } from "./bench/figures.ts";

/** What a section may be told. */
type SectionOptions = { quick: boolean; file: string | undefined; million: boolean };

const SECTIONS: Readonly<Record<string, (options: SectionOptions) => Promise<Figure[]>>> = {
  http: async (options) => (await import("./bench/http.ts")).benchHttp(options),
  upload: async (options) => (await import("./bench/upload.ts")).benchUpload(options),
  start: async (options) => (await import("./bench/start.ts")).benchStart(options),
  analysis: async (options) => (await import("./bench/analysis.ts")).benchAnalysis(options),
  analytics: async ({ quick }) =>
    (await import("./bench-analytics.ts")).benchAnalytics({ quick, even: false }),
  search: async (options) => (await import("./bench/search.ts")).benchSearch(options),
  tools: async (options) => (await import("./bench/tools.ts")).benchTools(options),
  paging: async (options) => (await import("./bench/paging.ts")).benchPaging(options),
  webhooks: async (options) => (await import("./bench/webhooks.ts")).benchWebhooks(options),
  pages: async (options) => (await import("./bench/pages.ts")).benchPages(options),
};

/** Processes that the sections start: clients and yardsticks, which must not share a thread with what is measured. */
const HELPERS: Readonly<Record<string, (options: never) => Promise<unknown>>> = {
  "analysis-memory": async (options) => (await import("./bench/analysis-memory.ts")).analysisMemory(options),
  load: async (options) => (await import("./bench/load.ts")).load(options),
  "raw-server": async (options) => (await import("./bench/raw-server.ts")).rawServer(options),
  "search-load": async (options) => (await import("./bench/search-load.ts")).searchLoad(options),
  "echo-server": async (options) => (await import("./bench/echo-server.ts")).echoServer(options),
  send: async (options) => (await import("./bench/send.ts")).send(options),
  copy: async (options) => (await import("./bench/copy.ts")).copy(options),
  receivers: async (options) => (await import("./bench/receivers.ts")).receivers(options),
};

const [first, helper = "", json = "{}"] = Bun.argv.slice(2);
if (first === "--helper") {
  const result = await HELPERS[helper]?.(JSON.parse(json) as never);
  if (result !== undefined) {
    console.log(JSON.stringify(result));
    process.exit(0);
  }
} else {
  await bench();
  process.exit(0);
}

async function bench(): Promise<void> {
  const { values, positionals } = parseArgs({
    args: Bun.argv.slice(2),
    options: {
      quick: { type: "boolean", default: false },
      file: { type: "string" },
      million: { type: "boolean", default: false },
    },
    allowPositionals: true,
  });
  const names = positionals.length > 0 ? positionals : Object.keys(SECTIONS);
  const unknown = names.filter((name) => !SECTIONS[name]);
  if (unknown.length > 0) throw new Error(`unknown section ${unknown}: ${Object.keys(SECTIONS).join(", ")}`);
  const { table } = await import("./bench/figures.ts");
  for (const name of names) {
    const figures =
      (await SECTIONS[name]?.({ quick: values.quick, file: values.file, million: values.million })) ?? [];
    console.log(`${name}\n${table(figures)}\n`);
  }
}
