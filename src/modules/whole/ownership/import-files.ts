import { statSync } from "node:fs";
import { transact } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import { isSha256 } from "../../../blobs/paths.ts";
import { blobPath, discardStaged, originalsOf, type StagedFile, stageFile } from "../../../blobs/store.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { bytesBelow, NotBelowError } from "../../../kernel/files-below.ts";
import { sniffAudio } from "../../../media/formats/sniff.ts";
import { sniffPicture } from "../../../media/pictures/picture.ts";
import {
  discardArtwork,
  isArtworkKey,
  isShownByOthers,
  locatePicture,
  originalExtensionOf,
  placeArtwork,
  stageArtworkFile,
} from "../../library/artwork/service.ts";
import { MAX_PICTURE_BYTES } from "../../library/artwork/shapes.ts";
import { type MovedFile, movedFiles } from "./moved-rows.ts";

type FileDeps = Pick<Deps, "db" | "now" | "settings" | "secrets" | "selfCommand">;
type Taken = { files: number; bytes: number };

const NO_LIMIT = Number.MAX_SAFE_INTEGER;
const NOTHING: Taken = { files: 0, bytes: 0 };

/** Why a file of an export is not taken in; every other failure ends the import at once. */
class FaultyFile extends Error {}

/**
 * Takes in every file of an attached export that is not here yet. Each is read whole: a file that is here already counts as
 * its only if the export has the same bytes. Pictures are drawn again like those that are uploaded. A part of the files is
 * no harm: files that no row names wait in the quarantine.
 *
 * @throws DomainError `validation_failed` when files are missing, damaged, or not what the rows say.
 */
export async function takeFiles(
  deps: FileDeps,
  { folder, accountId }: { folder: string; accountId: LibraryId },
  onFile: (done: number, total: number) => void,
): Promise<Taken> {
  const list = movedFiles(deps.db.$client);
  for (const file of list) refuseUnnamed(deps, file, accountId);
  const sum = { ...NOTHING };
  const originals = new Set(
    list.flatMap(({ pictureKey, pictureSize }) => (pictureSize === "original" ? (pictureKey ?? []) : [])),
  );
  const faults: string[] = [];
  for (const [index, file] of list.entries()) {
    try {
      const { files, bytes } = await takeFile(deps, folder, file, originals);
      sum.files += files;
      sum.bytes += bytes;
    } catch (error) {
      if (!(error instanceof FaultyFile)) throw error;
      faults.push(file.path);
    }
    onFile(index + 1, list.length);
  }
  const [first] = faults;
  if (first !== undefined)
    throw refusal(
      `Files of the export are missing or damaged (${faults.length}, such as ${printable(first)}): copy it again. No row was taken in`,
    );
  return sum;
}

/** A file is an original by its hash, or a picture by its key. */
function refuseUnnamed(
  { db }: FileDeps,
  { path, sha256, pictureKey, pictureSize }: MovedFile,
  accountId: LibraryId,
) {
  if (sha256 === null ? !isPartOfPicture(pictureKey, pictureSize) : !isSha256(sha256))
    throw refusal(`The export names ${printable(path)} in a way that no export does. No row was taken in`);
  if (pictureKey !== null && isShownByOthers(db, pictureKey, accountId))
    throw refusal(`Another account here has the picture ${pictureKey} already: nothing was taken in`);
}

function isPartOfPicture(key: string | null, part: string | null): boolean {
  if (key === null || !isArtworkKey(key)) return false;
  return part === "original"
    ? originalExtensionOf(key) !== undefined
    : part === "picture" || part === "thumbnail";
}

/** @param originals Keys of pictures whose originals the export has: they are drawn from these. */
async function takeFile(
  deps: FileDeps,
  folder: string,
  file: MovedFile,
  originals: ReadonlySet<string>,
): Promise<Taken> {
  const { path, sha256, sizeBytes, pictureKey: key, pictureSize } = file;
  if (sha256 !== null) return takeOriginal(deps, folder, { path, sha256, sizeBytes });
  if (key !== null && pictureSize !== null && pictureSize !== "thumbnail")
    return takePicture(deps, folder, { path, key, part: pictureSize, hasOriginal: originals.has(key) });
  return NOTHING; // thumbnails are drawn with their pictures
}

