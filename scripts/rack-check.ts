/**
 * Checks the service files in `packaging/` with the programs that read them, and runs a server behind each proxy:
 * uploads, ranges, resumable uploads, live events. A program that is not installed is named and left out.
 *
 * usage: bun scripts/rack-check.ts [--files 4] [--megabytes 16]
 */
import "./support/help.ts";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { PROXIES, type ReverseProxy } from "./rack/proxies.ts";
import { freePort, METRICS_TOKEN, startBehind, until } from "./rack/server.ts";
import { trials } from "./rack/trials.ts";

const PACKAGING = join(import.meta.dir, "../packaging");
const { values } = parseArgs({
  args: Bun.argv.slice(2),
  options: { files: { type: "string", default: "4" }, megabytes: { type: "string", default: "16" } },
});
const size = { files: Number(values.files), megabytes: Number(values.megabytes) };

let failures = 0;
function report(file: string, check: string, outcome: "passed" | "failed" | "absent", seen = ""): void {
  if (outcome === "failed") failures++;
  console.log(JSON.stringify({ file, check, outcome, ...(seen && { seen }) }));
}

/** Runs a program on a file; its last line is what was seen. */
async function runCheck(file: string, command: readonly string[], input?: string): Promise<boolean> {
  const check = command
    .slice(0, 3)
    .filter((word) => !word.includes("/"))
    .join(" ");
  if (Bun.which(command[0] ?? "") === null) {
    report(file, check, "absent");
    return false;
  }
  const child = Bun.spawn([...command], {
    stdin: input === undefined ? "ignore" : new Blob([input]),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  const lines = `${err}\n${out}`
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
  report(file, check, code === 0 ? "passed" : "failed", code === 0 ? lines.at(-1) : lines.join(" | "));
  return code === 0;
}

/** The second unit is bound to the first, so both are there before either is checked. */
async function checkUnits(folder: string): Promise<void> {
  const units = ["dubplate.service", "dubplate-litestream.service"];
  for (const name of units) {
    const unit = await Bun.file(join(PACKAGING, name)).text();
    // The executables are not installed here.
    await Bun.write(join(folder, name), unit.replace(/\/usr\/local\/bin\/\w+/, process.execPath));
  }
  for (const name of units) {
    await runCheck(name, ["systemd-analyze", "verify", join(folder, name)]);
    await runCheck(name, ["systemd-analyze", "security", "--offline=true", join(folder, name)]);
  }
}

async function tryProxy(folder: string, { program, prepare }: ReverseProxy): Promise<void> {
  const ports = { outside: freePort(), inside: freePort() };
  mkdirSync(folder);
  if (Bun.which(program) === null) return report(program, "run", "absent");
  const { check, run } = await prepare(folder, ports);
  if (!(await runCheck(program, check))) return;
  const outside = `https://localhost:${ports.outside}`;
  const behind = await startBehind(outside, ports.inside);
  const proxy = Bun.spawn(run, { stdio: ["ignore", "ignore", "ignore"], env: { ...Bun.env, HOME: folder } });
  try {
    await until(`${outside}/health`);
    for (const { name, run: attempt } of trials(size))
      await attempt(outside, behind).then(
        (seen) => report(program, name, "passed", seen),
        (error) => report(program, name, "failed", String(error)),
      );
    const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
    const metrics = await (await fetch(`${behind.address}/metrics`, { headers })).text();
    await runCheck("/metrics", ["promtool", "check", "metrics"], metrics);
  } finally {
    proxy.kill();
    await proxy.exited;
    await behind.stop();
  }
}

const folder = mkdtempSync(join(tmpdir(), "dubplate-rack-check-"));
try {
  await checkUnits(folder);
  await runCheck("alerts.yaml", ["promtool", "check", "rules", join(PACKAGING, "alerts.yaml")]);
  await runCheck("alerts.yaml", ["promtool", "test", "rules", join(PACKAGING, "alerts.test.yaml")]);
  const hasCompose = Bun.which("docker") !== null && Bun.spawnSync(["docker", "compose", "version"]).success;
  if (!hasCompose) report("compose.yaml", "docker compose config", "absent");
  else
    await runCheck("compose.yaml", [
      "docker",
      "compose",
      "-f",
      join(PACKAGING, "compose.yaml"),
      "config",
      "-q",
    ]);
  for (const proxy of PROXIES) await tryProxy(join(folder, proxy.program), proxy);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(failures > 0 ? 1 : 0);
