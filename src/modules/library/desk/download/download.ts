import type { LibraryId, PersonId } from "../../../../../db/schema.ts";
import { missingOf, originalsOf } from "../../../../blobs/store.ts";
import { isOwn, type Member } from "../../../../kernel/actor.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import { DomainError } from "../../../../kernel/errors.ts";
import type { FileSource } from "../../../../kernel/file-source.ts";
import { newToken } from "../../../../kernel/ids.ts";
import { createPaths, extensionOf, fileStem, withoutExtension } from "../../../../kernel/safe-names.ts";
import { MINUTE_MS, toIso } from "../../../../kernel/time.ts";
import { downloadName } from "../../files/service.ts";
import { chosenIds } from "../chosen.ts";
import { selectActiveVersions } from "./queries.ts";
import { DOWNLOAD_MINUTES, type DownloadRequest, type PreparedDownload } from "./shapes.ts";

type DownloadDeps = Pick<Deps, "db" | "now" | "settings">;

/** A file of an archive, with the name that it has there. */
export type DownloadFile = { name: string; source: FileSource; sizeBytes: number; modifiedAt: number };
/** An archive that can be read. */
export type Download = { filename: string; files: readonly DownloadFile[] };

const KEPT_MS = DOWNLOAD_MINUTES * MINUTE_MS;
/** Of all accounts; the oldest leave first. */
const MAX_KEPT = 1000;

/** The archives that were asked for, as long as they can be read. */
export type Downloads = {
  /**
   * Notes the original files of chosen tracks, their active versions, for {@link Downloads.open}.
   *
   * @param sizeOf Returns how long the archive becomes.
   * @throws DomainError `validation_failed` for a filter that cannot be read, `track_not_found` when no file is left,
   *   `storage_unavailable`.
   */
  prepare: (
    actor: Member,
    asked: DownloadRequest,
    sizeOf: (files: readonly DownloadFile[]) => number,
  ) => Promise<PreparedDownload>;
  /**
   * Returns an archive that somebody prepared; who manages the library may have anybody's.
   *
   * @throws DomainError `not_found` when that is too long ago, and for another person's.
   */
  open: (actor: Member, id: string) => Download;
};

/** Returns {@link Downloads} without any. They are kept in memory: a restart forgets them. */
export function createDownloads(deps: DownloadDeps): Downloads {
  const kept = new Map<string, Download & { ownerId: LibraryId; madeBy: PersonId | null; until: number }>();
  const forget = () => {
    for (const [id, { until }] of kept) if (until <= deps.now() || kept.size > MAX_KEPT) kept.delete(id);
  };
  return {
    prepare: async (actor, { where, name }, sizeOf) => {
      const ownerId = actor.accountId;
      const ids = chosenIds(deps, actor, where);
      const files = await filesOf(deps, ownerId, ids);
      if (files.length === 0) throw new DomainError("track_not_found", "There is no file to download");
      const filename = `${fileStem(name ?? `Tracks ${toIso(deps.now()).slice(0, 10)}`)}.zip`;
      const id = newToken(16);
      const madeBy = actor.personId ?? null;
      kept.set(id, { ownerId, madeBy, filename, files, until: deps.now() + KEPT_MS });
      forget();
      return {
        path: `/app/downloads/${id}`,
        filename,
        files: files.length,
        sizeBytes: sizeOf(files),
        missing: ids.length - files.length,
      };
    },
    open: (actor, id) => {
      forget();
      const download = kept.get(id);
      if (download?.ownerId === actor.accountId && isOwn(actor, download.madeBy)) return download;
      throw new DomainError("not_found", "This download is no longer there. Please start it again.");
    },
  };
}

/** Returns the files that are there, under the names that they came with; two with the same name get numbers. */
async function filesOf(
  { db, settings }: DownloadDeps,
  ownerId: LibraryId,
  ids: readonly string[],
): Promise<DownloadFile[]> {
  const nameFor = createPaths();
  const found = selectActiveVersions(db, ownerId, ids).flatMap((version) => {
    const source = originalsOf(settings).find(version.sha256);
    return source === undefined ? [] : { version, source };
  });
  const missing = await missingOf(found.map(({ source }) => source));
  return found
    .filter(({ source }) => !missing.has(source))
    .map(({ version, source }) => {
      const filename = downloadName(version);
      const { sizeBytes, createdAt } = version;
      const name = nameFor("", withoutExtension(filename), extensionOf(filename));
      return { name, source, sizeBytes, modifiedAt: createdAt };
    });
}
