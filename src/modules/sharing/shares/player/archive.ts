import { missingOf, originalsOf } from "../../../../blobs/store.ts";
import { DomainError } from "../../../../kernel/errors.ts";
import { createPaths, extensionOf, fileStem, withoutExtension } from "../../../../kernel/safe-names.ts";
import { titleOf } from "../../../library/catalog/service.ts";
import { originalFile } from "../../../library/files/service.ts";
import { hasMarkedDownload } from "../../marks/service.ts";
import { checkGrant } from "../access/proofs.ts";
import { requireOpen } from "../access/visit.ts";
import {
  findPlaylist,
  type LinkRow,
  type Opened,
  type SharedVersionRow,
  selectTitles,
  selectVersions,
} from "../page-queries.ts";
import { selectSetVersions } from "../set-queries.ts";
import { downloadOf, type MediaDeps, notOpened, type SharedMedia, servedOf, sharedFile } from "./media.ts";
import { kindFolder, setOf } from "./set.ts";

/** What a proof for the whole playlist is about, in place of a version. */
export const ALL = "all";

/** The originals of a playlist, under the names that they have in an archive. */
export type SharedArchive = { filename: string; files: ArchivedFile[] };
/** A file of it; an archive's file may differ in name from the same file alone. */
export type ArchivedFile = SharedMedia & { name: string; versionId: string; modifiedAt: number };

/**
 * Returns the originals of a link's playlist.
 *
 * @throws DomainError as {@link getDownloadFile} and {@link getOwnArchive} do.
 */
export async function getArchive(deps: MediaDeps, share: LinkRow, request: Request): Promise<SharedArchive> {
  requireOpen(deps, share);
  if (!share.allowDownload) throw new DomainError("invalid_link", "This link is for listening only");
  checkGrant(deps, share, "download", ALL, new URL(request.url).searchParams);
  const fileOf = share.isMarked ? markedFiles(deps, share, request) : undefined;
  return share.entity === "track" ? getSetArchive(deps, share, fileOf) : getOwnArchive(deps, share, fileOf);
}

/** Returns the file of a version for an archive; undefined where it does not go in. */
type FileOf = (version: SharedVersionRow) => SharedMedia | undefined | Promise<SharedMedia | undefined>;

/** Copies for one link, all begun before the first is waited for. Lossy originals stay out, and what cannot be marked. */
function markedFiles(deps: MediaDeps, share: LinkRow, request: Request): FileOf {
  return async (version) => {
    if (!hasMarkedDownload(version)) return undefined;
    try {
      return await downloadOf(deps, share, version, request);
    } catch (error) {
      if (error instanceof DomainError && error.code === "file_missing") return undefined;
      throw error;
    }
  };
}

/** Returns the originals of what is kept together with a track, in a folder for each kind. */
async function getSetArchive(
  deps: MediaDeps,
  share: LinkRow,
  fileOf: FileOf | undefined,
): Promise<SharedArchive> {
  if (!share.wholeFamily) throw notOpened();
  const set = setOf(deps.db, share, selectSetVersions(deps.db, share));
  const files = await packed(
    deps,
    set.map(({ row }) => row),
    ({ trackId }) => kindFolder(set.find(({ id }) => id === trackId)),
    fileOf,
  );
  const [lead] = set;
  const title = selectTitles(deps.db, lead ? [lead.id] : []).map(titleOf)[0] ?? "";
  return { filename: `${fileStem(title)}.zip`, files };
}

/**
 * Returns the originals of a playlist of the account that are there.
 *
 * @throws DomainError `file_missing` when none is left, `storage_unavailable`.
 */
export async function getOwnArchive(
  deps: MediaDeps,
  playlist: Opened,
  fileOf?: FileOf,
): Promise<SharedArchive> {
  const files = await packed(deps, selectVersions(deps.db, playlist), () => "", fileOf);
  const title = findPlaylist(deps.db, playlist.ownerId, playlist.entityId)?.name ?? "";
  return { filename: `${fileStem(title)}.zip`, files };
}

/** Returns those originals that are there, each in the folder that it belongs to. @throws DomainError as {@link getOwnArchive}. */
async function packed(
  deps: MediaDeps,
  versions: readonly SharedVersionRow[],
  folderOf: (version: SharedVersionRow) => string,
  fileOf: FileOf = (version) => sharedFile(version, originalFile(deps, servedOf(version))),
): Promise<ArchivedFile[]> {
  const nameFor = createPaths();
  const present = versions.filter(({ sha256 }) => originalsOf(deps.settings).find(sha256) !== undefined);
  const all = await Promise.all(present.map(async (version) => ({ version, file: await fileOf(version) })));
  const found = all.flatMap(({ version, file }) => (file ? { version, file } : []));
  const missing = await missingOf(found.map(({ file }) => file.source));
  const files = found
    .filter(({ file }) => !missing.has(file.source))
    .map(({ version, file }) => {
      const name = nameFor(folderOf(version), withoutExtension(file.filename), extensionOf(file.filename));
      return { ...file, name, versionId: version.versionId, modifiedAt: version.createdAt };
    });
  if (files.length === 0) throw new DomainError("file_missing", "There is no file to download");
  return files;
}
