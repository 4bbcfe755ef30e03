import type { LibraryId } from "../../../../db/schema.ts";
import { discardStaged, type StagedFile, stageFile } from "../../../blobs/store.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { createGate } from "../../../kernel/gate.ts";
import { MediaError } from "../../../media/media-error.ts";
import { type RenderedPicture, renderPictureFile, sniffPicture } from "../../../media/pictures/picture.ts";
import { type ArtworkPart, artworkKey, originalTypeOf } from "./files.ts";
import { MAX_PICTURE_BYTES } from "./shapes.ts";
import { type ArtworkSource, notAPicture, openPicture } from "./source.ts";

/** A picture that has been redrawn and is safely on disk with its original, but is not shown anywhere yet. */
export type StagedArtwork = { key: string; files: readonly (readonly [ArtworkPart, StagedFile])[] };

type StageDeps = Pick<Deps, "settings" | "secrets" | "selfCommand">;

/** Part of every key. Raise it when the same picture would be drawn differently. */
const RENDERING = 1;
const KEY_BYTES = 16;
/** Decoded pictures are large, so the number rendered at once is limited across all requests. */
const renderInTurn = createGate(2);

/**
 * Receives a picture and redraws it in a child process. If anything fails, no file is left behind. The key identifies
 * the picture within its account: the same picture sent twice is one file, and the key cannot be guessed.
 *
 * @throws DomainError `invalid_image_url`, `image_download_failed`, `invalid_image_type`, `insufficient_storage`; the
 *   signal's reason when it is aborted.
 */
export async function stageArtwork(
  deps: StageDeps,
  ownerId: LibraryId,
  source: ArtworkSource,
  signal: AbortSignal,
): Promise<StagedArtwork> {
  const original = await stageFile(deps, openPicture(deps, source, signal), { maxBytes: MAX_PICTURE_BYTES });
  try {
    if (!sniffPicture(original.head)) throw notAPicture();
    const rendered = await render(deps, original.path, signal);
    const key = keyOf(deps, ownerId, original.sha256, rendered);
    return { key, files: await stageRendered(deps, rendered) };
  } finally {
    await discardStaged(original);
  }
}

/**
 * Redraws a staged file that another server says is the picture `key`, under that key. `part`: what it is of that picture.
 *
 * @throws DomainError `invalid_image_type` when it is no picture, or one of another type than the key says;
 *   `insufficient_storage`.
 */
export async function stageArtworkFile(
  deps: StageDeps,
  original: StagedFile,
  { key, part }: { key: string; part: "picture" | "original" },
  signal: AbortSignal,
): Promise<StagedArtwork> {
  if (!sniffPicture(original.head)) throw notAPicture();
  const drawn = await render(deps, original.path, signal);
  if (!key.endsWith(drawn.mediaType === "image/jpeg" ? ".jpg" : ".webp")) throw notAPicture();
  const rendered = part === "original" ? drawn : { ...drawn, original: undefined };
  if (part === "original" && rendered.original?.mediaType !== originalTypeOf(key)) throw notAPicture();
  return { key, files: await stageRendered(deps, rendered) };
}

/** Removes a staged picture that was not placed. Does nothing if it was. */
export async function discardArtwork({ files }: StagedArtwork): Promise<void> {
  await Promise.all(files.map(([, staged]) => discardStaged(staged)));
}

async function render(
  { selfCommand }: StageDeps,
  path: string,
  signal: AbortSignal,
): Promise<RenderedPicture> {
  try {
    return await renderInTurn(() => renderPictureFile({ path, selfCommand, signal }));
  } catch (error) {
    throw error instanceof MediaError ? notAPicture(error) : error;
  }
}

async function stageRendered(deps: StageDeps, { picture, thumbnail, original }: RenderedPicture) {
  const parts: [ArtworkPart, Uint8Array][] = [
    ["picture", picture],
    ["thumbnail", thumbnail],
  ];
  if (original) parts.push(["original", original.bytes]);
  const staged: [ArtworkPart, StagedFile][] = [];
  try {
    for (const [part, bytes] of parts) staged.push([part, await stageBytes(deps, bytes)]);
    return staged;
  } catch (error) {
    await Promise.all(staged.map(([, file]) => discardStaged(file)));
    throw error;
  }
}

function stageBytes(deps: StageDeps, bytes: Uint8Array): Promise<StagedFile> {
  const once = async function* () {
    yield bytes;
  };
  return stageFile(deps, once(), { maxBytes: bytes.length });
}

function keyOf(
  { secrets }: StageDeps,
  ownerId: LibraryId,
  sha256: string,
  { mediaType, original }: RenderedPicture,
): string {
  const mac = new Bun.CryptoHasher("sha256", secrets("artwork-keys"));
  const digest = mac.update(JSON.stringify([ownerId, sha256, RENDERING])).digest();
  return artworkKey(digest.subarray(0, KEY_BYTES).toString("hex"), mediaType, original?.mediaType);
}
