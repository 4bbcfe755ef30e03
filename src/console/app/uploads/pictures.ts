import { api, dataOf } from "../api/client.ts";
import { changed } from "../api/queries.ts";
import { dataUriOf } from "../ui/data-uri.ts";
import type { Chosen } from "./dropped.ts";
import { isOpen, uploads } from "./state.ts";

/** The names under which players and rippers keep the picture of a folder; the first one counts. */
const NAMES = ["cover", "folder", "front"];
const PICTURE = /(?:^|\/)(cover|folder|front)\.(?:jpe?g|png|webp|gif)$/i;
/** A larger picture is drawn smaller before it is sent. */
const MAX_BYTES = 6 * 1024 * 1024;
const MAX_SIDE = 1600;

const waiting = new Map<string, Chosen>();

/** True for a file that is named as the picture of its folder. */
export const isFolderPicture = ({ path }: Chosen): boolean => PICTURE.test(path);

const rankOf = ({ path }: Chosen) => NAMES.indexOf(PICTURE.exec(path)?.[1]?.toLowerCase() ?? "");
const folderOf = (path: string) => path.slice(0, path.lastIndexOf("/") + 1);

/** Keeps the pictures of folders until the songs beside them are in the library. */
export function keepPictures(chosen: readonly Chosen[]): void {
  for (const picture of chosen) {
    const folder = folderOf(picture.path);
    const other = waiting.get(folder);
    if (!other || rankOf(picture) < rankOf(other)) waiting.set(folder, picture);
  }
}

/** Sends the pictures of folders whose songs are all in the library. */
export async function sendPictures(): Promise<void> {
  for (const [folder, picture] of waiting) {
    const beside = uploads.value.filter(({ about: { path } }) =>
      folder === "" ? !path.includes("/") : path.startsWith(folder),
    );
    if (beside.some(isOpen)) continue;
    waiting.delete(folder);
    if (!beside.some(({ about }) => about.made)) continue;
    try {
      const body = { path: picture.path, image: await encoded(picture.file) };
      await dataOf(api.POST("/app/uploads/cover", { body }));
      changed("tracks", null);
      changed("playlists", null);
    } catch {
      // The songs are in the library. A picture that cannot be read is no reason to disturb anybody.
    }
  }
}

/** Returns a picture as a data URI. */
async function encoded(file: File): Promise<string> {
  return dataUriOf(file.size > MAX_BYTES ? await drawnSmaller(file) : file);
}

async function drawnSmaller(file: File): Promise<Blob> {
  const bitmap = await createImageBitmap(file);
  const scale = Math.min(1, MAX_SIDE / Math.max(bitmap.width, bitmap.height));
  const canvas = new OffscreenCanvas(Math.round(bitmap.width * scale), Math.round(bitmap.height * scale));
  canvas.getContext("2d")?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return canvas.convertToBlob({ type: "image/jpeg", quality: 0.9 });
}
