import { rm } from "node:fs/promises";
import { makeWorkDir, sweepWorkDirs } from "../kernel/work-dirs.ts";
import { selfCommand } from "../library.ts";
import { findFfmpeg } from "../media/ffmpeg/find-ffmpeg.ts";
import { workVersion } from "../modules/library/analysis/service.ts";
import { createWorkPool } from "../threads.ts";
import { type Command, UsageError } from "./command.ts";
import { addressOf, serverOf } from "./watch/door.ts";
import { type Workplace, workAt } from "./work/place.ts";
import { workServer } from "./work/server.ts";

/**
 * `work`: does analyses for a server on another machine until it is asked to stop. It has no library: files go to a
 * temporary folder, one for each job. Without `--server` and `--key`, `DUBPLATE_URL` and `DUBPLATE_WORK_KEY` say which
 * server, and no other user of the machine can read the key from the list of processes.
 */
export const work: Command<"work"> = async (context) => {
  const { settings, remote, options, untilStopped, print, say } = context;
  const set = remote();
  const [url, key] = [options.server ?? serverOf(set), options.key ?? set.workKey];
  if (url === undefined) throw new UsageError("Name the server: --server, or DUBPLATE_URL");
  if (key === undefined) throw new UsageError("Name the key: --key, or DUBPLATE_WORK_KEY");
  const concurrency = options.concurrency ?? Math.max(1, settings.analysisConcurrency);
  const server = workServer(addressOf(url, "--server"), key);

  await sweepWorkDirs();
  const stopping = new AbortController();
  untilStopped().then(() => stopping.abort(new DOMException("The worker stops", "AbortError")));
  const pool = createWorkPool();
  const folder = await makeWorkDir("work");
  try {
    const workplace: Workplace = {
      server,
      version: await workVersion(),
      pool,
      ffmpegPath: findFfmpeg(settings.ffmpegPath)?.path,
      selfCommand: selfCommand(),
      folder,
      once: options.once,
      stop: stopping.signal,
      print,
      say,
    };
    const places = Array.from({ length: concurrency }, () => workUntilEnd(workplace, stopping));
    // Every place has handed its job back before the first error ends the program.
    const failed = (await Promise.allSettled(places)).find(({ status }) => status === "rejected");
    if (failed?.status === "rejected") throw failed.reason;
  } finally {
    pool.close();
    await rm(folder, { recursive: true, force: true });
  }
};

/** When one place must end for good, so must the others: they hand their jobs back. */
async function workUntilEnd(workplace: Workplace, stopping: AbortController): Promise<void> {
  try {
    await workAt(workplace);
  } catch (error) {
    stopping.abort(error);
    throw error;
  }
}
