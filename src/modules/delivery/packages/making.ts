import { bytesOf } from "../../../kernel/file-source.ts";
import type { ZipEntry } from "../../../kernel/zip.ts";
import type { PlannedFile } from "./content.ts";
import { type Manifest, type ManifestParts, manifestOf, manifestText } from "./manifest.ts";
import { sumsOf } from "./sums.ts";

/** What went out, known when the last file has been read. */
export type Made = { manifest: Manifest; sha256: string };
/** The files of a package as they are written. Read them in order, each to its end. */
export type Making = { entries: ZipEntry[]; made: () => Made };

type Bytes = AsyncIterable<Uint8Array>;

/**
 * Returns the files of a package for a writer that reads each twice: first for its checksum, when the original is compared with
 * its hash, then for its bytes. The manifest and the list of hashes are last, when all others are known.
 *
 * @throws Error, from the entries, when an original is damaged or a file changed since it was planned; it names the file.
 */
export function makingOf(parts: ManifestParts, signal?: AbortSignal): Making {
  const hashes = new Map<string, string>();
  const hashOf = (path: string) => {
    const hash = hashes.get(path);
    if (hash === undefined) throw new Error(`${path} has not been read`);
    return hash;
  };
  const manifest = () => manifestOf(parts, hashOf);
  const textOf = ({ content }: PlannedFile): string | undefined => {
    if (content.is === "text") return content.text;
    if (content.is === "manifest") return manifestText(manifest());
    return content.is === "sums" ? sumsOf(parts.files, parts.root, hashOf) : undefined;
  };
  const open = (file: PlannedFile): Bytes => {
    const text = textOf(file);
    if (text !== undefined) return once(Buffer.from(text));
    const { content } = file;
    return bytesOf(content.is === "picture" ? content.path : content.is === "sound" ? content.source : "");
  };
  const entries = parts.files.map((file): ZipEntry => {
    const { path: name, sizeBytes, modifiedAt, content } = file;
    return {
      name,
      sizeBytes,
      modifiedAt,
      source: () => open(file),
      checksum: async () => {
        const { crc, sha256 } = await readThrough(open(file), signal);
        if (content.is === "sound" && sha256 !== content.song.sha256)
          throw new Error(`${name} is damaged in the store: its bytes are not those that were uploaded`);
        hashes.set(name, sha256);
        return crc;
      },
    };
  });
  const sums = parts.files.find(({ content }) => content.is === "sums");
  return { entries, made: () => ({ manifest: manifest(), sha256: hashOf(sums?.path ?? "") }) };
}

async function readThrough(bytes: Bytes, signal?: AbortSignal): Promise<{ crc: number; sha256: string }> {
  const hash = new Bun.CryptoHasher("sha256");
  let crc = 0;
  for await (const chunk of bytes) {
    signal?.throwIfAborted();
    crc = Bun.hash.crc32(chunk, crc);
    hash.update(chunk);
  }
  return { crc, sha256: hash.digest("hex") };
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
