import { existsSync } from "node:fs";
import { blobPath } from "../../blobs/store.ts";
import type { Deps } from "../../kernel/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { findRendition } from "../renditions/service.ts";
import { downloadName } from "../versions/service.ts";
import { findSharedVersion, findWaveform, type SharedVersionRow } from "./page-queries.ts";
import { checkGrant, grant, type Right } from "./proofs.ts";
import type { ShareRow } from "./queries.ts";
import { endOf } from "./visit.ts";

type MediaDeps = Pick<Deps, "db" | "now" | "secrets" | "settings">;

/** A file as it is served. */
export type SharedMedia = {
  trackId: string;
  /** Null: not measured. */
  durationSec: number | null;
  path: string;
  sizeBytes: number;
  mediaType: string;
  etag: string;
  lastModifiedAt: number;
  filename: string;
};

/** What is asked for: a version, and the proof that a page of the link gave it out. */
export type MediaRequest = { versionId: string; proof: URLSearchParams };

/**
 * Returns what is played of a version: its rendition, or the original where there is none.
 *
 * @throws DomainError `invalid_link` when the link is over or the proof is not good, `version_not_found` when the link
 *   does not open the version any more.
 */
export function getListenFile(deps: MediaDeps, share: ShareRow, asked: MediaRequest): SharedMedia {
  const version = getVersion(deps, share, "listen", asked);
  const rendition = findRendition(deps, version.sha256);
  if (!rendition) return originalOf(deps, version);
  const { madeAt, ...file } = rendition;
  const filename = downloadName({ name: version.versionName, mediaType: rendition.mediaType });
  const etag = `"${version.sha256}-${madeAt}"`;
  const { trackId, durationSec } = version;
  return { ...file, trackId, durationSec, etag, lastModifiedAt: madeAt, filename };
}

/**
 * Returns the original of a version.
 *
 * @throws DomainError as {@link getListenFile} does; `invalid_link` also where the link allows no downloads now.
 */
export function getDownloadFile(deps: MediaDeps, share: ShareRow, asked: MediaRequest): SharedMedia {
  if (!share.allowDownload) throw new DomainError("invalid_link", "This link is for listening only");
  return originalOf(deps, getVersion(deps, share, "download", asked));
}

/**
 * Returns the outline of a version, int8 pairs (min, max); with the right to listen comes that to see it.
 *
 * @throws DomainError as {@link getListenFile} does; `version_not_found` also while it was not analysed.
 */
export function getWaveform(deps: MediaDeps, share: ShareRow, asked: MediaRequest): Uint8Array {
  const { versionId } = getVersion(deps, share, "listen", asked);
  const waveform = findWaveform(deps.db, versionId);
  if (waveform) return waveform;
  throw new DomainError("version_not_found", "This version was not analysed yet");
}

/**
 * Returns a new proof of the right to listen to a version; call it for those who may open the link.
 *
 * @throws DomainError `version_not_found` when the link does not open the version any more.
 */
export function renewedGrant(deps: MediaDeps, share: ShareRow, versionId: string): string {
  return grant(deps, share, "listen", getSharedVersion(deps, share, versionId).versionId);
}

function getVersion(
  deps: MediaDeps,
  share: ShareRow,
  right: Right,
  { versionId, proof }: MediaRequest,
): SharedVersionRow {
  if (endOf(share, deps.now())) throw new DomainError("invalid_link", "This link is no longer open");
  checkGrant(deps, share, right, versionId, proof);
  return getSharedVersion(deps, share, versionId);
}

function getSharedVersion({ db }: Pick<Deps, "db">, share: ShareRow, versionId: string): SharedVersionRow {
  const version = findSharedVersion(db, share, versionId);
  if (version) return version;
  throw new DomainError("version_not_found", "This link does not open this version any more");
}

function originalOf({ settings }: MediaDeps, version: SharedVersionRow): SharedMedia {
  const path = blobPath(settings, version.sha256);
  if (!existsSync(path))
    throw new Error(`The file of version ${version.versionId} is missing from the audio folder`);
  return {
    trackId: version.trackId,
    durationSec: version.durationSec,
    path,
    sizeBytes: version.sizeBytes,
    mediaType: version.mediaType,
    etag: `"${version.sha256}"`,
    lastModifiedAt: version.createdAt,
    filename: downloadName({ name: version.versionName, mediaType: version.mediaType }),
  };
}
