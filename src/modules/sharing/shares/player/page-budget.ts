/** Returns as many of the first items as fit within a size, and at least one. */
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

/** Returns the maximum number of bytes that a text takes in a page: five for each `&`, six for each quote. */
export function htmlBytes(text: string | null | undefined): number {
  return Buffer.byteLength(Bun.escapeHTML(text ?? ""));
}
