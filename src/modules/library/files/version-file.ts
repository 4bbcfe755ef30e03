import { originalsOf } from "../../../blobs/store.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import type { FileSource, RemoteFile } from "../../../kernel/file-source.ts";
import { tellFileMissing } from "../../people/notifications/service.ts";
import { findOwnerId, type VersionRow } from "../catalog/service.ts";
import { choosePlayable, listPlayable, type Playable, type Recorded } from "../renditions/service.ts";

type FileDeps = Pick<Deps, "db" | "now" | "log" | "secrets" | "settings">;

/** The parts of a version that serving its file needs. */
export type ServedVersion = Pick<
  VersionRow,
  "id" | "trackId" | "name" | "sha256" | "sizeBytes" | "mediaType" | "createdAt"
>;

/** A file of a version, in the form that a download needs; the name is added elsewhere. */
export type MediaFile = {
  source: FileSource;
  sizeBytes: number;
  mediaType: string;
  etag: string;
  lastModifiedAt: number;
  isDateWeak?: boolean;
};

/**
 * Returns the original of a version. Other accounts' versions may share the file, so tag and date are the version's.
 *
 * @throws DomainError `file_missing` when it is not on the disk; the owner is told once.
 */
export function originalFile(deps: FileDeps, version: ServedVersion): MediaFile {
  const found = originalsOf(deps.settings).find(version.sha256);
  if (found === undefined) throw missing(deps, version);
  return {
    source: typeof found === "string" ? found : telling(deps, version, found),
    sizeBytes: version.sizeBytes,
    mediaType: version.mediaType,
    etag: tagOf(deps, version, { kind: "original" }),
    lastModifiedAt: version.createdAt,
  };
}

/**
 * Returns the rendition that is played instead of a version's original, or undefined when there is none. Its tag
 * changes when the rendition is made again. Its date is the version's: the rendition's date would reveal when another
 * account uploaded the same bytes.
 *
 * @throws DomainError `file_missing` when the client gets the original and it is not on the disk.
 */
export function renditionFile(
  deps: FileDeps,
  version: ServedVersion,
  request: Request,
): MediaFile | undefined {
  const playable = listPlayable(deps, version);
  const played = choosePlayable(playable, request);
  if (played.kind === "original") return playable.length > 1 ? originalFile(deps, version) : undefined;
  return playedFile(deps, version, played);
}

/** Returns the file of a rendition of a version. */
export function playedFile(
  deps: FileDeps,
  version: ServedVersion,
  played: Exclude<Playable, { kind: "original" }>,
): MediaFile {
  const { path, sizeBytes, mediaType } = played;
  return {
    source: path,
    sizeBytes,
    mediaType,
    etag: tagOf(deps, version, played),
    lastModifiedAt: version.createdAt,
    isDateWeak: true,
  };
}

/** Returns the tag of a version's file: it distinguishes the states of it, and reveals neither its hash nor its date. */
export function tagOf(
  { secrets }: Pick<Deps, "secrets">,
  { id }: Pick<ServedVersion, "id">,
  played: Exclude<Recorded, { kind: "original" }> | { kind: "original" },
): string {
  const state = played.kind === "original" ? [played.kind] : [played.kind, played.madeAt, played.sizeBytes];
  const mac = new Bun.CryptoHasher("sha256", secrets("media-tags")).update(JSON.stringify([id, ...state]));
  return `"${mac.digest("base64url").slice(0, 22)}"`;
}

/** A file elsewhere is found to be missing only when it is opened. */
function telling(deps: FileDeps, version: ServedVersion, file: RemoteFile): RemoteFile {
  const open: RemoteFile["open"] = (range) =>
    file.open(range).catch((error: unknown) => {
      throw error instanceof DomainError && error.code === "file_missing" ? missing(deps, version) : error;
    });
  return { ...file, open };
}

function missing(deps: FileDeps, { id, trackId, name }: ServedVersion): DomainError {
  const ownerId = findOwnerId(deps.db, trackId);
  if (ownerId !== undefined) tellFileMissing(deps, { ownerId, trackId, versionId: id, name });
  return new DomainError("file_missing", "The file of this version is missing from the server's storage");
}
