/**
 * Kills the server, Litestream, or both, again and again while a library is written to; restores the replica elsewhere
 * after each, and says what was lost. Then starts what was killed, and compares the replica with the library row by row.
 *
 * usage: bun scripts/litestream.ts [--rounds 100] [--seed 1] [--kinds 0,1,2,3] [--boxes 2]
 *   [--replicas s3://bucket/path] [--keep]
 * Needs litestream in PATH or LITESTREAM_PATH; exit 3 without it. The kinds run side by side, each in as many libraries as
 * --boxes says. Exit 1 when a restore was damaged and `dubplate verify --replica` did not refuse it, or when a sound one was
 * refused. A replica in a store needs its keys in the environment, as Litestream wants them.
 */
import "./support/help.ts";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { randomFrom } from "../src/demo/dsp/random.ts";
import { keepFolder, temporaryFolder } from "./bench/processes.ts";
import { type Box, makeBox } from "./litestream/box.ts";
import { compareWithLibrary, judge, type Verdict } from "./litestream/judge.ts";
import { KINDS, type Kind, type Running } from "./litestream/kinds.ts";
import { type Ledger, writeNumbers } from "./litestream/writers.ts";

const WRITERS = 3;
const MIN_WRITING_MS = 300;
const MAX_WRITING_MS = 1500;
const REPORT_EVERY = 20;
const SHOWN = 1000;

const { values } = parseArgs({
  args: Bun.argv.slice(2),
  options: {
    rounds: { type: "string", default: "100" },
    seed: { type: "string", default: "1" },
    kinds: { type: "string", default: "0,1,2,3" },
    boxes: { type: "string", default: "2" },
    replicas: { type: "string" },
    keep: { type: "boolean", default: false },
  },
});
const rounds = Number(values.rounds);
const boxes = Math.min(rounds, Number(values.boxes));
const kinds = values.kinds.split(",").map((index) => KINDS[Number(index)]);
if (!Number.isInteger(rounds) || rounds < 1 || kinds.includes(undefined))
  throw new Error("--rounds must be a whole number from 1, and --kinds numbers from 0 to 3");
const program = Bun.which(Bun.env.LITESTREAM_PATH ?? "litestream");
if (program === null) {
  console.error("litestream was not found: install it, or set LITESTREAM_PATH");
  process.exit(3);
}
const litestream = program;
const folder = temporaryFolder("litestream");
if (values.keep) keepFolder(folder);
const failures: string[] = [];

const version = (await Bun.$`${litestream} version`.text()).trim();
console.log(
  `Litestream ${version}, ${rounds} rounds of each kind, seed ${values.seed}, ${boxes} libraries per kind`,
);
console.log(
  "| what happened | rounds | restored and sound | refused | lost writes | lost seconds | the same again |",
);
console.log("|---|---|---|---|---|---|---|");
await Promise.all(kinds.map((kind, index) => kind && playKind(kind, index)));
for (const failure of failures) console.log(`FAILURE ${failure.slice(0, SHOWN)}`);
console.log(failures.length === 0 ? "No failure." : `${failures.length} failures.`);
process.exit(failures.length === 0 ? 0 : 1);

/** What the rounds of a kind came to. */
type Tally = { verdicts: Verdict[]; sameAgain: number };

async function playKind(kind: Kind, index: number): Promise<void> {
  const tally: Tally = { verdicts: [], sameAgain: 0 };
  const plays = Array.from({ length: boxes }, (_, n) => {
    const share = Math.floor((rounds + n) / boxes);
    return playBox(kind, { name: `${index}-${n}`, share, tally });
  });
  await Promise.all(plays);
  console.log(rowOf(kind, tally));
}

async function playBox(
  kind: Kind,
  { name, share, tally }: { name: string; share: number; tally: Tally },
): Promise<void> {
  const random = randomFrom(`litestream ${values.seed} ${name}`);
  const box = await makeBox(join(folder, name), litestream, values.replicas);
  const ledger: Ledger = { acknowledged: [] };
  let running: Partial<Running> = {};
  for (let round = 1; round <= share; round++) {
    const now = await startMissing(box, running);
    const writingMs = MIN_WRITING_MS + random() * (MAX_WRITING_MS - MIN_WRITING_MS);
    const what = `${kind.name}, box ${name}, round ${round}`;
    const writing = startWriting(box, ledger, round);
    // The replica of the round before, whatever was killed in it.
    const [difference] = await Promise.all([compareWithLibrary(box, litestream), Bun.sleep(writingMs)]);
    if (difference === "") tally.sameAgain++;
    else console.log(`REFUSED ${what}, once everything ran again: ${difference.slice(0, SHOWN)}`);
    running = await kind.end(now);
    await Bun.sleep(kind.settleMs);
    const verdict = await judge(box, litestream, ledger, round);
    tally.verdicts.push(verdict);
    noteFailure(what, verdict);
    await writing.end();
    if (tally.verdicts.length % REPORT_EVERY === 0) console.error(rowOf(kind, tally));
  }
  await running.server?.stop();
  running.litestream?.kill("SIGTERM");
  await running.litestream?.exited;
}

async function startMissing(box: Box, { server, litestream: beside }: Partial<Running>): Promise<Running> {
  const running = { litestream: beside ?? box.startLitestream(), server: server ?? box.startServer() };
  if (!server) await running.server.healthy();
  return running;
}

function startWriting(box: Box, ledger: Ledger, round: number): { end: () => Promise<unknown> } {
  let isOver = false;
  const writers = Array.from({ length: WRITERS }, (_, n) =>
    writeNumbers(box, { writer: `${round}.${n}`, ledger, isOver: () => isOver }),
  );
  return {
    end() {
      isOver = true;
      return Promise.all(writers);
    },
  };
}

function noteFailure(what: string, { isSound, refusal, damage }: Verdict): void {
  if (isSound && damage.length > 0) failures.push(`${what}: damaged and not refused: ${damage.join("; ")}`);
  if (!isSound && damage.length === 0) failures.push(`${what}: sound and refused: ${refusal}`);
  if (!isSound && damage.length > 0) console.log(`REFUSED ${what}: ${refusal.slice(0, SHOWN)}`);
}

function rowOf({ name }: Kind, { verdicts, sameAgain }: Tally): string {
  const sound = verdicts.filter(({ isSound }) => isSound);
  const range = (numbers: number[], digits: number) => {
    const sorted = numbers.toSorted((a, b) => a - b);
    const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
    return `${median.toFixed(digits)}, at most ${(sorted.at(-1) ?? 0).toFixed(digits)}`;
  };
  const writes = range(
    sound.map(({ lostWrites }) => lostWrites),
    0,
  );
  const seconds = range(
    sound.map(({ lostSeconds }) => lostSeconds),
    2,
  );
  const cells = [
    name,
    verdicts.length,
    sound.length,
    verdicts.length - sound.length,
    writes,
    seconds,
    sameAgain,
  ];
  return `| ${cells.join(" | ")} |`;
}
