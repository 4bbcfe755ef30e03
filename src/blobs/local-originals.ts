import { existsSync, rmSync, statSync } from "node:fs";
import { moveDurably } from "./move.ts";
import { isNamed } from "./named.ts";
import type { Originals } from "./originals.ts";
import { blobPath, type DataDir } from "./paths.ts";
import { erase, locateSetAside, setAside, takeOut } from "./quarantine.ts";

/** Returns the store in the data folder. A file that no row names moves to the quarantine. */
export function localOriginals(settings: DataDir): Originals {
  const pathOf = (sha256: string) => blobPath(settings, sha256);
  const locate = (sha256: string) =>
    existsSync(pathOf(sha256)) ? pathOf(sha256) : locateSetAside(settings, pathOf(sha256));
  const find = (sha256: string) => {
    if (!existsSync(pathOf(sha256))) takeOut(settings, pathOf(sha256));
    // On a full or read-only disk, the file is served from the quarantine.
    return locate(sha256);
  };
  return {
    keep: () => undefined,
    place: (_, { path, sha256, sizeBytes }) => {
      // A file of another size is damaged: the good bytes replace it.
      if (statSync(pathOf(sha256), { throwIfNoEntry: false })?.size === sizeBytes) return;
      if (!takeOut(settings, pathOf(sha256), sizeBytes)) moveDurably(path, pathOf(sha256));
    },
    takeBack: (tx, { path, sha256 }) => {
      if (!existsSync(path) && !isNamed(tx, sha256)) rmSync(pathOf(sha256), { force: true });
    },
    setAside: (tx, sha256, at) => {
      if (!isNamed(tx, sha256)) setAside(settings, pathOf(sha256), at);
    },
    erase: (_, sha256) => erase(settings, pathOf(sha256)),
    find,
    locate,
    localCopy: async (sha256) => {
      const path = find(sha256);
      return path === undefined ? undefined : { path, release: async () => undefined };
    },
    fetchCopy: async () => undefined,
    copyOut: async () => false,
    remoteSize: async () => undefined,
    listRemote: async function* () {},
    listLeaving: () => [],
    isLeaving: () => false,
    leave: () => false,
    stay: () => false,
    emptyRemote: async () => ({ deleted: 0, bytes: 0, heldBy: undefined }),
  };
}
