import type { Db } from "../db/client.ts";
import { createApp } from "./app.ts";
import type { Schedule } from "./backup/schedule.ts";
import { conditionOf } from "./kernel/condition.ts";
import type { Deps } from "./kernel/deps.ts";
import { LibraryError } from "./kernel/errors.ts";
import { MAX_FILE_BYTES } from "./kernel/limits.ts";
import { listenAddress, type Settings } from "./kernel/settings.ts";
import { reportSlowStatements } from "./kernel/slow-statements.ts";
import { SECOND_MS } from "./kernel/time.ts";
import { closeLibrary, lockLibrary, openLibrary, withSentences } from "./library.ts";
import { askForFfmpeg, type Ffmpeg } from "./media/ffmpeg/find-ffmpeg.ts";
import { startMeasuringReferences } from "./modules/library/analysis/service.ts";
import { foldArtists } from "./modules/library/catalog/service.ts";
import { MAX_FILES } from "./modules/library/tracks/upload/shapes.ts";
import type { MailSender } from "./modules/mail/outbox/sending/sender.ts";
import { doubtMails } from "./modules/mail/outbox/service.ts";
import { skipTo } from "./modules/outward/digests/queries.ts";
import type { Digests } from "./modules/outward/digests/service.ts";
import { startDeliveryThread } from "./modules/outward/webhooks/thread.ts";
import { createSetupCode } from "./modules/people/accounts/service.ts";
import type { LedgerKeeping } from "./modules/proof/ledger/schedule.ts";
import { endLogs } from "./modules/proof/ledger/service.ts";
import { startSearching } from "./modules/search/search/service.ts";
import { startReadingLeaks } from "./modules/sharing/leaks/ask.ts";
import { noteMailTrouble } from "./modules/whole/operator/service.ts";
import { beginServing } from "./store/serving.ts";
import {
  createCheckpointThread,
  createDeliveryWorker,
  createLeakPool,
  createReferencePool,
  spawnSearchThread,
} from "./threads.ts";
import { recoverFiles, startUpkeep } from "./upkeep.ts";
import type { WatchedFolders } from "./watch/serve.ts";
import { startWorkers } from "./workers.ts";

/** Uses the console, because `process.stdout` loads Node's streams, which nothing else needs at the start. */
const STANDARD_OUTPUT = { write: (line: string) => console.log(line.trimEnd()) };
/** As many files as a form may have, and the form around them. Every other body is limited where it is read. */
const MAX_BODY_BYTES = (MAX_FILES + 1) * MAX_FILE_BYTES;
/** The longest idle time that the platform allows for a connection. Requests have their own timeout. */
const IDLE_TIMEOUT_SEC = 255;
const DRAIN_MS = 30 * SECOND_MS;
/** How much of a play in progress a crash may lose. */
const COUNTING_FLUSH_MS = 10 * SECOND_MS;

/** A running server. */
export type Served = {
  deps: Deps;
  address: string;
  /** The code at the start, good until the first account is made; undefined when there is one. */
  setupCode: string | undefined;
  /** The search for ffmpeg, which begins when the server listens. */
  ffmpeg: Promise<Ffmpeg | undefined>;
  /** Finishes running requests, returns jobs to the queue, writes what is pending, and releases the library. */
  stop: () => Promise<void>;
};

/**
 * Opens the library, listens, and starts the job loops.
 *
 * @param onSetupCode Told a new set-up code when the last account was deleted meanwhile.
 * @throws LibraryError, or the system's error when the port cannot be used.
 */
export function startServer(wanted: Settings, onSetupCode: (code: string) => void = () => undefined): Served {
  const library = openForServing(wanted);
  try {
    return withSentences(wanted, () => listen(library, wanted, onSetupCode));
  } catch (error) {
    letGo(library);
    throw error;
  }
}

type Library = { opened: Deps; lock: { release: () => void } };

/** Opens the library as its one server. @throws LibraryError. */
function openForServing(wanted: Settings): Library {
  const opened = openLibrary(wanted, STANDARD_OUTPUT);
  const lock = lockLibrary(wanted);
  try {
    if (!lock)
      throw new LibraryError(
        `Another server already uses DATA_DIR (${wanted.dataDir}): stop it, or set another folder`,
      );
    reportSlowStatements(opened);
    withSentences(wanted, () => beginServing(opened, (tx) => doubtOld(opened, tx)));
    return { opened, lock };
  } catch (error) {
    closeLibrary(opened);
    lock?.release();
    throw error;
  }
}

/** What waited in an older copy of the database may have gone: a person decides about these mails, and digests begin anew. */
function doubtOld({ now, log }: Deps, tx: Db): void {
  const mails = doubtMails(tx, now());
  endLogs(tx, now(), "restored");
  skipTo(tx, now());
  if (mails > 0)
    log("warn", "Mails that waited in this older copy may have gone: none goes again by itself", { mails });
}

/** Starts the threads that measure what is sent along with requests. */
function measureForRequests({ db }: Pick<Deps, "db">): { stop: () => void } {
  const all = [startMeasuringReferences(db, createReferencePool()), startReadingLeaks(db, createLeakPool())];
  return { stop: () => all.forEach(({ stop }) => void stop()) };
}

