import { randomUUID } from "node:crypto";
import { rename, rm } from "node:fs/promises";
import { resolve } from "node:path";
import type { MarkerFormat } from "../kernel/marker-formats.ts";
import { UnreachableError } from "../watch/door.ts";
import { json, RefusedByServer, type Remote, send } from "../watch/remote.ts";
import { type Command, RefusedError, UnavailableError, UsageError } from "./command.ts";
import { serverNamed } from "./watch/door.ts";

/** A person waits, or a workstation does. */
const TRIES = 2;
const BINARY: ReadonlySet<string> = new Set<MarkerFormat>(["midi", "wav"]);

/**
 * `notes`: prints the notes on a version of a track on a server, or writes them to a file. Exit 1 when the server refuses, 3 when it
 * cannot be reached.
 */
export const notes: Command<"notes"> = async (context) => {
  const { options, print, show } = context;
  const { track, format, output } = options;
  if (BINARY.has(format) && output === undefined)
    throw new UsageError(`--format ${format} is not text: name a file for it with -o`);
  const server = { ...serverNamed(context, options), tries: TRIES };
  try {
    const version = options.version ?? (await activeVersionOf(server, track));
    const response = await send(server, "GET", pathOf(track, version, options), { headers: {} });
    if (output === undefined) show((await response.text()).replace(/\n$/, ""));
    else print({ file: output, bytes: await write(response, resolve(output)) });
  } catch (error) {
    if (error instanceof UnreachableError) throw new UnavailableError(error.message);
    throw error instanceof RefusedByServer ? new RefusedError(error.message) : error;
  }
};

async function activeVersionOf(server: Remote, track: string): Promise<string> {
  const { data } = await json(server, "GET", `/tracks/${encodeURIComponent(track)}/versions`);
  return (data as { activeVersionId: string }).activeVersionId;
}

type Wanted = { format: string; answered: boolean; sections: boolean; bpm: string | undefined };

function pathOf(track: string, version: string, { format, answered, sections, bpm }: Wanted): string {
  const query = new URLSearchParams({
    format,
    ...(answered && { state: "open,answered" }),
    ...(sections && { sections: "true" }),
    ...(bpm !== undefined && { bpm }),
  });
  return `/tracks/${encodeURIComponent(track)}/versions/${encodeURIComponent(version)}/notes?${query}`;
}

/** Writes an answer to a file, which is there whole or not at all. Returns its length. */
async function write(response: Response, path: string): Promise<number> {
  const part = `${path}.${randomUUID()}.part`;
  try {
    const bytes = await Bun.write(part, response);
    await rename(part, path);
    return bytes;
  } catch (error) {
    await rm(part, { force: true }).catch(() => undefined); // the folder may be none
    throw error instanceof Error && "code" in error
      ? new RefusedError(`${path} could not be written: ${error.message}`)
      : error;
  }
}
