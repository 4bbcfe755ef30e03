import { existsSync, readdirSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { type Db, openReadOnly } from "../../db/client.ts";
import { DUBPLATE, freePort, spawnDubplate } from "../../scripts/bench/processes.ts";
import { filesOf, GAME_PACKAGES, MORE_PACKAGES } from "../debian-packages.ts";

const ENDINGS = "**/*.{ogg,oga,opus,mp3,flac}";
/** Smaller files are sounds, not music. */
const LEAST_BYTES = 400_000;

const EMAIL = "evaluation@example.com";
const POLL_MS = 2000;
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
 * Returns a library of a minute of each piece, some 320 of them, fetched with `apt-get download` and analysed by the product
 * at the first call. Later calls read what the first one left in the folder. Packages that Debian does not offer here are
 * left out.
 */
export async function minuteLibrary(folder: string): Promise<DebianLibrary> {
  const dataDir = join(folder, "minutes");
  if (!existsSync(dataDir)) {
    const building = `${dataDir}.new`;
    await rm(building, { recursive: true, force: true });
    await build(folder, building, await minutesIn(folder));
    await rename(building, dataDir);
  }
  return openLibrary(folder, dataDir);
}

const PACKAGES = [...GAME_PACKAGES, ...MORE_PACKAGES];

async function minutesIn(folder: string): Promise<string[]> {
  const music: string[] = [];
  for (const name of PACKAGES)
    for (const file of await musicOf(folder, name)) {
      const to = join(folder, "clips", name);
      await mkdir(to, { recursive: true });
      const clip = join(to, basename(file));
      // What is shorter leaves an empty clip.
      await run(
        ["ffmpeg", "-nostdin", "-v", "error", "-y", ...MINUTE, "-i", file, "-vn", "-c:a", "copy", clip],
        "/",
      );
      if (Bun.file(clip).size >= LEAST_BYTES / 2) music.push(clip);
    }
  return music;
}

/** A minute from here on, where most pieces have begun. */
const MINUTE = ["-ss", "15", "-t", "60"];

const musicOf = (folder: string, name: string) =>
  filesOf(join(folder, "music"), name, { pattern: ENDINGS, leastBytes: LEAST_BYTES });

async function build(folder: string, dataDir: string, music: readonly string[]): Promise<void> {
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
    PACKAGES.filter((name) => existsSync(join(folder, "music", name))).flatMap((name) =>
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

const dubplate = (dataDir: string, ...args: string[]) =>
  run([...DUBPLATE, ...args], "/", { DATA_DIR: dataDir, LOG_LEVEL: "warn" });

async function run(command: readonly string[], cwd: string, env: Record<string, string> = {}): Promise<void> {
  const child = Bun.spawn([...command], {
    cwd,
    env: { ...Bun.env, ...env },
    stdio: ["ignore", "ignore", "inherit"],
  });
  if ((await child.exited) !== 0) throw new Error(`It failed: ${command.slice(0, 3).join(" ")}`);
}
