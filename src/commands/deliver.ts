import { existsSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { LibraryId } from "../../db/schema.ts";
import type { OptionsOf } from "../command-line/commands.ts";
import type { Deps } from "../kernel/deps.ts";
import {
  createPackages,
  findNamed,
  makeMarks,
  writeArchive,
  writeFolder,
} from "../modules/delivery/packages/service.ts";
import type { DeliveredWhere, Profile } from "../modules/delivery/packages/shapes.ts";
import { getOwnedTrack, titleOf } from "../modules/library/catalog/service.ts";
import { getAccountByEmail } from "../modules/people/accounts/service.ts";
import { type Command, RefusedError, UsageError } from "./command.ts";

/**
 * `deliver`: writes a package of a playlist, an album or a track into a folder or a ZIP file, and prints each file with its hash. Exit 1
 * when something is not there or an original is damaged; nothing is left then.
 */
export const deliver: Command<"deliver"> = async ({ open, options, words: [to = "."], print }) => {
  const path = resolve(to);
  const isArchive = path.endsWith(".zip");
  if (isArchive && existsSync(path))
    throw new RefusedError(`${path} exists: choose another name, or move it away`);
  const folder = folderAt(isArchive ? dirname(path) : path);
  const deps = open();
  const { id: accountId } = getAccountByEmail(deps, options.email, options.library);
  const { recipient } = options;
  const profile = options.profile as Profile; // one of the choices
  const { where, name } = chosen(deps, accountId, options);
  const asked = {
    ...{ where, profile, name: options.name ?? name },
    ...(recipient !== undefined && { recipient }),
    ...(options.unmarked && { isMarked: false }),
  };
  const plan = await createPackages(deps).plan({ accountId }, asked);
  if (plan.missing.length > 0)
    throw new RefusedError(`Files are missing: ${plan.missing.map(({ fileName }) => fileName).join(", ")}`);
  const never = new AbortController().signal;
  await makeMarks(deps, plan, never);
  const { files } = await (isArchive
    ? writeArchive(deps, plan, path, never)
    : writeFolder(deps, plan, folder, never));
  for (const file of files) print(file);
};

/** Returns what the options name, and what it is called. */
function chosen(
  deps: Deps,
  ownerId: LibraryId,
  { playlist, track }: OptionsOf<"deliver">,
): { where: DeliveredWhere; name: string } {
  if (playlist !== undefined && track === undefined) {
    const found = findNamed(deps.db, ownerId, playlist);
    if (!found) throw new RefusedError(`There is no playlist ${playlist}, or several have that name`);
    return { where: { playlistId: found.id }, name: found.name };
  }
  if (track === undefined || playlist !== undefined)
    throw new UsageError("Name either a playlist or a track: --playlist ID, --track ID");
  const { name } = getOwnedTrack(deps.db, ownerId, track);
  return { where: { ids: [track] }, name: titleOf({ title: null, name }) };
}

function folderAt(path: string): string {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path;
  throw new RefusedError(`${path} is no folder`);
}
