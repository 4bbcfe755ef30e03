import type { Deps } from "../../../kernel/deps.ts";
import type { FileSource } from "../../../kernel/file-source.ts";
import { HEAD_BYTES } from "../../../kernel/files.ts";
import type { Retagged } from "../../../media/retag/retagged.ts";
import type { Cover, Tags } from "../../../media/retag/tags.ts";
import type { RetagOptions } from "../../../media/retag/writer.ts";
import { sniffPicture } from "../../../media/tags/media-probe.ts";
import { type FileWindow, withSource } from "../../../media/view/file-window.ts";
import { locateBestPicture } from "../../library/artwork/service.ts";
import type { Song } from "./known.ts";

/** What a copy of a song says, and the key of the cover that goes into it. */
export type Tagging = { tags: Tags; cover: string | null } & RetagOptions;

/** Returns how the copy of a song is made. It is the same each time, as long as the original and the cover are. */
export type Tagger = (song: Song, source: FileSource, tagging: Tagging) => Promise<Retagged>;

/**
 * Returns a {@link Tagger}, which keeps the cover that was used last, because neighbours usually have the same one, and the memory
 * that originals were read into.
 */
export function createTagger({ settings }: Pick<Deps, "settings">): Tagger {
  let last: { key: string; cover: Cover | undefined } | undefined;
  const coverOf = async (key: string) => {
    if (last?.key !== key) last = { key, cover: await readCover(locateBestPicture(settings, key)) };
    return last.cover;
  };
  // As much as is read at once, to tell the format.
  const free: Uint8Array[] = [];
  return async (song, source, { tags, cover: key, ...options }) => {
    // The writers of seven containers, which no other request needs.
    const { retag } = await import("../../../media/retag/retag.ts");
    const cover = key === null ? undefined : await coverOf(key);
    const memory = free.pop() ?? new Uint8Array(HEAD_BYTES);
    try {
      const work = (file: FileWindow) => retag(file, { ...tags, cover }, options);
      return await withSource(source, song.sizeBytes, work, memory);
    } finally {
      free.push(memory);
    }
  };
}

async function readCover(path: string | undefined): Promise<Cover | undefined> {
  if (path === undefined) return undefined;
  const bytes = await Bun.file(path).bytes();
  const mediaType = sniffPicture(bytes.subarray(0, 32));
  return mediaType && { mediaType, bytes };
}
