import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { createApp } from "../../app.ts";
import type { Deps } from "../../kernel/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import type { Settings } from "../../kernel/settings.ts";
import { closeLibrary, lockLibrary, openLibrary } from "../../library.ts";
import type { Caller } from "../../mcp/caller.ts";
import type { LineTransport } from "../../mcp/stdio/line-transport.ts";
import { principalOfKey } from "../../modules/people/keys/service.ts";
import { startWorkers, type Workers } from "../../workers.ts";
import { RefusedError } from "../command.ts";

/** Serves the tools over a transport from the library itself, and runs its jobs if no server does. */
export async function serveLibrary(
  settings: Settings,
  apiKey: string,
  transport: LineTransport,
): Promise<void> {
  const deps = openLibrary(settings, process.stderr);
  const app = createApp(deps);
  let workers: Workers | undefined;
  try {
    const caller = callerOf(deps, apiKey);
    workers = isServed(settings) ? undefined : startWorkers(deps, { recover: false });
    const { newServer } = await app.toolServer();
    serveStdio(() => newServer(caller), {
      transport,
      onerror: ({ message }) => deps.log("debug", "The tool server refused a message", { error: message }),
    });
    await transport.ended;
  } finally {
    await workers?.stop();
    app.usage.flush();
    closeLibrary(deps);
  }
}

/** @throws RefusedError when the key is not valid at the start. Later it is checked at every call. */
function callerOf(deps: Deps, apiKey: string): Caller {
  const renew = () => principalOfKey(deps, apiKey, null);
  try {
    renew();
  } catch (error) {
    if (error instanceof DomainError) throw new RefusedError(`DUBPLATE_API_KEY: ${error.message}`);
    throw error;
  }
  return {
    get principal() {
      return renew();
    },
    renew,
    isGrant: false,
    ip: "stdio",
    // The key has a name: the client tells its own only to the protocol.
    client: "",
    takesStream: true,
    takesJson: true,
  };
}

/** A running server runs its library's jobs itself. Without a server, they would wait for the next start. */
function isServed(settings: Settings): boolean {
  const lock = lockLibrary(settings);
  lock?.release();
  return lock === undefined;
}
