import { createApp } from "./app.ts";
import { bringBack } from "./blobs/quarantine.ts";
import { audioShelf } from "./blobs/store.ts";
import { sweepTemporary, sweepUnnamed } from "./blobs/sweep.ts";
import { forgetOldAnswers, forgetUnfinished } from "./http/idempotency.ts";
import type { Deps } from "./kernel/deps.ts";
import { listenAddress, type Settings } from "./kernel/settings.ts";
import { HOUR_MS, SECOND_MS } from "./kernel/time.ts";
import { closeLibrary, type FoundFfmpeg, lockLibrary, openLibrary } from "./library.ts";
import { sweepWorkDirs } from "./media/child/work-dirs.ts";
import { isUnclaimed } from "./modules/accounts/service.ts";
import { artworkShelf } from "./modules/artwork/service.ts";
import { pruneBin } from "./modules/bin/service.ts";
import { foldArtists } from "./modules/catalog/service.ts";
import { forgetUndos } from "./modules/desk/service.ts";
import { pruneUsage } from "./modules/keys/usage.ts";
import { pruneOAuth } from "./modules/oauth/service.ts";
import { renditionShelf } from "./modules/renditions/service.ts";
import { startSearching } from "./modules/search/service.ts";
import { pruneUploads, uploadShelf } from "./modules/submissions/prune.ts";
import { pruneDeliveries } from "./modules/webhooks/service.ts";
import { startDeliveryThread } from "./modules/webhooks/thread.ts";
import { createDeliveryWorker, spawnSearchThread, startWorkers } from "./workers.ts";

/** Uses the console, because `process.stdout` loads Node's streams, which nothing else needs at the start. */
const STANDARD_OUTPUT = { write: (line: string) => console.log(line.trimEnd()) };
const GIBIBYTE = 1024 ** 3;
/** 25 files of 1 GB and the form around them. Every other body is limited where it is read. */
const MAX_BODY_BYTES = 26 * GIBIBYTE;
/** The longest silence of a connection that the platform allows; requests have their own timeout. */
const IDLE_TIMEOUT_SEC = 255;
const DRAIN_MS = 30 * SECOND_MS;
/** How much of a current listen a crash may lose. */
const COUNTING_FLUSH_MS = 10 * SECOND_MS;
/** Every folder whose files are named by rows. */
const SHELVES = [audioShelf, artworkShelf, renditionShelf, uploadShelf];

/** A running server. */
export type Served = {
  deps: Deps;
  address: string;
  /** Valid until the first account exists; undefined if there is one. */
  setupCode: string | undefined;
  /** Finishes current requests, releases jobs, writes pending data, and closes the library. */
  stop: () => Promise<void>;
};

/** The library is in use by another server. */
export class LibraryInUseError extends Error {
  override readonly name = "LibraryInUseError";
}

/**
 * Opens the library, listens, and starts the job loops.
 *
 * @param ffmpeg As in {@link openLibrary}.
 * @throws LibraryInUseError, or the system's error when the port cannot be used.
 */
export function startServer(wanted: Settings, ffmpeg?: FoundFfmpeg): Served {
  const opened = openLibrary(wanted, STANDARD_OUTPUT, ffmpeg);
  const lock = lockLibrary(wanted);
  if (!lock) throw new LibraryInUseError(`Another server already uses ${wanted.dataDir}`);
  forgetUnfinished(opened);
  const broughtBack = bringBack(opened, SHELVES);
  if (broughtBack > 0) opened.log("info", "Brought files back from the quarantine", { files: broughtBack });
  const setupCode = isUnclaimed(opened) ? newSetupCode() : undefined;

  const server = Bun.serve({
    hostname: wanted.host,
    port: wanted.port,
    maxRequestBodySize: MAX_BODY_BYTES,
    idleTimeout: IDLE_TIMEOUT_SEC,
    fetch: (request, self): Response | Promise<Response> =>
      app.front(request, self.requestIP(request)?.address ?? "", self),
  });
  // With port 0 the system chose a port, which addresses in answers must contain.
  const settings = { ...wanted, port: server.port ?? wanted.port };
  const deps: Deps = { ...opened, settings };
  const app = createApp(deps, setupCode === undefined ? {} : { setupCode });
  const workers = startWorkers(deps);
  const searching = startSearching(deps, spawnSearchThread);
  const deliveries = startDeliveryThread(deps, createDeliveryWorker);
  const tidying = setInterval(() => tidy(deps), HOUR_MS).unref();
  const noting = setInterval(app.counting.flush, COUNTING_FLUSH_MS).unref();
  const tidied = Promise.all([sweep(deps), foldArtists(deps)]);

  const stop = async () => {
    clearInterval(tidying);
    clearInterval(noting);
    void server.stop();
    await Promise.all([drain(server), workers.stop(), deliveries.stop(), tidied]);
    await server.stop(true);
    app.usage.flush();
    app.counting.flush();
    searching.stop();
    closeLibrary(deps);
    lock.release();
  };
  return { deps, address: listenAddress(settings), setupCode, stop };
}

/** Waits until no request is running, at most half a minute. */
async function drain(server: { pendingRequests: number }): Promise<void> {
  const until = performance.now() + DRAIN_MS;
  while (server.pendingRequests > 0 && performance.now() < until) await Bun.sleep(20);
}

/** Deletes expired data. */
function tidy(deps: Deps): void {
  forgetOldAnswers(deps);
  pruneUsage(deps);
  pruneDeliveries(deps).catch((error) =>
    deps.log("error", "Old webhook deliveries could not be deleted", { error }),
  );
  pruneOAuth(deps);
  forgetUndos(deps);
  pruneBin(deps).catch((error) => deps.log("error", "The bin could not be emptied", { error }));
  pruneUploads(deps).catch((error) => deps.log("error", "Old uploads could not be deleted", { error }));
}

/** Deletes temporary files of ended processes, and sets aside files without a row. */
async function sweep(deps: Deps): Promise<void> {
  try {
    await sweepWorkDirs();
    await sweepTemporary(deps);
    await pruneUploads(deps);
    const { isHeld, moved, folders } = await sweepUnnamed(deps, SHELVES);
    if (isHeld)
      deps.log(
        "warn",
        "Files without a row in the database were left in place. Check that dubplate.db is the right database",
        folders,
      );
    else if (moved > 0)
      deps.log("info", "Moved files that no row names to the quarantine", { moved, ...folders });
  } catch (error) {
    deps.log("error", "The sweep of unused files failed", { error });
  }
}

/** Returns a code of 50 bits in letters and digits that cannot be confused: `K7QF2-M9XTB`. */
function newSetupCode(): string {
  const alphabet = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
  const letters = [...crypto.getRandomValues(new Uint8Array(10))]
    .map((byte) => alphabet[byte % alphabet.length])
    .join("");
  return `${letters.slice(0, 5)}-${letters.slice(5)}`;
}
