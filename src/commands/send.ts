import { hostname } from "node:os";
import { resolve } from "node:path";
import { wholenessOf } from "../media/whole/whole.ts";
import type { TakenFile } from "../modules/library/intake/shapes.ts";
import { type Door, UnreachableError, type Wish } from "../watch/door.ts";
import { failed } from "../watch/local-door.ts";
import { RefusedByServer } from "../watch/remote.ts";
import { look } from "../watch/scan.ts";
import { type Command, RefusedError, UnavailableError } from "./command.ts";
import { openDoor } from "./watch/door.ts";

/** A hook after a render waits some seconds for a server that cannot be reached. */
const TRIES = 5;

/**
 * `send`: puts files into a library here or on a server, as versions of the tracks that their names say, or of the named one. What
 * was sent in part is continued. Exit 1 when a file was refused, 3 when the server could not be reached.
 */
export const send: Command<"send"> = async (context) => {
  const { options, words, print } = context;
  const door = openDoor(context, options, TRIES);
  const wish = { ...wishOf("trackId", options.track), ...wishOf("label", options.label) };
  let refused = 0;
  for (const path of words) {
    const { outcome, trackId, versionId, label, title, url, reason } = await sendOne(door, path, wish);
    print({ path, outcome, trackId, versionId, label, title, url, reason });
    if (outcome === "failed") refused++;
    else if (options.open && url !== null) openPage(url);
  }
  if (refused > 0) throw new RefusedError(`${refused} of ${words.length} files were not sent`);
};

const wishOf = (name: keyof Wish, value: string | undefined): Wish =>
  value === undefined ? {} : { [name]: value };

async function sendOne(door: Door, path: string, wish: Wish): Promise<TakenFile> {
  const file = resolve(path);
  const entry = await look(file, file.replaceAll("\\", "/"));
  if (!entry) return failed(path, "There is no such file");
  const wholeness = await wholenessOf(file, entry.sizeBytes);
  if (wholeness === undefined) return failed(path, "This is not an audio file in a supported format");
  if (wholeness === "cut") return failed(path, "The end of this file is missing");
  try {
    const taken = await door.take(entry, { kind: "send", source: hostname() }, wish);
    return taken ?? failed(path, "The file changed while it was sent: send it again");
  } catch (error) {
    if (error instanceof UnreachableError) throw new UnavailableError(error.message);
    throw error instanceof RefusedByServer ? new RefusedError(error.message) : error;
  }
}

const OPENERS: Partial<Record<NodeJS.Platform, string[]>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
};

/** Opens a page in the browser, where there is one. */
function openPage(url: string): void {
  const [program = "xdg-open", ...more] = OPENERS[process.platform] ?? [];
  try {
    Bun.spawn([program, ...more, url], { stdin: "ignore", stdout: "ignore", stderr: "ignore" }).unref();
  } catch {
    // The address is in the output.
  }
}
