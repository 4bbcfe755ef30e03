import { statSync } from "node:fs";
import { resolve } from "node:path";
import { SECOND_MS } from "../kernel/time.ts";
import { watchInto } from "../watch/folder.ts";
import { type LinkOut, sentenceOfLinks } from "../watch/links.ts";
import { type Command, parseOrExplain, RefusedError, UsageError, wholeNumber } from "./command.ts";
import { DOOR_OPTIONS, openDoor } from "./watch/door.ts";

const USAGE =
  "dubplate watch FOLDER --email E | --url ADDRESS --key KEY [--settle SECONDS] [--every SECONDS] [--once]";
const DEFAULT_EVERY = "30";
const MAX_SECONDS = 3600;
/** A server may be away for a while; after this the folder is looked through again. */
const TRIES = 3;

/**
 * `watch`: takes in what lands in a folder, into a library here or on a server, until it is stopped. It never changes anything in
 * the folder. `--once` ends when nothing is left to take.
 */
export const watch: Command = async (context) => {
  const { args, print, say, settings, untilStopped } = context;
  const { values, positionals } = parseOrExplain(args, USAGE, {
    ...DOOR_OPTIONS,
    settle: { type: "string" },
    every: { type: "string", default: DEFAULT_EVERY },
    once: { type: "boolean", default: false },
  });
  const [named, ...more] = positionals;
  if (named === undefined || more.length > 0) throw new UsageError(USAGE);
  const [settleMs, everyMs] = [secondsIn(values.settle, settings.watchSettleMs), secondsIn(values.every, 0)];
  const folder = resolve(named);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new RefusedError(`There is no folder ${folder}`);
  const door = openDoor(context, values, USAGE, TRIES);

  const stop = new AbortController();
  void untilStopped().then(() => stop.abort());
  const isOnce = values.once === true;
  if (!isOnce) say(`Watching ${folder}`);
  const tellLinks = (links: readonly LinkOut[]) => say(sentenceOfLinks(links));
  await watchInto({
    folder,
    ...(values.email !== undefined && { keepOut: settings.dataDir }),
    door,
    settleMs,
    everyMs,
    isOnce,
    tell: print,
    say,
    tellLinks,
    signal: stop.signal,
  });
};

function secondsIn(value: unknown, otherwise: number): number {
  if (typeof value !== "string") return otherwise;
  const seconds = wholeNumber(value, USAGE);
  if (seconds < 0 || seconds > MAX_SECONDS) throw new UsageError(USAGE);
  return seconds * SECOND_MS;
}
