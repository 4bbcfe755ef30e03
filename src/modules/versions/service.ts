import { existsSync } from "node:fs";
import { checkLink, signLink } from "../../blobs/links.ts";
import { blobPath } from "../../blobs/store.ts";
import type { Deps } from "../../kernel/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { apiRootOf } from "../../kernel/settings.ts";
import { toIso } from "../../kernel/time.ts";
import type { Version, VersionList } from "./model.ts";
import type { VersionRow } from "./queries.ts";
import { findActiveVersionId, findVersion, listVersions } from "./queries.ts";

/** Extensions by media type, the usual one first. */
const EXTENSIONS: Readonly<Record<string, readonly string[]>> = {
  "audio/wav": ["wav", "wave", "bwf"],
  "audio/x-w64": ["w64"],
  "audio/aiff": ["aiff", "aif", "aifc"],
  "audio/flac": ["flac"],
  "audio/mpeg": ["mp3", "mp2", "mpga"],
  "audio/ogg": ["ogg", "oga", "opus"],
  "audio/mp4": ["m4a", "mp4", "m4b", "mov", "3gp"],
  "audio/aac": ["aac"],
  "audio/x-caf": ["caf"],
};
const ANY_EXTENSION = new Set(Object.values(EXTENSIONS).flat());

type VersionDeps = Pick<Deps, "db" | "now" | "secrets" | "settings">;

/**
 * Returns the versions of an account's track, oldest first, each with a fresh link to its file.
 *
 * @throws DomainError `track_not_found`.
 */
export function listTrackVersions(deps: VersionDeps, ownerId: string, trackId: string): VersionList {
  const activeVersionId = getActiveVersionId(deps, ownerId, trackId);
  const versions = listVersions(deps.db, trackId).map((row) => toVersion(deps, row, activeVersionId));
  return { trackId, activeVersionId, count: versions.length, versions };
}

/**
 * Returns one version of an account's track.
 *
 * @throws DomainError `track_not_found`, `version_not_found`.
 */
export function getTrackVersion(
  deps: VersionDeps,
  ownerId: string,
  trackId: string,
  versionId: string,
): Version {
  const activeVersionId = getActiveVersionId(deps, ownerId, trackId);
  const row = findVersion(deps.db, versionId);
  if (row?.trackId === trackId) return toVersion(deps, row, activeVersionId);
  throw new DomainError("version_not_found", "The track has no such version");
}

function getActiveVersionId({ db }: Pick<Deps, "db">, ownerId: string, trackId: string): string {
  const id = findActiveVersionId(db, ownerId, trackId);
  if (id !== undefined) return id;
  throw new DomainError("track_not_found", "There is no such track");
}

function toVersion(deps: VersionDeps, row: VersionRow, activeVersionId: string): Version {
  return {
    id: row.id,
    trackId: row.trackId,
    label: row.label,
    name: row.name,
    order: row.versionOrder,
    active: row.id === activeVersionId,
    visible: row.visible,
    type: row.mediaType,
    size: row.sizeBytes,
    ...(row.analysedAt !== null && { cid: row.sha256 }),
    createdAt: toIso(row.createdAt),
    downloadUrl: downloadUrl(deps, row),
  };
}

/** What a link needs to know of a version. */
export type LinkedVersion = { id: string; name: string; mediaType: string };

/**
 * Returns an absolute link to a version's original file, good for an hour and for anybody who has it. Never store it,
 * never put it into an event.
 */
export function downloadUrl(
  deps: Pick<Deps, "now" | "secrets" | "settings">,
  version: LinkedVersion,
): string {
  const target = { versionId: version.id, filename: downloadName(version) };
  return apiRootOf(deps.settings) + signLink(deps, target);
}

/** A version's original file, as a download needs it. */
export type OriginalFile = {
  path: string;
  sizeBytes: number;
  mediaType: string;
  etag: string;
  lastModifiedAt: number;
  filename: string;
};

/**
 * Returns the file behind a link that {@link downloadUrl} made.
 *
 * @throws DomainError `invalid_link` when the link is forged or over its hour, `version_not_found` when the version was
 *   deleted meanwhile.
 */
export function getOriginalFile(
  deps: Pick<Deps, "db" | "now" | "secrets" | "settings">,
  target: { versionId: string; filename: string },
  query: { expires?: string; signature?: string },
): OriginalFile {
  checkLink(deps, target, { expires: query.expires, signature: query.signature });
  const version = findVersion(deps.db, target.versionId);
  if (!version) throw new DomainError("version_not_found", "This version has been deleted");
  return toOriginalFile(deps, version, target.filename);
}

function toOriginalFile(
  { settings }: Pick<Deps, "settings">,
  version: VersionRow,
  filename: string,
): OriginalFile {
  const path = blobPath(settings, version.sha256);
  if (!existsSync(path))
    throw new Error(`The file of version ${version.id} is missing from the audio folder`);
  return {
    path,
    sizeBytes: version.sizeBytes,
    mediaType: version.mediaType,
    etag: `"${version.sha256}"`,
    lastModifiedAt: version.createdAt,
    filename,
  };
}

/** The version's name with an extension that fits what the file is, so that it opens by a double click. */
function downloadName({ name, mediaType }: LinkedVersion): string {
  const [usual = "bin", ...others] = EXTENSIONS[mediaType] ?? [];
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? "";
  if (extension === usual || others.includes(extension)) return name;
  const stem = ANY_EXTENSION.has(extension) ? name.slice(0, -extension.length - 1) : name;
  return `${stem}.${usual}`;
}
