import { mkdir, open, rm, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { originalsOf } from "../../../blobs/store.ts";
import { DomainError } from "../../../kernel/errors.ts";
import type { ExportPaths } from "../../../kernel/exported.ts";
import { bytesOf, type FileSource } from "../../../kernel/file-source.ts";
import { createPaths, extensionOf } from "../../../kernel/safe-names.ts";
import type { Settings } from "../../../kernel/settings.ts";
import { type ArtworkPart, locatePicture, originalExtensionOf } from "../../library/artwork/service.ts";
import { downloadName } from "../../library/files/service.ts";

/** A file of an export. Paths in it are relative to the export's folder, with `/`. */
export type ExportFile = {
  path: string;
  /**
   * Returns where its bytes are, undefined when they are missing. Asked when it is copied: a file may go to the quarantine
   * while others are written.
   */
  locate: () => FileSource | undefined;
  /** Lower-case hex; undefined for a picture, whose name does not say it. */
  sha256?: string;
  /** Of a picture: its storage key, and which of its files this is. */
  picture?: { key: string; size: ArtworkPart };
  /** Epoch milliseconds; becomes the date of the file. */
  createdAt?: number;
};

/** Names the files of an export, and lists them. */
export type ExportFiles = ExportPaths & { list: ExportFile[] };

/** Returns {@link ExportFiles} without any file. `hasThumbnails`: for a server, which shows pictures in two sizes. */
export function createExportFiles(
  settings: Settings,
  { hasThumbnails = false }: { hasThumbnails?: boolean } = {},
): ExportFiles {
  const list: ExportFile[] = [];
  const paths = createPaths();
  return {
    list,
    folder: (parent, stem) => paths(parent, stem),
    addOriginal: (version, folder, stem) => {
      const path = paths(folder, stem, extensionOf(downloadName(version)));
      const { sha256, createdAt } = version;
      list.push({ path, locate: () => originalsOf(settings).locate(sha256), sha256, createdAt });
      return path;
    },
    addPicture: (key, stem) => {
      if (key === null) return null;
      const add = (folder: string, size: ArtworkPart, extension = extensionOf(key)) => {
        const path = paths(folder, stem, extension);
        list.push({ path, locate: () => locatePicture(settings, key, size), picture: { key, size } });
        return path;
      };
      const original = originalExtensionOf(key);
      if (original) add("artwork/originals/", "original", original);
      if (hasThumbnails) add("artwork/thumbnails/", "thumbnail");
      return add("artwork/", "picture");
    },
  };
}

/**
 * Copies a file into the export's folder and flushes it. Returns its size, and what is wrong with it: it is missing, or
 * its bytes are not those that its name promises. A damaged file is copied all the same.
 */
export async function copyFile(
  folder: string,
  { path, locate, sha256, createdAt }: ExportFile,
): Promise<{ bytes: number; problem: "missing" | "damaged" | undefined }> {
  const from = locate();
  if (from === undefined) return { bytes: 0, problem: "missing" };
  const to = join(folder, ...path.split("/"));
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  const hash = new Bun.CryptoHasher("sha256");
  const file = await open(to, "wx", 0o600);
  let bytes = 0;
  try {
    for await (const chunk of bytesOf(from)) {
      hash.update(chunk);
      for (let at = 0; at < chunk.length; ) at += (await file.write(chunk, at)).bytesWritten;
      bytes += chunk.length;
    }
    await file.datasync();
  } catch (error) {
    if (!(error instanceof DomainError && error.code === "file_missing")) throw error;
    await rm(to);
    return { bytes: 0, problem: "missing" };
  } finally {
    await file.close();
  }
  if (createdAt !== undefined) await utimes(to, createdAt / 1000, createdAt / 1000);
  const isRight = sha256 === undefined || hash.digest("hex") === sha256;
  return { bytes, problem: isRight ? undefined : "damaged" };
}
