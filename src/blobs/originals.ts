import type { Db } from "../../db/client.ts";
import type { Deps } from "../kernel/deps.ts";
import type { FileSource } from "../kernel/file-source.ts";
import type { Settings } from "../kernel/settings.ts";
import type { StagedFile } from "./staging.ts";

/** The settings that say where originals are. */
export type StoreSettings = Pick<Settings, "dataDir" | "bucket" | "diskReserveBytes">;

/** The parts of a staged file that the store needs. */
export type Arrived = Pick<StagedFile, "path" | "sha256" | "sizeBytes">;

/** A file on this machine that others may not change. `release` deletes it if it is a copy. */
export type LocalCopy = { path: string; release: () => Promise<void> };

/** An original that is not in the data folder. */
export type RemoteOriginal = { sha256: string; sizeBytes: number };

/** The originals that were deleted for good. */
export type Removed = { deleted: number; bytes: number; heldBy: "backup" | "older_database" | undefined };

type StoreDeps = Pick<Deps, "db" | "now">;

/**
 * The store of the originals, by the SHA-256 of their bytes in lower-case hex. There are two: the data folder, and an S3
 * bucket beside it. Functions that take a transaction are called inside `transact`: the write lock guards the store.
 */
export type Originals = {
  /**
   * Makes the bytes of a staged file safe, so that a transaction may name them. Call it before {@link Originals.place};
   * whatever fails in between leaves nothing that a person was promised. Returns undefined when there is nothing to do.
   *
   * @throws DomainError `storage_unavailable`.
   */
  keep: (deps: StoreDeps, staged: Arrived) => Promise<void> | undefined;
  /**
   * Puts a staged file in its place before the rows that name it are written. The staged file has moved then, or its
   * bytes were there. If the transaction fails, call {@link Originals.takeBack} in a new one.
   *
   * @throws DomainError `storage_unavailable` when the bytes were deleted since they were kept.
   */
  place: (tx: Db, staged: Arrived) => void;
  /**
   * Deletes what {@link Originals.place} placed for a transaction that failed. Bytes that were there before stay, even when
   * no version names them: an older database may lack their row. Call it before discarding the staged file.
   */
  takeBack: (tx: Db, staged: Pick<Arrived, "path" | "sha256">) => void;
  /**
   * Has the file with these bytes removed after the time of the quarantine unless a version still names it, for an owner
   * who deleted the last such version. Call it in a separate transaction, after the one that deleted the version. In the
   * same transaction, a failed commit would bring the version back without its file.
   */
  setAside: (tx: Db, sha256: string, at: number) => void;
  /** Deletes the file with these bytes and its copies for good, for an erased account; the caller knows that no row names it. */
  erase: (tx: Db, sha256: string) => void;
  /** Returns where the file with these bytes is; undefined when it is certainly missing. */
  find: (sha256: string) => FileSource | undefined;
  /** Like {@link Originals.find}, but moves nothing: the file may be in the quarantine. */
  locate: (sha256: string) => FileSource | undefined;
  /**
   * Returns a file on this machine with these bytes, for programs that need a path; undefined when they are missing.
   *
   * @throws DomainError `storage_unavailable`, `insufficient_storage`; Error when the stored bytes are not the right ones.
   */
  localCopy: (sha256: string) => Promise<LocalCopy | undefined>;
  /**
   * Copies an original that is outside the data folder to a temporary file, whether or not it has the right bytes, and
   * flushes it. The caller deletes it. Returns its path and the hash of its bytes; undefined when there is no original.
   *
   * @throws DomainError `storage_unavailable`, `insufficient_storage`.
   */
  fetchCopy: (sha256: string) => Promise<{ path: string; sha256: string } | undefined>;
  /**
   * Copies a file of the data folder out of it, and reads the copy back. Returns false where there is no other place, or
   * the copy has other bytes.
   *
   * @throws DomainError `storage_unavailable`.
   */
  copyOut: (deps: StoreDeps, file: Arrived) => Promise<boolean>;
  /** Returns the size of an original outside the data folder. @throws DomainError `storage_unavailable`. */
  remoteSize: (sha256: string) => Promise<number | undefined>;
  /** Yields the originals outside the data folder, in no certain order. @throws DomainError `storage_unavailable`. */
  listRemote: () => AsyncIterable<RemoteOriginal>;
  /** Yields which of them wait to be deleted, and since when. */
  listLeaving: (db: Db) => { sha256: string; since: number }[];
  isLeaving: (db: Db, sha256: string) => boolean;
  /** Has an original outside the data folder removed later. Returns false when that was decided before. */
  leave: (tx: Db, sha256: string, at: number) => boolean;
  /** Keeps an original that waits to be deleted. Returns false when it does not wait. */
  stay: (tx: Db, sha256: string) => boolean;
  /**
   * Deletes originals outside the data folder that have waited for `olderThanMs`; when left out, all. Those of erased
   * accounts do not wait.
   *
   * @throws DomainError `storage_unavailable`.
   */
  emptyRemote: (deps: StoreDeps, olderThanMs?: number) => Promise<Removed>;
};
