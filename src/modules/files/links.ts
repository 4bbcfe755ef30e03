import { checkLink, type LinkTarget, signLink } from "../../blobs/links.ts";
import type { Deps } from "../../kernel/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { apiRootOf } from "../../kernel/settings.ts";
import { findVersion, type VersionRow } from "../catalog/service.ts";
import { listPlayable } from "../renditions/service.ts";
import { type MediaFile, originalFile, renditionFile } from "./version-file.ts";

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
  "audio/ac3": ["ac3"],
  "audio/x-ms-wma": ["wma", "asf", "wmv"],
  "audio/x-wavpack": ["wv"],
  "audio/x-tta": ["tta"],
  "audio/x-ape": ["ape"],
  "audio/x-dsf": ["dsf"],
  "audio/basic": ["au", "snd"],
};
const ANY_EXTENSION = new Set(Object.values(EXTENSIONS).flat());

type LinkDeps = Pick<Deps, "db" | "now" | "secrets" | "settings">;
type FileDeps = LinkDeps & Pick<Deps, "log">;
type NamedFile = MediaFile & { filename: string };
type LinkQuery = { expires?: string; signature?: string };

/** What a link needs to know of a version. */
type LinkedVersion = { id: string; name: string; mediaType: string };

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

/**
 * Returns an absolute link to what is played of a version, good for an hour and for anybody who has it: its renditions,
 * of which the client's Accept field chooses, or its original where there is none. A link to renditions gives no access
 * to an original that is not played itself.
 */
export function playbackUrl(deps: LinkDeps, version: LinkedVersion & { sha256: string }): string {
  const [first, second] = listPlayable(deps, version);
  if (first.kind === "original" && !second) return downloadUrl(deps, version);
  const filename = downloadName({ ...version, mediaType: first.mediaType });
  return apiRootOf(deps.settings) + signLink(deps, { versionId: version.id, filename, use: "rendition" });
}

/**
 * Returns the file behind a link that {@link downloadUrl} made.
 *
 * @throws DomainError `invalid_link` when the link is forged or over its hour, `version_not_found` when the version was
 *   deleted meanwhile, `file_missing`.
 */
export function getOriginalFile(
  deps: FileDeps,
  { versionId, filename }: Omit<LinkTarget, "use">,
  query: LinkQuery,
): NamedFile {
  return { ...originalFile(deps, getLinkedVersion(deps, { versionId, filename }, query)), filename };
}

/**
 * Returns what is played behind a link that {@link playbackUrl} made: of several, what suits the client.
 *
 * @throws DomainError as {@link getOriginalFile} does; `file_missing` also where there is no rendition any more.
 */
export function getRenditionFile(
  deps: FileDeps,
  { versionId, filename }: Omit<LinkTarget, "use">,
  query: LinkQuery,
  request: Request,
): NamedFile {
  const version = getLinkedVersion(deps, { versionId, filename, use: "rendition" }, query);
  const file = renditionFile(deps, version, request);
  if (file) return { ...file, filename: downloadName({ name: filename, mediaType: file.mediaType }) };
  throw new DomainError("file_missing", "What this link plays is gone: fetch a fresh link");
}

function getLinkedVersion(deps: LinkDeps, target: LinkTarget, { expires, signature }: LinkQuery): VersionRow {
  checkLink(deps, target, { expires, signature });
  const version = findVersion(deps.db, target.versionId);
  if (version) return version;
  throw new DomainError("version_not_found", "This version has been deleted");
}

/** Returns a version's name with an extension that fits what the file is, so that it opens by a double click. */
export function downloadName({ name, mediaType }: Pick<LinkedVersion, "name" | "mediaType">): string {
  const [usual = "bin", ...others] = EXTENSIONS[mediaType] ?? [];
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? "";
  if (extension === usual || others.includes(extension)) return name;
  const stem = ANY_EXTENSION.has(extension) ? name.slice(0, -extension.length - 1) : name;
  return `${stem}.${usual}`;
}
