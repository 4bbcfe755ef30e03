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
