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
import { pruneUsage } from "./modules/keys/usage.ts";
import { pruneOAuth } from "./modules/oauth/service.ts";
import { renditionShelf } from "./modules/renditions/service.ts";
import { startSearching } from "./modules/search/service.ts";
import { pruneUploads, uploadShelf } from "./modules/submissions/prune.ts";
import { pruneDeliveries } from "./modules/webhooks/service.ts";
import { startDeliveryThread } from "./modules/webhooks/thread.ts";
import { createDeliveryWorker, spawnSearchThread, startWorkers } from "./workers.ts";

/** The console's own way out: `process.stdout` loads Node's streams, which nothing else at the start needs. */
const STANDARD_OUTPUT = { write: (line: string) => console.log(line.trimEnd()) };
const GIBIBYTE = 1024 ** 3;
/** 25 files of 1 GB and what stands between them; every other body is capped where it is read. */
const MAX_BODY_BYTES = 26 * GIBIBYTE;
/** The longest silence of a connection that the platform allows; requests have their own timeout. */
const IDLE_TIMEOUT_SEC = 255;
const DRAIN_MS = 30 * SECOND_MS;
/** So much of a listen in progress a crash may lose. */
const COUNTING_FLUSH_MS = 10 * SECOND_MS;
/** Every folder whose files are named by rows. */
const SHELVES = [audioShelf, artworkShelf, renditionShelf, uploadShelf];

/** A server that listens. */
export type Served = {
  deps: Deps;
  address: string;
  /** Good until the first account is made; undefined when there is one. */
  setupCode: string | undefined;
  /** Finishes the requests in hand, hands jobs back, writes what is pending, and lets go of the library. */
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
 * @throws LibraryInUseError, or the system's error when the port cannot be had.
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
  // With port 0 the system chose one, which addresses in answers must name.
  const settings = { ...wanted, port: server.port ?? wanted.port };
  const deps: Deps = { ...opened, settings };
  const app = createApp(deps, setupCode === undefined ? {} : { setupCode });
  const workers = startWorkers(deps);
  const searching = startSearching(deps, spawnSearchThread);
  const deliveries = startDeliveryThread(deps, createDeliveryWorker);
  const tidying = setInterval(() => tidy(deps), HOUR_MS).unref();
  const noting = setInterval(app.counting.flush, COUNTING_FLUSH_MS).unref();
  const sweeping = sweep(deps);

  const stop = async () => {
    clearInterval(tidying);
    clearInterval(noting);
    void server.stop();
    await Promise.all([drain(server), workers.stop(), deliveries.stop(), sweeping]);
    await server.stop(true);
    app.usage.flush();
    app.counting.flush();
    searching.stop();
    closeLibrary(deps);
    lock.release();
  };
  return { deps, address: listenAddress(settings), setupCode, stop };
}

/** Waits until no request is in hand, at most half a minute. */
async function drain(server: { pendingRequests: number }): Promise<void> {
  const until = performance.now() + DRAIN_MS;
  while (server.pendingRequests > 0 && performance.now() < until) await Bun.sleep(20);
}

/** Deletes what has passed its time. */
function tidy(deps: Deps): void {
  forgetOldAnswers(deps);
  pruneUsage(deps);
  pruneDeliveries(deps).catch((error) =>
    deps.log("error", "Old webhook deliveries could not be deleted", { error }),
  );
  pruneOAuth(deps);
  pruneUploads(deps).catch((error) => deps.log("error", "Old uploads could not be deleted", { error }));
}

/** Deletes temporary files of processes that are gone, and sets files aside that no row names. */
async function sweep(deps: Deps): Promise<void> {
  try {
    await sweepWorkDirs();
    await sweepTemporary(deps);
    await pruneUploads(deps);
    const { isHeld, moved, folders } = await sweepUnnamed(deps, SHELVES);
    if (isHeld)
      deps.log(
        "warn",
        "Files without a row in the database were left where they are: is dubplate.db the right one?",
        folders,
      );
    else if (moved > 0)
      deps.log("info", "Moved files that no row names to the quarantine", { moved, ...folders });
  } catch (error) {
    deps.log("error", "The sweep of unused files failed", { error });
  }
}

/** A code of 50 bits in letters and digits that cannot be mistaken for one another: `K7QF2-M9XTB`. */
function newSetupCode(): string {
  const alphabet = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
  const letters = [...crypto.getRandomValues(new Uint8Array(10))]
    .map((byte) => alphabet[byte % alphabet.length])
    .join("");
  return `${letters.slice(0, 5)}-${letters.slice(5)}`;
}
