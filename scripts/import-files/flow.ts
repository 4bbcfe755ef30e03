import { Database } from "bun:sqlite";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { encodeWav } from "../../src/demo/wav.ts";
import { closeLibrary } from "../../src/library.ts";
import { createAccount } from "../../src/modules/people/accounts/service.ts";
import { openLibraryIn } from "../bench/library.ts";
import { DUBPLATE, temporaryFolder } from "../bench/processes.ts";

const ACCOUNT = { email: "mara@example.com", name: "Mara", password: "correct horse battery" };
const PER_FOLDER = 25;
const FRAMES = 400;

/** What the library has of the files. */
export type ImportFigures = { versions: number; lost: number; doubled: number; seconds: number };

/** Imports files and kills the import at even distances; another one goes on each time. */
export async function importAndKill({
  files,
  kills,
  say,
}: {
  files: number;
  kills: number;
  say: (text: string) => void;
}): Promise<ImportFigures> {
  const [folder, dataDir] = [temporaryFolder("files"), temporaryFolder("library")];
  const expected = makeFiles(folder, files);
  const deps = openLibraryIn(dataDir);
  await createAccount(deps, ACCOUNT);
  closeLibrary(deps);
  const startedAt = performance.now();
  for (let kill = 1; kill <= kills; kill++) {
    const reached = await importUntil(folder, dataDir, Math.ceil(files / (kills + 1)) * kill);
    say(`killed after ${reached} files`);
  }
  await importUntil(folder, dataDir, Number.POSITIVE_INFINITY);
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
  const hashes = hashesIn(dataDir);
  const there = new Set(hashes);
  const lost = expected.filter((sha256) => !there.has(sha256)).length;
  return { versions: hashes.length, lost, doubled: hashes.length - there.size, seconds };
}

/** Imports until so many lines were printed, then kills the import. Returns how many there were. */
async function importUntil(folder: string, dataDir: string, most: number): Promise<number> {
  const child = Bun.spawn([...DUBPLATE, "import", folder, "--email", ACCOUNT.email], {
    env: { PATH: process.env.PATH ?? "", DATA_DIR: dataDir, LOG_LEVEL: "error" },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
  });
  let lines = 0;
  for await (const chunk of child.stdout) {
    for (const byte of chunk) if (byte === 10) lines++;
    if (lines >= most) child.kill("SIGKILL");
  }
  await child.exited;
  return lines;
}

/** Makes short songs, each with bytes of its own, some of them versions. Returns their hashes. */
function makeFiles(folder: string, files: number): string[] {
  return Array.from({ length: files }, (_, index) => {
    const left = Float32Array.from({ length: FRAMES }, (_, at) => Math.sin(at * (0.01 + index / 20_000)));
    const bytes = encodeWav({ left, right: left }, []);
    const inside = join(folder, `Year ${index % 4}`, `Album ${Math.floor(index / PER_FOLDER)}`);
    mkdirSync(inside, { recursive: true });
    writeFileSync(join(inside, `Piece ${index - (index % 3)} v${1 + (index % 3)}.wav`), bytes);
    return new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
  });
}

function hashesIn(dataDir: string): string[] {
  const db = new Database(join(dataDir, "dubplate.db"), { readonly: true });
  const rows = db.query<{ sha256: string }, []>("SELECT sha256 FROM versions").all();
  db.close();
  return rows.map(({ sha256 }) => sha256);
}
