import { DomainError } from "../../../kernel/errors.ts";
import { bytesOf, type FileSource, newBlock } from "../../../kernel/file-source.ts";
import type { ZipEntry } from "../../../kernel/zip.ts";
import { copyBytes } from "../../../media/retag/copy.ts";
import type { Piece } from "../../../media/retag/retagged.ts";
import type { HashOf, PlannedFile, Sound } from "./content.ts";
import { type Manifest, type ManifestParts, manifestOf, manifestText } from "./manifest.ts";
import { readThrough, readThroughCopy } from "./reading.ts";
import { sumsOf } from "./sums.ts";
import type { Tagger } from "./tagged.ts";

/** What went out, known when the last file has been read. */
export type Made = { manifest: Manifest; sha256: string; hashOf: HashOf };
/** The files of a package as they are written. Read them in order, each to its end. */
export type Making = { entries: ZipEntry[]; made: () => Made };

/** A sound that is ready to be sent: the pieces of its copy, or all of the original. */
type Ready = { source: FileSource; pieces: readonly Piece[] | null };

/**
 * Returns the files of a package for a writer that reads each twice: first for its checksum, when the original is compared with
 * its hash, then for its bytes. The manifest and the list of hashes are last, when all others are known.
 *
 * @throws DomainError, from the entries, `file_missing` when an original is damaged, `changed_since` when a file is not as it was
 *   planned; it names the file.
 */
export function makingOf(
  parts: ManifestParts & { isMarked: boolean },
  tagger: Tagger,
  signal: AbortSignal,
): Making {
  // Whatever asks for it: nothing unmarked goes to somebody whose copies are.
  if (parts.isMarked && parts.files.some(({ content }) => content.is === "sound" && !content.song.marked))
    throw new Error("A package is made before its copies are");
  const hashes = new Map<string, string>();
  // The files are read one after the other.
  const block = newBlock();
  const hashOf = (path: string) => {
    const hash = hashes.get(path);
    if (hash === undefined) throw new Error(`${path} has not been read`);
    return hash;
  };
  const manifest = () => manifestOf(parts, hashOf);
  const textOf = ({ content }: PlannedFile): string => {
    if (content.is === "text") return content.text;
    return content.is === "manifest" ? manifestText(manifest()) : sumsOf(parts.files, parts.root, hashOf);
  };
  const entries = parts.files.map((file): ZipEntry => {
    const { path: name, sizeBytes, modifiedAt, content } = file;
    const common = { name, sizeBytes, modifiedAt };
    if (content.is === "sound")
      return { ...common, ...soundEntry(file, content, { tagger, signal, hashes, block }) };
    const open = () =>
      content.is === "picture" ? bytesOf(content.path, undefined, block) : once(Buffer.from(textOf(file)));
    const checksum = async () => {
      const { crc, sha256 } = await readThrough(open(), signal);
      hashes.set(name, sha256);
      return crc;
    };
    return { ...common, source: open, checksum };
  });
  const sums = parts.files.find(({ content }) => content.is === "sums");
  return { entries, made: () => ({ manifest: manifest(), sha256: hashOf(sums?.path ?? ""), hashOf }) };
}

/** What the sounds of a package have in common. */
type Shared = { tagger: Tagger; signal: AbortSignal; hashes: Map<string, string>; block: Buffer };

function soundEntry(
  { path, sizeBytes }: PlannedFile,
  sound: Sound,
  { tagger, signal, hashes, block }: Shared,
): Pick<ZipEntry, "source" | "checksum"> {
  const { song, source, copy } = sound;
  let ready: Ready | undefined;
  const checksum = async () => {
    const pieces = copy ? await piecesOf(tagger, path, sizeBytes, { ...sound, copy }) : null;
    const read = await (pieces
      ? readThroughCopy(source, pieces, { signal, block })
      : readThrough(bytesOf(source, undefined, block), signal));
    const original = "originalSha256" in read ? read.originalSha256 : read.sha256;
    if (original !== song.sha256)
      throw new DomainError(
        "file_missing",
        `${path} is damaged in the store: its bytes are not those that were uploaded`,
      );
    hashes.set(path, read.sha256);
    ready = { source, pieces };
    return read.crc;
  };
  const open = async function* () {
    if (!ready) throw new Error(`${path} is sent before it was read`);
    const { pieces } = ready;
    // The pieces of one song are enough to keep.
    ready = undefined;
    yield* pieces ? copyBytes(source, pieces, undefined, block) : bytesOf(source, undefined, block);
  };
  return { source: open, checksum };
}

async function piecesOf(
  tagger: Tagger,
  path: string,
  sizeBytes: number,
  { song, source, copy }: Sound & { copy: NonNullable<Sound["copy"]> },
): Promise<readonly Piece[] | null> {
  const { pieces, ...retagged } = await tagger(song, source, copy);
  if (retagged.sizeBytes !== sizeBytes)
    throw new DomainError("changed_since", `${path} changed since it was planned`);
  const [first, second] = pieces;
  const isAll = first && !second && "end" in first && !("pages" in first) && first.end === song.sizeBytes;
  return isAll && first.start === 0 ? null : pieces;
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
