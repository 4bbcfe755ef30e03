import { existsSync, readdirSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Db, openReadOnly } from "../../db/client.ts";
import { freePort, MAIN, spawnDubplate } from "../../scripts/bench/processes.ts";
import { filesOf, GAME_PACKAGES } from "../debian-packages.ts";

/** How many pieces of a package are used at most. */
const MOST_OF_PACKAGE = 26;
const ENDINGS = "**/*.{ogg,oga,opus,mp3,flac}";
/** Smaller files are sounds, not music. */
const LEAST_BYTES = 400_000;

const EMAIL = "evaluation@example.com";
const POLL_MS = 2000;
/** Kept between runs, because analysing two hundred pieces takes many minutes. */
const FOLDER = "/tmp/dubplate-eval";

/** A piece of music of the library. */
export type DebianTrack = {
  id: string;
  seq: number;
  /** The Debian package that it is from. */
  package: string;
  /** Where its file is. */
  path: string;
  name: string;
  title: string | null;
  artist: string | null;
};

/** A library of Debian's music, as the product imported and analysed it. */
export type DebianLibrary = { db: Db; ownerId: string; dataDir: string; tracks: readonly DebianTrack[] };

/**
 * Returns the library, fetched with `apt-get download` and analysed by the product at the first call. Later calls read
 * what the first one left in the folder. Packages that Debian does not offer here are left out.
 */
export async function debianLibrary(folder = FOLDER): Promise<DebianLibrary> {
  const dataDir = join(folder, "library");
  if (!existsSync(dataDir)) {
    const building = join(folder, "library.new");
    await rm(building, { recursive: true, force: true });
    await build(folder, building);
    await rename(building, dataDir);
  }
  return openLibrary(folder, dataDir);
}

async function build(folder: string, dataDir: string): Promise<void> {
  const music: string[] = [];
  for (const name of GAME_PACKAGES) {
    const wanted = { pattern: ENDINGS, leastBytes: LEAST_BYTES };
    music.push(...evenly(await filesOf(join(folder, "music"), name, wanted), MOST_OF_PACKAGE));
  }
  if (music.length === 0) throw new Error("No package could be fetched: apt-get download must work here");
  await dubplate(
    dataDir,
    "account",
    "create",
    "--email",
    EMAIL,
    "--name",
    "E",
    "--password",
    "only for tests",
  );
  await dubplate(dataDir, "import", ...music, "--email", EMAIL);
  const server = spawnDubplate({ dataDir, port: freePort(), log: join(folder, "server.log") });
  await server.healthy();
  for (let left = music.length; left > 0; await Bun.sleep(POLL_MS)) {
    server.assertRuns();
    left = countUnanalysed(dataDir);
    console.error(`${left} of ${music.length} pieces are still to be analysed`);
  }
  await server.stop();
}

function openLibrary(folder: string, dataDir: string): DebianLibrary {
  const db = openReadOnly(join(dataDir, "dubplate.db"));
  const rows = db.$client
    .query<Omit<DebianTrack, "package" | "path"> & { ownerId: string }, []>(
      `SELECT id, seq, name, title, artist, owner_id AS ownerId FROM tracks
       WHERE analysis_version_id IS NOT NULL AND deleted_at IS NULL ORDER BY seq`,
    )
    .all();
  const files = new Map(
    GAME_PACKAGES.filter((name) => existsSync(join(folder, "music", name))).flatMap((name) =>
      readdirSync(join(folder, "music", name), { recursive: true, encoding: "utf8" }).map((path) => [
        path.slice(path.lastIndexOf("/") + 1),
        { package: name, path: join(folder, "music", name, path) },
      ]),
    ),
  );
  const tracks = rows.flatMap(({ ownerId: _, ...row }) => {
    const file = files.get(row.name);
    return file ? [{ ...row, ...file }] : [];
  });
  return { db, ownerId: rows[0]?.ownerId ?? "", dataDir, tracks };
}

function countUnanalysed(dataDir: string): number {
  const db = openReadOnly(join(dataDir, "dubplate.db"));
  const row = db.$client
    .query<{ count: number }, []>(
      "SELECT count(*) AS count FROM tracks WHERE analysis_status IN ('pending', 'processing')",
    )
    .get();
  db.$client.close();
  return row?.count ?? 0;
}

function evenly(files: readonly string[], most: number): string[] {
  const count = Math.min(most, files.length);
  return Array.from({ length: count }, (_, i) => files[Math.floor((i * files.length) / count)] ?? "");
}

const dubplate = (dataDir: string, ...args: string[]) =>
  run([process.execPath, MAIN, ...args], "/", { DATA_DIR: dataDir, LOG_LEVEL: "warn" });

async function run(command: readonly string[], cwd: string, env: Record<string, string> = {}): Promise<void> {
  const child = Bun.spawn([...command], {
    cwd,
    env: { ...Bun.env, ...env },
    stdio: ["ignore", "ignore", "inherit"],
  });
  if ((await child.exited) !== 0) throw new Error(`It failed: ${command.slice(0, 3).join(" ")}`);
}
