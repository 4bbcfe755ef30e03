import { statSync } from "node:fs";
import { resolve } from "node:path";
import { SECOND_MS } from "../kernel/time.ts";
import { watchInto } from "../watch/folder.ts";
import { type LinkOut, sentenceOfLinks } from "../watch/links.ts";
import { type Command, RefusedError } from "./command.ts";
import { openDoor } from "./watch/door.ts";

/** A server may be away for a while; after this the folder is looked through again. */
const TRIES = 3;

/**
 * `watch`: takes in what lands in a folder, into a library here or on a server, until it is stopped. It never changes anything in
 * the folder. `--once` ends when nothing is left to take.
 */
export const watch: Command<"watch"> = async (context) => {
  const { options, words, print, say, settings, untilStopped } = context;
  const settleMs = options.settle === undefined ? settings.watchSettleMs : options.settle * SECOND_MS;
  const folder = resolve(words[0] ?? "");
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new RefusedError(`There is no folder ${folder}`);
  const door = openDoor(context, options, TRIES);

  const stop = new AbortController();
  void untilStopped().then(() => stop.abort());
  const isOnce = options.once;
  if (!isOnce) say(`Watching ${folder}`);
  const tellLinks = (links: readonly LinkOut[]) => say(sentenceOfLinks(links));
  await watchInto({
    folder,
    ...(options.email !== undefined && { keepOut: settings.dataDir }),
    door,
    settleMs,
    everyMs: options.every * SECOND_MS,
    isOnce,
    tell: print,
    say,
    tellLinks,
    signal: stop.signal,
  });
};
