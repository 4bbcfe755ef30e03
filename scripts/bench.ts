/**
 * Prints how fast the program is. Each figure comes with a yardstick from the same run.
 *
 * usage: bun scripts/bench.ts [http] [upload] [markers] [start] [analysis] [analytics] [search] [tools] [paging] [players] [pocket] [webhooks] [pages] [rounds] [bulk] [team] [carry] [mails] [ledger] [marking] [rails] [deliver] [console] [backup] [one-core] [--quick] [--file SOUND_FILE] [--million]
 *        bun scripts/bench.ts soak [--seconds N] [--tracks N]
 * Without a section: all but console, backup, one-core and soak, about twelve minutes. --quick: a rough look in seconds. --file: also analyses this file.
 * --million: also searches a million tracks, and a ledger of a million records; twelve more minutes and eight gigabytes of temporary files.
 * console: the owner's console in Chromium with 100,000 tracks, some five minutes. --data FOLDER keeps the library for
 * another run; --part NAME, which may be repeated, measures only that.
 * one-core: a whole analysis on one core, its memory, and the sizes of the program; needs taskset.
 * backup: a library of 10 GB beside tar of the same folder; it needs 35 GB of temporary files.
 * soak: ten minutes of mixed load on a hundred thousand tracks; fails on wrong answers and prints the first of them.
 */
import "./support/help.ts";
import { parseArgs } from "node:util";
import type { Figure } from "./bench/figures.ts";

/** Options of a section. */
type SectionOptions = {
  quick: boolean;
  file: string | undefined;
  million: boolean;
  seconds: number | undefined;
  tracks: number | undefined;
  data: string | undefined;
  part: readonly string[];
};

const SECTIONS: Readonly<Record<string, (options: SectionOptions) => Promise<Figure[]>>> = {
  http: async (options) => (await import("./bench/http.ts")).benchHttp(options),
  upload: async (options) => (await import("./bench/upload.ts")).benchUpload(options),
  start: async (options) => (await import("./bench/start.ts")).benchStart(options),
  analysis: async (options) => (await import("./bench/analysis.ts")).benchAnalysis(options),
  "one-core": async (options) => (await import("./bench/one-core.ts")).benchOneCore(options),
  analytics: async ({ quick }) =>
    (await import("./bench-analytics.ts")).benchAnalytics({ quick, even: false }),
  search: async (options) => (await import("./bench/search.ts")).benchSearch(options),
  tools: async (options) => (await import("./bench/tools.ts")).benchTools(options),
  paging: async (options) => (await import("./bench/paging.ts")).benchPaging(options),
  players: async (options) => (await import("./bench/players.ts")).benchPlayers(options),
  pocket: async (options) => (await import("./bench/pocket.ts")).benchPocket(options),
  webhooks: async (options) => (await import("./bench/webhooks.ts")).benchWebhooks(options),
  pages: async (options) => (await import("./bench/pages.ts")).benchPages(options),
  markers: async (options) => (await import("./bench/markers.ts")).benchMarkers(options),
  rounds: async (options) => (await import("./bench/rounds.ts")).benchRounds(options),
  bulk: async (options) => (await import("./bench/bulk.ts")).benchBulk(options),
  carry: async (options) => (await import("./bench/carry.ts")).benchCarry(options),
  mails: async (options) => (await import("./bench/mails.ts")).benchMails(options),
  ledger: async (options) => (await import("./bench/ledger.ts")).benchLedger(options),
  marking: async (options) => (await import("./bench/marking.ts")).benchMarking(options),
  rails: async (options) => (await import("./bench/rails.ts")).benchRails(options),
  deliver: async (options) => (await import("./bench/deliver.ts")).benchDeliver(options),
  team: async (options) => (await import("./bench/team.ts")).benchTeam(options),
  backup: async (options) => (await import("./bench/backup.ts")).benchBackup(options),
  console: async (options) => (await import("./bench/console.ts")).benchConsole(options),
  soak: async (options) => (await import("./bench/soak.ts")).benchSoak(options),
};
/** Sections that run only when they are named. */
const LONG = ["console", "backup", "soak", "one-core"];

/**
 * Processes that the sections start: clients and yardsticks, which must not share a thread with the measured
 * program.
 */
const HELPERS: Readonly<Record<string, (options: never) => Promise<unknown>>> = {
  "analysis-memory": async (options) => (await import("./bench/analysis-memory.ts")).analysisMemory(options),
  "one-core": async (options) => (await import("./bench/one-core.ts")).oneCore(options),
  load: async (options) => (await import("./bench/load.ts")).load(options),
  "raw-server": async (options) => (await import("./bench/raw-server.ts")).rawServer(options),
  "search-load": async (options) => (await import("./bench/search-load.ts")).searchLoad(options),
  "echo-server": async (options) => (await import("./bench/echo-server.ts")).echoServer(options),
  "soak-load": async (options) => (await import("./bench/soak-load.ts")).soakLoad(options),
  receive: async (options) => (await import("./bench/receive.ts")).receive(options),
  send: async (options) => (await import("./bench/send.ts")).send(options),
  copy: async (options) => (await import("./bench/copy.ts")).copy(options),
  sweep: async (options) => (await import("./chaos-mixed/sweep.ts")).sweep(options),
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
      seconds: { type: "string" },
      tracks: { type: "string" },
      data: { type: "string" },
      part: { type: "string", multiple: true, default: [] },
    },
    allowPositionals: true,
  });
  const all = Object.keys(SECTIONS).filter((name) => !LONG.includes(name));
  const names = positionals.length > 0 ? positionals : all;
  const unknown = names.filter((name) => !SECTIONS[name]);
  if (unknown.length > 0) throw new Error(`unknown section ${unknown}: ${Object.keys(SECTIONS).join(", ")}`);
  const { table } = await import("./bench/figures.ts");
  const [seconds, tracks] = [numberOf(values.seconds), numberOf(values.tracks)];
  const { quick, file, million, data, part } = values;
  for (const name of names) {
    const figures = (await SECTIONS[name]?.({ quick, file, million, seconds, tracks, data, part })) ?? [];
    console.log(`${name}\n${table(figures)}\n`);
  }
}

function numberOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (Number.isInteger(number) && number > 0) return number;
  throw new Error(`${text} is not a whole number above 0`);
}
