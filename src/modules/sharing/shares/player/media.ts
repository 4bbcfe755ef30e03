import type { Deps } from "../../../../kernel/deps.ts";
import { DomainError } from "../../../../kernel/errors.ts";
import { downloadName, type MediaFile, originalFile, renditionFile } from "../../../library/files/service.ts";
import { isPlayedItself } from "../../../library/renditions/service.ts";
import { hasLinkNotes } from "../../comments/service.ts";
import { markedDownload, markedListening } from "../../marks/service.ts";
import { checkGrant, grant, type Right } from "../access/proofs.ts";
import { requireOpen } from "../access/visit.ts";
import {
  findSharedVersion,
  findWaveform,
  isActive,
  type LinkRow,
  type Opened,
  type SharedVersionRow,
} from "../page-queries.ts";
import type { ShareRow } from "../queries.ts";

export type MediaDeps = Pick<Deps, "db" | "now" | "log" | "secrets" | "settings">;

/** A file to serve. */
export type SharedMedia = MediaFile & {
  filename: string;
  /** Of a marked copy. */
  copyId?: string;
  trackId: string;
  /** Null when not measured. */
  durationSec: number | null;
};

/** A request for a version, with the proof that a page of the link issued its address. */
export type MediaRequest = { versionId: string; request: Request };

/** True for the address of an earlier version, which a page plays beside a note. */
export function isComparing({ url }: Request): boolean {
  return new URL(url).searchParams.has(COMPARING);
}

/** Marks such addresses. */
const COMPARING = "compare";

/**
 * Returns the query of an address below a link's page that plays a version: the one that the page plays, or an earlier one
 * beside a note.
 */
export function listenQuery(deps: MediaDeps, share: ShareRow, use: "listen" | "compare", versionId: string) {
  const proof = grant(deps, share, use, versionId);
  return use === "compare" ? `${COMPARING}&${proof}` : proof;
}

/**
 * Returns the file to play for a version: the rendition that suits the client, or the original if there is none.
 *
 * @throws DomainError `invalid_link` when the link has ended or the proof is not valid, `version_not_found` when
 *   the link no longer opens the version, `file_missing`.
 */
export function getListenFile(
  deps: MediaDeps,
  share: LinkRow,
  asked: MediaRequest,
): SharedMedia | Promise<SharedMedia> {
  const version = getPlayed(deps, share, asked);
  if (!share.isMarked) return playedOf(deps, version, asked.request);
  return markedListening(deps, share, version, asked.request).then((file) => sharedFile(version, file));
}

/** Returns what is to be known of a version that a page reports as heard. @throws DomainError as {@link getListenFile} does. */
export function getHeard(
  deps: MediaDeps,
  share: LinkRow,
  asked: MediaRequest,
): Pick<SharedMedia, "trackId" | "durationSec" | "sizeBytes"> {
  const { trackId, durationSec, sizeBytes } = getPlayed(deps, share, asked);
  return { trackId, durationSec, sizeBytes };
}

/** Returns a version whose address a page gave to play or to compare it. */
function getPlayed(deps: MediaDeps, share: LinkRow, asked: MediaRequest): SharedVersionRow {
  if (!isComparing(asked.request)) return getVersion(deps, share, "listen", asked);
  const version = getVersion(deps, share, "compare", asked);
  checkCompared(deps, share, version.versionId);
  return version;
}

/** @throws DomainError `version_not_found` unless the link asks for approval, and made notes on the version. */
function checkCompared({ db }: MediaDeps, share: ShareRow, versionId: string): void {
  if (share.allowReview && hasLinkNotes({ db }, share.id, versionId)) return;
  throw notOpened();
}

function playedOf(
  deps: MediaDeps,
  version: SharedVersionRow,
  request: Request,
  mayHaveOriginal = true,
): SharedMedia {
  const rendition = renditionFile(deps, servedOf(version), request);
  if (!rendition && !mayHaveOriginal && !isPlayedItself(deps, version))
    throw new DomainError("file_missing", "This track is still being prepared for listening");
  const file = rendition ?? originalFile(deps, servedOf(version));
  // The rendition may replace the original at the same address, with the same date.
  return sharedFile(version, { ...file, isDateWeak: true });
}

