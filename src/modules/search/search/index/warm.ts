import { setImmediate } from "node:timers/promises";
import type { LibraryId } from "../../../../../db/schema.ts";
import type { Log } from "../../../../kernel/log.ts";
import type { SearchEngine } from "./engine.ts";
import type { Keeper } from "./keeper.ts";
import { type Mirror, prepare } from "./mirror.ts";
import { listUnkept } from "./snapshots.ts";

/**
 * Reads the large accounts without an up-to-date file, the most recent searchers first, as long as there is room. The
 * keeper then writes their files. Searches do not wait for this.
 */
export async function warm(mirror: Mirror, keeper: Keeper | undefined): Promise<void> {
  let room = mirror.maxTracks;
  for (const ownerId of listUnkept(mirror.db)) {
    if (room <= 0) return;
    await prepare(mirror, ownerId);
    keeper?.note(ownerId);
    room -= mirror.shards.get(ownerId)?.length ?? 0;
  }
}

/** It says something of each kind, so that its reading and its ranking make the next search find all words and code loaded. */
const TRIAL = "dark piano, 100-120 bpm, about two minutes, in A minor, no vocals";

/** Reads an account's index and answers a search that nobody asked for. Searches that come meanwhile are answered between both. */
export async function getReady(
  { engine, mirror, keeper }: { engine: SearchEngine; mirror: Mirror; keeper: Keeper | undefined },
  ownerId: LibraryId,
  log: Log,
): Promise<void> {
  try {
    await prepare(mirror, ownerId);
    await setImmediate();
    const task = { ownerId, query: TRIAL, filter: {}, seedIds: [], excludedIds: [], limit: 20 };
    await engine.search(task, new AbortController().signal);
    keeper?.note(ownerId);
  } catch (error) {
    log("warn", "A library's search could not be prepared; its first search reads it", {
      error: String(error),
    });
  }
}
