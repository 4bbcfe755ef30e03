import type { Deps } from "../kernel/deps.ts";
import type { WatchedFolder } from "../kernel/settings.ts";
import { MINUTE_MS, SECOND_MS } from "../kernel/time.ts";
import { getAccountByEmail, isAccount } from "../modules/people/accounts/service.ts";
import { watchInto } from "./folder.ts";
import { localDoor } from "./local-door.ts";

/** The folders that a server watches. */
export type WatchedFolders = {
  /** Resolves when no file is being taken in any more. */
  stop: () => Promise<void>;
};

const EVERY_MS = 30 * SECOND_MS;

/** Takes in what lands in folders of this machine, each for its account, which may be made later. */
export function watchFolders(deps: Deps, folders: readonly WatchedFolder[]): WatchedFolders {
  const stop = new AbortController();
  const watching = folders.map((folder) => watchOne(deps, folder, stop.signal));
  return {
    stop: async () => {
      stop.abort();
      await Promise.all(watching);
    },
  };
}

async function watchOne(deps: Deps, { folder, email }: WatchedFolder, signal: AbortSignal): Promise<void> {
  const { log, settings } = deps;
  const accountId = await accountOf(deps, email, signal);
  if (accountId === undefined) return;
  let said = "";
  await watchInto({
    folder,
    keepOut: settings.dataDir,
    door: localDoor(deps, accountId),
    settleMs: settings.watchSettleMs,
    everyMs: EVERY_MS,
    isOnce: false,
    tell: (told) => log(told.outcome === "failed" ? "warn" : "info", "Watched folder", { folder, ...told }),
    say: (text) => {
      if (text !== said) log("warn", "A watched folder cannot be read", { folder, reason: text });
      said = text;
    },
    tellLinks: (links) =>
      log("info", "Links lead out of a watched folder, and the files there are taken in too", {
        folder,
        links,
      }),
    signal,
  }).catch((error: unknown) => log("error", "A folder is no longer watched", { folder, error }));
}

/** Waits until there is such an account. Undefined: the server stops. */
async function accountOf(deps: Deps, email: string, signal: AbortSignal): Promise<string | undefined> {
  let hasSaid = false;
  while (!signal.aborted) {
    try {
      return isAccount(deps, email) ? email : getAccountByEmail(deps, email).id;
    } catch (error) {
      const reason = (error as Error).message;
      if (!hasSaid) deps.log("warn", "WATCH names no library yet", { email, reason });
      hasSaid = true;
    }
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, MINUTE_MS);
      signal.addEventListener("abort", () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
  return undefined;
}
