import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../rack/server.ts";

const VERSIONS = "/usr/lib/postgresql";
/** PostgreSQL does not run as root; Debian's package makes this user. */
const USER = "postgres";

/** Starts a PostgreSQL of its own in a temporary folder, as Debian's package installs it. */
export async function startPostgres(): Promise<{ url: string; stop: () => Promise<void> }> {
  const versions = existsSync(VERSIONS)
    ? readdirSync(VERSIONS)
        .map(Number)
        .sort((a, b) => b - a)
    : [];
  const [newest] = versions;
  if (newest === undefined)
    throw new Error("There is no PostgreSQL: install Debian's postgresql, or give --url");
  const program = (name: string) => join(VERSIONS, String(newest), "bin", name);
  const isRoot = process.getuid?.() === 0;
  const as = isRoot ? ["runuser", "-u", USER, "--"] : [];
  const folder = mkdtempSync(join(tmpdir(), "dubplate-postgres-data-"));
  if (isRoot) await run(["chown", USER, folder]);
  const port = freePort();
  const options = `-p ${port} -h 127.0.0.1 -k ${folder} -c fsync=off`;
  const log = join(folder, "log");
  await run([
    ...as,
    program("initdb"),
    "-D",
    join(folder, "data"),
    "-A",
    "trust",
    "-U",
    "dubplate",
    "-E",
    "UTF8",
  ]);
  await run([...as, program("pg_ctl"), "-D", join(folder, "data"), "-w", "-l", log, "-o", options, "start"]);
  return {
    url: `postgres://dubplate@127.0.0.1:${port}/postgres`,
    stop: async () => {
      await run([...as, program("pg_ctl"), "-D", join(folder, "data"), "-m", "immediate", "stop"]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function run(command: string[]): Promise<void> {
  const child = Bun.spawn(command, { cwd: "/", stdio: ["ignore", "ignore", "ignore"] });
  if ((await child.exited) !== 0) throw new Error(`${command.join(" ")} failed`);
}