function listen({ opened, lock }: Library, wanted: Settings, onSetupCode: (code: string) => void): Served {
  recoverFiles(opened);
  let isServing = false;
  const setup = createSetupCode(opened, (code) => {
    if (isServing) onSetupCode(code);
  });
  const setupCode = setup();
  isServing = true;

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
  // Not sooner: the process would take time from the start.
  const ffmpeg = Bun.sleep(0).then(() => askForFfmpeg(settings.ffmpegPath));
  const deps = asServed(opened, settings, ffmpeg);
  const app = createApp(deps, { setupCode: setup, pending: () => server.pendingRequests });
  const workers = startWorkers(deps, { ffmpeg });
  const searching = startSearching(deps, spawnSearchThread);
  const measuring = measureForRequests(deps);
  const deliveries = startDeliveryThread(deps, createDeliveryWorker);
  const upkeep = startUpkeep(deps, createCheckpointThread);
  const backups = backUp(deps);
  const checks = checkReplica(deps);
  const watching = watchForOwners(deps);
  const mailing = sendMails(deps);
  const digesting = writeDigests(deps);
  const proving = keepLedgers(deps);
  const noting = setInterval(() => app.counting.flush(), COUNTING_FLUSH_MS).unref();
  const folded = foldArtists(deps);
  const rest = () =>
    Promise.all([
      workers.stop(),
      deliveries.stop(),
      upkeep.stop(),
      folded,
      backups.then((each) => each?.stop()),
      checks.then((each) => each?.stop()),
      watching.then((each) => each?.stop()),
      mailing.then((each) => each?.stop()),
      digesting.then((each) => each?.stop()),
      proving.then((each) => each.stop()),
    ]);
  conditionOf(deps.db).onDamage((error) => {
    clearInterval(noting);
    deps.log("error", "dubplate.db is damaged: it is only read from now on (docs/recovery.md)", { error });
    void rest();
  });

  const stop = async () => {
    clearInterval(noting);
    void server.stop();
    app.live.close(); // they would never end by themselves
    await Promise.all([drain(server), rest()]);
    await server.stop(true);
    app.usage.flush();
    app.counting.flush(true);
    searching.stop();
    measuring.stop();
    letGo({ opened, lock });
  };
  return { deps, address: listenAddress(settings), setupCode, ffmpeg, stop };
}

/**
 * Returns what the server depends on. A request that needs ffmpeg before the search has ended searches by itself, and
 * waits. Therefore nothing at the start may copy all fields: it would wait too.
 */
function asServed(opened: Deps, settings: Settings, ffmpeg: Promise<Ffmpeg | undefined>): Deps {
  const { db, now, log, secrets, selfCommand } = opened;
  let known: { path: string | undefined } | undefined;
  void ffmpeg.then((found) => {
    known = { path: found?.path };
  });
  return {
    db,
    now,
    log,
    settings,
    secrets,
    selfCommand,
    get ffmpegPath() {
      return known ? known.path : opened.ffmpegPath;
    },
  };
}

/** Starts scheduled backups if the settings ask for them. Their code is loaded only then. */
async function backUp(deps: Deps): Promise<Schedule | undefined> {
  const { backup } = deps.settings;
  return backup && (await import("./backup/schedule.ts")).startBackups(deps, backup);
}

/** Starts handing mails to the relay if the settings name one. Their code is loaded only then. */
async function sendMails(deps: Deps): Promise<MailSender | undefined> {
  const { mail } = deps.settings;
  if (!mail) return undefined;
  const { startMailSender } = await import("./modules/mail/outbox/sending/sender.ts");
  return startMailSender(deps, mail, { onTrouble: (words) => noteMailTrouble(deps, words) });
}

/** Starts writing to members who want to hear of what happened, where mails are sent. Their code is loaded only then. */
async function writeDigests(deps: Deps): Promise<Digests | undefined> {
  return deps.settings.mail && (await import("./modules/outward/digests/service.ts")).startDigests(deps);
}

/** Keeps the ledgers. Their code is loaded once the start is over. */
async function keepLedgers(deps: Deps): Promise<LedgerKeeping> {
  await Bun.sleep(0);
  return (await import("./modules/proof/ledger/schedule.ts")).startLedgers(deps);
}

/** Starts the checks of the replica if the settings name one. Their code is loaded only then. */
async function checkReplica(deps: Deps): Promise<Schedule | undefined> {
  const { replica } = deps.settings;
  return replica && (await import("./backup/replica-schedule.ts")).startReplicaChecks(deps, replica);
}

/** Watches the folders that the settings name. Their code is loaded only then. */
async function watchForOwners(deps: Deps): Promise<WatchedFolders | undefined> {
  const { watch } = deps.settings;
  return watch.length > 0 ? (await import("./watch/serve.ts")).watchFolders(deps, watch) : undefined;
}

/** Closes the library and releases its lock. */
function letGo({ opened, lock }: Library): void {
  closeLibrary(opened, { wasServed: true });
  lock.release();
}

/** Waits until no request is running, at most half a minute. */
async function drain(server: { pendingRequests: number }): Promise<void> {
  const until = performance.now() + DRAIN_MS;
  while (server.pendingRequests > 0 && performance.now() < until) await Bun.sleep(20);
}