/**
 * Returns the original of a version.
 *
 * @throws DomainError as {@link getListenFile} does; `invalid_link` also when the link does not allow downloads.
 */
export function getDownloadFile(
  deps: MediaDeps,
  share: LinkRow,
  asked: MediaRequest,
): SharedMedia | Promise<SharedMedia> {
  requireOpen(deps, share);
  if (!share.allowDownload) throw new DomainError("invalid_link", "This link is for listening only");
  const version = getVersion(deps, share, "download", asked);
  return downloadOf(deps, share, version, asked.request);
}

/** Returns what is downloaded of a version: its original, or the copy of a link whose copies are marked. */
export function downloadOf(
  deps: MediaDeps,
  share: LinkRow,
  version: SharedVersionRow,
  request: Request,
): SharedMedia | Promise<SharedMedia> {
  if (!share.isMarked) return sharedFile(version, originalFile(deps, servedOf(version)));
  return markedDownload(deps, share, version, request.signal).then((file) => sharedFile(version, file));
}

/**
 * Returns the waveform of a version, int8 pairs (min, max). The right to listen includes it.
 *
 * @throws DomainError as {@link getListenFile} does; `version_not_found` also until it is analysed.
 */
export function getWaveform(deps: MediaDeps, share: LinkRow, asked: MediaRequest): Uint8Array {
  return waveformOf(deps, getPlayed(deps, share, asked));
}

function waveformOf({ db }: MediaDeps, { versionId }: SharedVersionRow): Uint8Array {
  const waveform = findWaveform(db, versionId);
  if (waveform) return waveform;
  throw new DomainError("version_not_found", "This version has not been analysed yet");
}

/**
 * Returns a new proof for the address of a version that a page plays. Call it only for visitors who may open the link. They hear
 * what plays now, and what they may compare with it.
 *
 * @throws DomainError `version_not_found` for any other version.
 */
export function renewedGrant(deps: MediaDeps, share: ShareRow, { versionId, request }: MediaRequest): string {
  const { trackId } = getOpenVersion(deps, share, versionId);
  if (!isComparing(request)) {
    if (!isActive(deps.db, trackId, versionId)) throw notOpened();
    return grant(deps, share, "listen", versionId);
  }
  checkCompared(deps, share, versionId);
  return grant(deps, share, "compare", versionId);
}

/**
 * Returns a file of a version in a playlist of the account: the file to play, or the original.
 *
 * @throws DomainError `version_not_found`.
 */
export function getOwnFile(
  deps: MediaDeps,
  playlist: Opened & { allowDownload: boolean },
  use: "listen" | "download",
  { versionId, request }: MediaRequest,
): SharedMedia {
  const version = getOpenVersion(deps, playlist, versionId);
  if (use === "listen") return playedOf(deps, version, request, playlist.allowDownload);
  return sharedFile(version, originalFile(deps, servedOf(version)));
}

/** Returns the waveform of a version in a playlist of the account. @throws DomainError `version_not_found`. */
export function getOwnWaveform(deps: MediaDeps, playlist: Opened, versionId: string): Uint8Array {
  return waveformOf(deps, getOpenVersion(deps, playlist, versionId));
}

function getVersion(
  deps: MediaDeps,
  share: LinkRow,
  right: Right,
  { versionId, request }: MediaRequest,
): SharedVersionRow {
  requireOpen(deps, share);
  checkGrant(deps, share, right, versionId, new URL(request.url).searchParams);
  return getOpenVersion(deps, share, versionId);
}

function getOpenVersion({ db }: Pick<MediaDeps, "db">, opened: Opened, versionId: string): SharedVersionRow {
  const version = findSharedVersion(db, opened, versionId);
  if (version) return version;
  throw notOpened();
}

export const notOpened = () => new DomainError("version_not_found", "This link no longer opens this version");

export const servedOf = ({ versionId, versionName, ...version }: SharedVersionRow) => ({
  ...version,
  id: versionId,
  name: versionName,
});

export const sharedFile = (
  { versionName: name, trackId, durationSec }: SharedVersionRow,
  file: MediaFile,
): SharedMedia => ({
  ...file,
  filename: downloadName({ name, mediaType: file.mediaType }),
  trackId,
  durationSec,
});
