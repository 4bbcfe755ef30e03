import type { Role } from "../../../../db/schema.ts";
import { checkLink, type LinkTarget, signLink } from "../../../blobs/links.ts";
import { mayDo, type Viewer } from "../../../kernel/actor.ts";
import { currentSessionMember } from "../../../kernel/current-request.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { allowedTo } from "../../../kernel/roles.ts";
import { apiRootOf } from "../../../kernel/settings.ts";
import { isActiveAccount } from "../../people/accounts/service.ts";
import { guestReachOf } from "../../people/rooms/service.ts";
import { findPresentRole } from "../../people/team/service.ts";
import { findOwnerId, findVersion, type VersionRow } from "../catalog/service.ts";
import { isPlayedItself, listPlayable } from "../renditions/service.ts";
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
  "audio/webm": ["webm"],
};
const ANY_EXTENSION = new Set(Object.values(EXTENSIONS).flat());

type LinkDeps = Pick<Deps, "db" | "now" | "secrets" | "settings">;
type FileDeps = LinkDeps & Pick<Deps, "log">;
type NamedFile = MediaFile & { filename: string };
type LinkQuery = { expires?: string; signature?: string; m?: string };

/** The parts of a version that a link needs. */
type LinkedVersion = { id: string; name: string; mediaType: string };

/** A link that somebody gets in the console ends with the membership; that of a key works for whoever has it. */
function linkTo(deps: Pick<Deps, "now" | "secrets" | "settings">, target: LinkTarget): string {
  const memberId = currentSessionMember();
  return (
    apiRootOf(deps.settings) + signLink(deps, { ...target, ...(memberId !== undefined && { memberId }) })
  );
}

/**
 * Returns an absolute link to a version's original file. It works for one hour, for everyone who has it. Never store it
 * or put it into an event.
 */
export function downloadUrl(
  deps: Pick<Deps, "now" | "secrets" | "settings">,
  version: LinkedVersion,
): string {
  const target = { versionId: version.id, filename: downloadName(version) };
  return linkTo(deps, target);
}

/**
 * Returns an absolute link to a version's original file for a device that keeps it to play it. It works as {@link downloadUrl} does, but
 * fetching it is not a download. Only for those who may have the original, or where it is what everybody plays.
 */
export const copyUrl = (deps: Pick<Deps, "now" | "secrets" | "settings">, version: LinkedVersion): string =>
  linkTo(deps, { versionId: version.id, filename: downloadName(version), use: "copy" });

/**
 * Returns an absolute link to the sound that players get for a version. It works for one hour, for everyone who has it.
 * It serves the rendition that suits the client's Accept header, or the original when there is no rendition. A link to
 * renditions gives no access to the original unless the original itself is played.
 */
export function playbackUrl(deps: LinkDeps, version: LinkedVersion & { sha256: string }): string {
  const [first, second] = listPlayable(deps, version);
  if (first.kind === "original" && !second) return downloadUrl(deps, version);
  return renditionUrl(deps, { ...version, mediaType: first.mediaType });
}

/** Returns an absolute link to the renditions of a version, under a name for one of the media type. */
export const renditionUrl = (
  deps: Pick<Deps, "now" | "secrets" | "settings">,
  version: LinkedVersion,
): string => linkTo(deps, { versionId: version.id, filename: downloadName(version), use: "rendition" });

/**
 * Returns {@link playbackUrl} as a reader may have it. Who may not have originals gets one only where players do because it is
 * small and played by every browser. Until there is a rendition of another, their link opens nothing.
 */
export function listenUrl(
  deps: LinkDeps,
  viewer: Viewer,
  version: LinkedVersion & { sha256: string },
): string {
  const isFree = mayDo(viewer, "download:originals") || isPlayedItself(deps, version);
  if (isFree || listPlayable(deps, version)[0].kind !== "original") return playbackUrl(deps, version);
  return renditionUrl(deps, version);
}

/** Returns {@link downloadUrl} for those who may have originals, and {@link listenUrl} for others. */
export function fileUrl(deps: LinkDeps, viewer: Viewer, version: LinkedVersion & { sha256: string }): string {
  return mayDo(viewer, "download:originals") ? downloadUrl(deps, version) : listenUrl(deps, viewer, version);
}

/**
 * Returns the file behind a link that {@link downloadUrl} made, or {@link copyUrl} with `use`.
 *
 * @throws DomainError `invalid_link` when the link is forged or has expired, its account is disabled or its member gone, `version_not_found` when the version has
 *   been deleted since, `file_missing`.
 */
export function getOriginalFile(
  deps: FileDeps,
  { versionId, filename }: Omit<LinkTarget, "use">,
  query: LinkQuery,
  use?: "copy",
): NamedFile {
  const target = { versionId, filename, ...(use && { use }) };
  return { ...originalFile(deps, getLinkedVersion(deps, target, query)), filename };
}

/**
 * Returns the file to play for a link that {@link playbackUrl} made; of several, the one that suits the client.
 *
 * @throws DomainError, as {@link getOriginalFile} does; `file_missing` also when the rendition no longer exists.
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
  // Who may not have the original waits for what is played in its place, which needs ffmpeg.
  if (query.m !== undefined)
    throw new DomainError("not_found", "There is nothing to play of this version yet: it is being prepared");
  throw new DomainError("file_missing", "The file behind this link no longer exists. Fetch a fresh link");
}

function getLinkedVersion(
  deps: LinkDeps,
  target: LinkTarget,
  { expires, signature, m }: LinkQuery,
): VersionRow {
  checkLink(deps, { ...target, ...(m !== undefined && { memberId: m }) }, { expires, signature });
  const role = m === undefined ? undefined : findPresentRole(deps, m);
  if (m !== undefined && role === undefined)
    throw linkEnded("whoever fetched it is no longer in the library");
  const version = findVersion(deps.db, target.versionId);
  if (!version) throw new DomainError("version_not_found", "This version has been deleted");
  if (m !== undefined && role !== undefined) requireReach(deps, { memberId: m, role }, version, target);
  if (isActiveAccount(deps, findOwnerId(deps.db, version.trackId) ?? "")) return version;
  throw new DomainError("invalid_link", "The library that this link belongs to is closed at the moment");
}

/**
 * What a guest fetched ends with the room, and when the track is taken out of it; a link to an original ends with the role that may have
 * originals.
 *
 * @throws DomainError `invalid_link`.
 */
function requireReach(
  deps: LinkDeps,
  { memberId, role }: { memberId: string; role: Role },
  version: VersionRow,
  { use }: LinkTarget,
): void {
  const guest = guestReachOf(deps, memberId, version.trackId);
  if (guest && !guest.isReached) throw linkEnded("its track is no longer in your playlists");
  const mayHaveOriginals =
    guest?.mayHaveOriginals ?? allowedTo(role, false, false).needs.has("download:originals");
  if (use !== "rendition" && !mayHaveOriginals && !isPlayedItself(deps, version))
    throw linkEnded("your role has no original files");
}

const linkEnded = (why: string) => new DomainError("invalid_link", `This link has ended: ${why}`);

/** Returns a version's name with an extension that matches the file's type, so a double click opens it. */
export function downloadName({ name, mediaType }: Pick<LinkedVersion, "name" | "mediaType">): string {
  const [usual = "bin", ...others] = EXTENSIONS[mediaType] ?? [];
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? "";
  if (extension === usual || others.includes(extension)) return name;
  const stem = ANY_EXTENSION.has(extension) ? name.slice(0, -extension.length - 1) : name;
  return `${stem}.${usual}`;
}
