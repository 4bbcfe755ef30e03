import { Database } from "bun:sqlite";
import { closeSync, ftruncateSync, mkdirSync, openSync, renameSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { type Random, randomFrom } from "../../src/demo/dsp/random.ts";
import { closeLibrary } from "../../src/library.ts";
import { createAccount } from "../../src/modules/people/accounts/service.ts";
import { openLibraryIn } from "../bench/library.ts";
import { DUBPLATE, temporaryFolder } from "../bench/processes.ts";
import { makeSound } from "../chaos/sounds.ts";

const ACCOUNT = { email: "mara@example.com", name: "Mara", password: "correct horse battery" };
const AT_ONCE = 8;
const POLL_MS = 100;
const SLOW_PIECES = 5;
const PIECE_PAUSE_MS = 40;

/** What became of the bounces. */
export type BounceFigures = {
  bounces: number;
  renames: number;
  overwrites: number;
  kills: number;
  /** Versions of the library, and bounces that it lacks or has twice. */
  versions: number;
  lost: number;
  doubled: number;
  seconds: number;
};

/**
 * Writes bounces into a folder as workstations do, while `dubplate watch` takes them in and is killed on the way, and says what
 * the library has in the end.
 */
export async function bounce({
  bounces,
  kills,
  settleSeconds,
  say,
}: {
  bounces: number;
  kills: number;
  settleSeconds: number;
  say: (text: string) => void;
}): Promise<BounceFigures> {
  const [folder, dataDir] = [temporaryFolder("bounces"), temporaryFolder("library")];
  const deps = openLibraryIn(dataDir);
  await createAccount(deps, ACCOUNT);
  closeLibrary(deps);
  const studio = createStudio(folder, dataDir);
  const startedAt = performance.now();
  let watcher = startWatcher(folder, dataDir, settleSeconds);
  try {
    for (let done = 0; done < bounces; done += AT_ONCE) {
      const some = Array.from({ length: Math.min(AT_ONCE, bounces - done) }, (_, index) => done + index);
      await Promise.all(some.map((index) => studio.write(index)));
      const isTurn = Math.floor(((done + AT_ONCE) * kills) / bounces) > Math.floor((done * kills) / bounces);
      if (!isTurn) continue;
      watcher.kill("SIGKILL");
      await watcher.exited;
      say(`${done + some.length} bounces, ${studio.taken().size} taken: killed`);
      watcher = startWatcher(folder, dataDir, settleSeconds);
    }
    while (!studio.isAllTaken()) {
      if (watcher.exitCode !== null) throw new Error(`The watcher ended with ${watcher.exitCode}`);
      await Bun.sleep(POLL_MS);
    }
  } finally {
    watcher.kill("SIGKILL");
    await watcher.exited;
  }
  // What a killed watcher might take twice, another finds.
  await startWatcher(folder, dataDir, 0, "--once").exited;
  return {
    ...studio.count(),
    bounces,
    kills,
    seconds: Math.round((performance.now() - startedAt) / 100) / 10,
  };
}

function startWatcher(folder: string, dataDir: string, settle: number, ...more: string[]): Bun.Subprocess {
  const args = [
    "watch",
    folder,
    "--email",
    ACCOUNT.email,
    "--settle",
    String(settle),
    "--every",
    "2",
    ...more,
  ];
  return Bun.spawn([...DUBPLATE, ...args], {
    env: { PATH: process.env.PATH ?? "", DATA_DIR: dataDir, LOG_LEVEL: "error" },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
  });
}

/** Somebody who bounces: each file in one of the ways of workstations, some over a file that is there, some renamed later. */
function createStudio(folder: string, dataDir: string) {
  const random = randomFrom("bounces");
  const expected = new Set<string>();
  const hashAt = new Map<string, string>();
  const counts = { renames: 0, overwrites: 0 };
  const taken = () => new Set(hashesIn(dataDir));
  const untilTaken = async (sha256: string) => {
    while (!taken().has(sha256)) await Bun.sleep(POLL_MS);
  };
  const write = async (index: number) => {
    const own = randomFrom(`bounce ${index}`);
    const { bytes, sha256 } = makeSound("bounce.wav", own);
    const path = join(folder, nameOf(index, own));
    mkdirSync(join(path, ".."), { recursive: true });
    const before = hashAt.get(path);
    // Bytes that nobody has seen are gone when they are written over: that is no loss.
    if (before !== undefined) {
      await untilTaken(before);
      counts.overwrites++;
    }
    await WAYS[index % WAYS.length]?.(path, bytes);
    expected.add(sha256);
    hashAt.set(path, sha256);
    if (random() > 0.1) return;
    const to = path.replace(/\.wav$/, ` renamed ${index}.wav`);
    renameSync(path, to);
    hashAt.delete(path);
    hashAt.set(to, sha256);
    counts.renames++;
  };
  return {
    write,
    taken,
    isAllTaken: () => {
      const there = taken();
      return [...expected].every((sha256) => there.has(sha256));
    },
    count: () => {
      const versions = hashesIn(dataDir);
      const there = new Set(versions);
      const lost = [...expected].filter((sha256) => !there.has(sha256)).length;
      return { ...counts, versions: versions.length, lost, doubled: versions.length - there.size };
    },
  };
}

const SONGS = 40;

/** One in five bounces is written over an earlier one of the same name. */
function nameOf(index: number, random: Random): string {
  const number = index % SONGS;
  const song = `Album ${number % 3}/Song ${String.fromCharCode(65 + (number % 26))}${number}`;
  if (random() < 0.2) return `${song}.wav`;
  return `${song} ${["v", "mix ", "final ", "rev"][index % 4]}${index}.wav`;
}

type Way = (path: string, bytes: Uint8Array) => Promise<void>;

/** The ways in which programs write a file. */
const WAYS: readonly Way[] = [
  async (path, bytes) => writeFileSync(path, bytes),
  // Piece by piece under its own name.
  (path, bytes) => inPieces(path, bytes, "w"),
  // Aside, then renamed.
  async (path, bytes) => {
    await inPieces(`${path}.part`, bytes, "w");
    renameSync(`${path}.part`, path);
  },
  // The header is written last.
  async (path, bytes) => {
    const file = openSync(path, "w");
    writeSync(file, new Uint8Array(44));
    writeSync(file, bytes.subarray(44));
    await Bun.sleep(PIECE_PAUSE_MS);
    writeSync(file, bytes.subarray(0, 44), 0, 44, 0);
    closeSync(file);
  },
  // The file has its length before its bytes.
  (path, bytes) => inPieces(path, bytes, "w", bytes.length),
];

async function inPieces(path: string, bytes: Uint8Array, flags: string, length = 0): Promise<void> {
  const file = openSync(path, flags);
  if (length > 0) ftruncateSync(file, length);
  for (let piece = 0; piece < SLOW_PIECES; piece++) {
    const [from, to] = [piece, piece + 1].map((at) => Math.floor((bytes.length * at) / SLOW_PIECES));
    writeSync(file, bytes.subarray(from, to));
    await Bun.sleep(PIECE_PAUSE_MS);
  }
  closeSync(file);
}

function hashesIn(dataDir: string): string[] {
  const db = new Database(join(dataDir, "dubplate.db"), { readonly: true });
  try {
    return db
      .query<{ sha256: string }, []>("SELECT sha256 FROM versions")
      .all()
      .map(({ sha256 }) => sha256);
  } finally {
    db.close();
  }
}
