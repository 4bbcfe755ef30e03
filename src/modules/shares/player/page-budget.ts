/** Returns as many of the first items as stay within a size, and always one. */
export function fitting<Item>(
  items: readonly Item[],
  maxBytes: number,
  bytesOf: (item: Item) => number,
): Item[] {
  let bytes = 0;
  const end = items.findIndex((item, index) => {
    bytes += bytesOf(item);
    return bytes > maxBytes && index > 0;
  });
  return end === -1 ? [...items] : items.slice(0, end);
}

/** Returns how many bytes a text takes up in a page, at most: five for each `&`, six for each quote. */
export function htmlBytes(text: string | null | undefined): number {
  return Buffer.byteLength(Bun.escapeHTML(text ?? ""));
}
