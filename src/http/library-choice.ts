/** Names one of a person's libraries in an address: an EventSource and a link send no header fields. */
export const LIBRARY_PARAMETER = "in";

/** Returns the library that a request of a person names: by `X-Library`, or else by `in` in its address; null: none. */
export function libraryNamedBy({ headers, url }: Pick<Request, "headers" | "url">): string | null {
  const named = headers.get("x-library");
  if (named !== null) return named;
  const query = url.indexOf("?");
  // Most addresses name none, so they are not parsed.
  if (query === -1 || !url.includes(`${LIBRARY_PARAMETER}=`, query)) return null;
  return new URL(url).searchParams.getAll(LIBRARY_PARAMETER).at(-1) ?? null;
}
