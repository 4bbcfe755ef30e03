import { samePlace } from "../first-data.ts";

/** What pictures may be, for an input of files. */
export const PICTURES = "image/jpeg,image/png,image/webp,image/gif";

/** Returns a file as the text that requests carry pictures in. @throws DOMException when the file cannot be read. */
export function dataUriOf(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}

/** Reads a picture of the server, to be sent again by "Undo"; null when it is gone. */
export async function readPicture(address: string): Promise<Blob | null> {
  const response = await fetch(samePlace(address));
  return response.ok ? await response.blob() : null;
}
