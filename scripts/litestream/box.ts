import { mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
import { closeLibrary } from "../../src/library.ts";
import { beginSession, getAccountByEmail } from "../../src/modules/people/accounts/service.ts";
import type { Client } from "../backup/items.ts";
import { createOwner, openLibraryIn } from "../bench/library.ts";
import { freePort, type ServerProcess, spawnDubplate } from "../bench/processes.ts";

/** A library with its server and with Litestream beside it. */
export type Box = {
  folder: string;
  dataDir: string;
  /** URL of the replica. */
  replica: string;
  client: Client;
  startServer: () => ServerProcess;
  startLitestream: () => Bun.Subprocess;
};

const children = new Set<Bun.Subprocess>();
process.once("exit", () => {
  for (const child of children) child.kill("SIGKILL");
});

/** Makes a library in a folder. Its replica is a folder beside it, or below the URL `replicas`. */
export async function makeBox(
  folder: string,
  litestream: string,
  replicas: string | undefined,
): Promise<Box> {
  const dataDir = join(folder, "data");
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const deps = openLibraryIn(dataDir);
  const { key } = await createOwner(deps);
  const account = getAccountByEmail(deps, "bench@example.com");
  const { token } = beginSession(deps, account, { ip: "script", userAgent: null });
  closeLibrary(deps);
  const port = freePort();
  const replica = replicas ? `${replicas}/${crypto.randomUUID()}` : `file://${join(folder, "replica")}`;
  const startLitestream = () => {
    const log = openSync(join(folder, "litestream.log"), "a");
    const command = [litestream, "replicate", join(dataDir, "dubplate.db"), replica];
    const child = Bun.spawn(command, { stdio: ["ignore", log, log] });
    children.add(child);
    void child.exited.then(() => children.delete(child));
    return child;
  };
  return {
    folder,
    dataDir,
    replica,
    client: { address: `http://127.0.0.1:${port}`, key, token },
    startServer: () =>
      spawnDubplate({ dataDir, port, log: join(folder, "server.log"), settings: { SLOW_QUERY_MS: "0" } }),
    startLitestream,
  };
}