async function takeOriginal(
  deps: FileDeps,
  folder: string,
  { path, sha256, sizeBytes }: { path: string; sha256: string; sizeBytes: number | null },
): Promise<Taken> {
  if (await isHere(deps, sha256, sizeBytes)) {
    const hash = new Bun.CryptoHasher("sha256");
    for await (const chunk of bytesOf(folder, path)) hash.update(chunk);
    if (hash.digest("hex") !== sha256) throw new FaultyFile();
    return NOTHING;
  }
  const staged = await stageFile(deps, bytesOf(folder, path), { maxBytes: NO_LIMIT });
  try {
    if (staged.sha256 !== sha256 || (sizeBytes !== null && staged.sizeBytes !== sizeBytes))
      throw new FaultyFile();
    if (!sniffAudio(staged.head)) throw refusal(`${printable(path)} is no audio file. No row was taken in`);
    await placeOriginal(deps, staged);
    return { files: 1, bytes: staged.sizeBytes };
  } finally {
    await discardStaged(staged);
  }
}

async function placeOriginal(deps: FileDeps, staged: StagedFile): Promise<void> {
  const originals = originalsOf(deps.settings);
  await originals.keep(deps, staged);
  transact(deps.db, (tx) => originals.place(tx, staged));
}

async function isHere(
  { db, settings }: FileDeps,
  sha256: string,
  sizeBytes: number | null,
): Promise<boolean> {
  if (!settings.bucket)
    return statSync(blobPath(settings, sha256), { throwIfNoEntry: false })?.size === sizeBytes;
  const originals = originalsOf(settings);
  return !originals.isLeaving(db, sha256) && (await originals.remoteSize(sha256)) === sizeBytes;
}

type TakenPicture = { path: string; key: string; part: "picture" | "original"; hasOriginal: boolean };

/**
 * Draws a picture again under its key, from its original if the export has that. One that is here under the key was drawn here, and
 * stays.
 */
async function takePicture(
  deps: FileDeps,
  folder: string,
  { path, key, part, hasOriginal }: TakenPicture,
): Promise<Taken> {
  const given = await stageFile(deps, bytesOf(folder, path), { maxBytes: MAX_PICTURE_BYTES });
  try {
    if (!sniffPicture(given.head)) throw new FaultyFile();
    if (part === "picture" && hasOriginal) return NOTHING;
    if ((["picture", "thumbnail", part] as const).every((each) => locatePicture(deps.settings, key, each)))
      return NOTHING;
    const drawn = await stageArtworkFile(deps, given, { key, part }, new AbortController().signal);
    try {
      transact(deps.db, () => placeArtwork(deps.settings, drawn));
      return { files: drawn.files.length, bytes: given.sizeBytes };
    } finally {
      await discardArtwork(drawn);
    }
  } catch (error) {
    throw error instanceof DomainError && error.code === "invalid_image_type" ? new FaultyFile() : error;
  } finally {
    await discardStaged(given);
  }
}

/** Yields a file of the export. Nothing is read through a link, or that is no plain file. */
async function* bytesOf(folder: string, path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* bytesBelow(folder, path);
  } catch (error) {
    throw error instanceof NotBelowError ? notPlain(path, error) : unreadable(path, error);
  }
}

function notPlain(path: string, { reason }: NotBelowError): Error {
  if (reason === "missing") return new FaultyFile();
  return refusal(
    `${printable(path)} is ${WORDS[reason]}: an export has plain files alone. No row was taken in`,
  );
}

const WORDS = {
  link: "reached through a link",
  "not a file": "not a plain file",
  outside: "outside the export",
} as const;

function unreadable(path: string, error: unknown): Error {
  const { code } = error as NodeJS.ErrnoException;
  return refusal(`${printable(path)} cannot be read (${code ?? String(error)}). No row was taken in`);
}

const printable = (path: string) => path.replace(/[\p{Cc}\p{Cf}]+/gu, "?").slice(0, 200);

const refusal = (sentence: string) => new DomainError("validation_failed", sentence);
