/**
 * Runs the tests, several files at a time, those that take longest first.
 *
 * usage: bun scripts/tests.ts fast | all | all --rest  [arguments of bun test]
 *
 * A file's name says where it belongs. `*.browser.test.ts` drives a browser. `*.slow.test.ts` listens to long audio,
 * builds, installs or kills the program, or tries thousands of inputs. `fast` runs the others, and says what it left
 * out; `all --rest` runs what `fast` leaves out. Files that the arguments name run whatever they are.
 *
 * Without names of files, a run builds the program's executable first, and tests start that one. Files that are named
 * start the program from the sources.
 */
import "./support/help.ts";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Glob } from "bun";
import { findBrowser } from "./find-browser.ts";
import { tidyTimings } from "./tests/timings.ts";

const ROOT = join(import.meta.dir, "..");
const TIMINGS = "test/timings.json";
/** Tests wait for processes, pages, disks and clocks: with two files per core, a fifth of the time no test runs. */
const PARALLEL = Math.max(5, 3 * navigator.hardwareConcurrency);
/**
 * JavaScriptCore's last compiler, an order of magnitude later than usual. A test runs most code too seldom for what that
 * compiler costs; loops over samples still reach it.
 */
const LATE_COMPILER = {
  BUN_JSC_thresholdForFTLOptimizeAfterWarmUp: "2000000",
  BUN_JSC_thresholdForFTLOptimizeSoon: "2000000",
} as const;
const FAST = ["--path-ignore-patterns=**/*.{browser,slow}.test.ts"];
const REST = [".browser.test.ts", ".slow.test.ts"];

const [set, ...options] = process.argv.slice(2);
const isRest = options[0] === "--rest";
if (isRest) options.shift();
const namesFiles = options.some((option) => /^(\.\/)?test\//.test(option));
const filter = namesFiles ? [] : filterOf();
process.exitCode = await run([...filter, ...options], {
  mayNeedBrowser: filter !== FAST,
  builds: !namesFiles,
});
if (filter === FAST) console.error(leftOut());

function filterOf(): readonly string[] {
  if (set === "fast") return FAST;
  return isRest ? REST : [];
}

async function run(
  filters: readonly string[],
  { mayNeedBrowser, builds }: { mayNeedBrowser: boolean; builds: boolean },
): Promise<number> {
  // Loaded only when a test may need one: that alone takes half a second.
  const { lendBrowsers } = mayNeedBrowser && findBrowser() ? await import("./tests/browsers.ts") : {};
  const browsers = lendBrowsers?.();
  const program = builds ? buildProgram() : undefined;
  const child = Bun.spawn(
    [
      process.execPath,
      "test",
      "--timeout=300000",
      `--parallel=${PARALLEL}`,
      // Loading the program anew for each file takes a third of the time. Tests leave nothing behind in a process.
      "--no-isolate",
      `--timings=${TIMINGS}`,
      ...filters,
    ],
    {
      cwd: ROOT,
      stdio: ["inherit", "inherit", "inherit"],
      env: {
        ...LATE_COMPILER,
        ...process.env,
        ...(browsers && { TEST_BROWSERS: browsers.address }),
        ...(program && { TEST_PROGRAM: program.path }),
      },
    },
  );
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => child.kill(signal));
  const code = await child.exited;
  await browsers?.close();
  program?.remove();
  if (filters.includes("--update-timings")) await tidyTimings(ROOT, TIMINGS);
  return code;
}

/** Builds the executable. Without one, the tests that are about it say what is wrong, and the others start the checkout. */
function buildProgram(): { path: string; remove: () => void } | undefined {
  const folder = mkdtempSync(join(tmpdir(), "dubplate-executable-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const path = join(folder, "dubplate");
  const { exitCode } = Bun.spawnSync([process.execPath, "scripts/build.ts", path], {
    cwd: ROOT,
    stderr: "inherit",
  });
  if (exitCode === 0) return { path, remove };
  remove();
  return undefined;
}

function leftOut(): string {
  const count = (kind: string) => [...new Glob(`test/**/*.${kind}.test.ts`).scanSync(ROOT)].length;
  return [
    `Left out: ${count("browser")} files of tests that drive a browser, and ${count("slow")} that take long`,
    "(long audio, builds and installs, killed servers, thousands of inputs). `bun run test:all` runs everything.",
  ].join(" ");
}
