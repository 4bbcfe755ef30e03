/**
 * Runs three Dubplates as if on three machines behind one proxy, one label on each, with the samples of `packaging/`:
 * uploads, resumable uploads, ranges, links, searches, tools and live events on all three. One machine loses its power;
 * then one label moves to another machine under its host name. Prints what was answered, as JSON lines.
 *
 * usage: bun scripts/three-boxes.ts [--proxy nginx|caddy] [--seconds 15] [--tracks 40]
 */
import "./support/help.ts";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { freePort } from "./rack/server.ts";
import { type Box, createBox } from "./three-boxes/boxes.ts";
import { call, createLabel, fingerprint, type Label, trackIds, upload } from "./three-boxes/label.ts";
import { type Load, startLoad } from "./three-boxes/load.ts";
import { type RunningProxy, START } from "./three-boxes/proxies.ts";

const { values } = parseArgs({
  args: Bun.argv.slice(2),
  options: {
    proxy: { type: "string", default: "nginx" },
    seconds: { type: "string", default: "15" },
    tracks: { type: "string", default: "40" },
  },
});
const HOSTS = ["ana.example.com", "bo.example.com", "cy.example.com"] as const;
const phaseMs = Number(values.seconds) * 1000;
const print = (row: object) => console.log(JSON.stringify(row));

type Label3 = { label: Label; box: Box; load: Load };

/** Prints what each label saw since the last time. */
function report(phase: string, labels: readonly Label3[]): void {
  for (const { label, load } of labels) {
    const { answered, failed, times, events } = load.reset();
    const sorted = times.toSorted((a, b) => a - b);
    const at = (share: number) => Math.round(sorted[Math.floor(sorted.length * share)] ?? 0);
    print({ phase, label: label.host, answered, failed, medianMs: at(0.5), p99Ms: at(0.99), events });
  }
}

/** Gives a label a library: tracks, a playlist of some, and a link to each of some. Returns what people open. */
async function fill(label: Label, tracks: number): Promise<{ trackId: string; link: string }> {
  const ids: string[] = [];
  for (let at = 0; at < tracks; at++) ids.push(await upload(label));
  await call(label, "POST", "/api/v1/playlists", { name: "Roughs", trackIds: ids.slice(0, 20) });
  let link = "";
  for (const trackId of ids.slice(0, 10)) {
    const { data } = await call(label, "POST", "/app/shares", { trackId });
    link = new URL(data.url).pathname;
  }
  return { trackId: ids[0] ?? "", link };
}

/** Moves a label to another machine: closed, exported, taken in, opened, and then the proxy's line. */
async function move(from: Label3, to: Box, places: Map<string, number>, proxy: RunningProxy, dir: string) {
  const { host, email } = from.label;
  const times: Record<string, number> = {};
  const step = async (name: string, work: () => Promise<unknown>) => {
    const began = performance.now();
    await work();
    times[`${name}Ms`] = Math.round(performance.now() - began);
  };
  const began = performance.now();
  await step("disable", () => from.box.dubplate("account", "disable", "--email", email));
  await step("export", () => from.box.dubplate("account", "export", "--email", email, "--move", dir));
  await step("import", () => to.dubplate("import", "--export", dir));
  await step("enable", () => to.dubplate("account", "enable", "--email", email));
  places.set(host, to.port);
  await step("reload", () => proxy.reload(places));
  for (;;) {
    const answer = await call(from.label, "GET", "/api/v1/tracks/count").catch(() => undefined);
    if (answer) break;
    await Bun.sleep(20);
  }
  print({ moved: host, ...times, closedMs: Math.round(performance.now() - began) });
}

async function run(folder: string): Promise<void> {
  const start = START[values.proxy];
  if (!start || Bun.which(values.proxy) === null) throw new Error(`${values.proxy} is not installed`);
  const port = freePort();
  const outside = (host: string) => `http://${host}:${port}`;
  const boxes = HOSTS.map((host) => createBox(join(folder, host), outside(host)));
  const places = new Map(HOSTS.map((host, at) => [host as string, boxes[at]?.port ?? 0]));
  const anaAtTwo = createBox(join(folder, "ana at the second"), outside(HOSTS[0]));
  let proxy: RunningProxy | undefined;
  try {
    for (const box of boxes) await box.start();
    const config = join(folder, "proxy");
    mkdirSync(config);
    proxy = await start(config, port, places);
    const labels: Label3[] = [];
    for (const [at, host] of HOSTS.entries()) {
      const box = boxes[at] as Box;
      const label = await createLabel(box, host, port);
      const target = await fill(label, Number(values.tracks));
      labels.push({ label, box, load: startLoad(label, target) });
    }
    await tryAll(labels, { anaAtTwo, places, proxy, folder });
    for (const { load } of labels) await load.stop();
  } finally {
    await proxy?.stop();
    for (const box of [...boxes, anaAtTwo]) await box.stop();
  }
}

async function tryAll(
  labels: readonly Label3[],
  {
    anaAtTwo,
    places,
    proxy,
    folder,
  }: { anaAtTwo: Box; places: Map<string, number>; proxy: RunningProxy; folder: string },
): Promise<void> {
  const [ana, ...others] = labels as [Label3, Label3, Label3];
  const third = others[1] as Label3;
  const phase = async (name: string) => {
    for (const { load } of labels) load.reset();
    await Bun.sleep(phaseMs);
    report(name, labels);
  };
  await phase("all three");
  await third.box.kill();
  await phase("the third is dead");
  await third.box.start();
  await phase("the third is back");

  await ana.load.stop(); // what nobody changes can be compared
  const before = await fingerprint(ana.label);
  await anaAtTwo.start();
  for (const { load } of others) load.reset();
  await move(ana, anaAtTwo, places, proxy, join(folder, "export"));
  report("while ana moves", others);
  const after = await fingerprint(ana.label);
  const differing = Object.keys({ ...before, ...after }).filter((each) => before[each] !== after[each]);
  const rows = (await anaAtTwo.dubplate("verify")) as unknown[];
  print({
    compared: Object.keys(before).length,
    tracks: (await trackIds(ana.label)).length,
    differing: differing.length,
    verifyFindings: rows.length,
  });
  if (differing.length > 0) process.exitCode = 1;
}

const folder = mkdtempSync(join(tmpdir(), "dubplate-three-"));
for (const host of [...HOSTS, "ana at the second"]) mkdirSync(join(folder, host));
await run(folder).finally(() => rmSync(folder, { recursive: true, force: true }));
