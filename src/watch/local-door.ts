import { basename } from "node:path";
import type { Deps } from "../kernel/deps.ts";
import { asRefusal } from "../kernel/refusals.ts";
import { MINUTE_MS } from "../kernel/time.ts";
import { textOfBytes } from "../media/lyrics/text.ts";
import { coverFolder } from "../modules/library/albums/service.ts";
import { listAllRemembered, takeFile } from "../modules/library/intake/service.ts";
import type { TakenFile } from "../modules/library/intake/shapes.ts";
import { writeLyrics } from "../modules/library/lyrics/service.ts";
import {
  describeTrackFiles,
  discardTrackFile,
  keepTrackFiles,
  stageTrackFile,
} from "../modules/library/tracks/service.ts";
import type { Door, Origin, Wish } from "./door.ts";
import { type Entry, isSame } from "./scan.ts";

type DoorDeps = Pick<Deps, "db" | "now" | "secrets" | "settings" | "selfCommand" | "ffmpegPath" | "log">;

/** The library of this machine. */
export function localDoor(deps: DoorDeps, accountId: string): Door {
  return {
    remembered: async (source) => listAllRemembered(deps, accountId, source),
    cover: async ({ path, file }, { source }) => {
      const side = { accountId, source, path, bytes: await Bun.file(file).bytes() };
      return coverFolder(deps, side, AbortSignal.timeout(MINUTE_MS));
    },
    words: async ({ file }, { trackId, versionId }) => {
      const lrc = textOfBytes(await Bun.file(file).bytes());
      const body = { lrc, unlessWritten: true, ...(versionId !== undefined && { versionId }) };
      writeLyrics(deps, { ownerId: accountId, trackId }, body);
    },
    take: async (entry, origin, wish) => {
      try {
        return await takeHere(deps, accountId, entry, { ...origin, ...wish });
      } catch (error) {
        const reason = reasonOf(error);
        if (reason === undefined) throw error;
        return failed(entry.path, reason);
      }
    },
  };
}

async function takeHere(
  deps: DoorDeps,
  accountId: string,
  entry: Entry,
  asked: Origin & Wish,
): Promise<TakenFile | undefined> {
  const { path, file, sizeBytes, modifiedAt, inode } = entry;
  const staged = await stageTrackFile(deps, { filename: basename(path), bytes: Bun.file(file).stream() });
  try {
    const { sha256 } = staged.staged;
    if (staged.staged.sizeBytes !== sizeBytes || !(await isSame(entry))) return undefined;
    await describeTrackFiles(deps, accountId, [staged]);
    await keepTrackFiles(deps, [staged]);
    return takeFile(deps, staged, { accountId, path, sizeBytes, modifiedAt, inode, sha256, ...asked });
  } finally {
    await discardTrackFile(staged);
  }
}

/** Why a file was not taken, where that is a reason for a person: a refusal, or what the file system says. */
function reasonOf(error: unknown): string | undefined {
  const refusal = asRefusal(error);
  if (refusal) return refusal.message;
  return error instanceof Error && "code" in error && typeof error.code === "string"
    ? error.message
    : undefined;
}

/** The report on a file that was not taken in. */
export const failed = (path: string, reason: string): TakenFile => ({
  path,
  outcome: "failed",
  trackId: null,
  versionId: null,
  label: null,
  title: null,
  url: null,
  albumId: null,
  reason,
});
