/** A content encoding; `identity` means not compressed. */
export type Encoding = "br" | "zstd" | "gzip" | "identity";

/** What pages and their files have, the smallest result first. */
const OF_PAGES = ["br", "gzip"] as const;

/**
 * Returns the first of the offered encodings that an Accept-Encoding field allows. List the one with the smallest
 * result first. @see RFC 9110, section 12.5.3.
 */
export function encodingFor(acceptEncoding: string | null): (typeof OF_PAGES)[number] | "identity";
export function encodingFor<Offered extends Encoding>(
  acceptEncoding: string | null,
  offered: readonly Offered[],
): Offered | "identity";
export function encodingFor(
  acceptEncoding: string | null,
  offered: readonly Encoding[] = OF_PAGES,
): Encoding {
  const taken = new Set<string>();
  const refused = new Set<string>();
  for (const entry of (acceptEncoding ?? "").toLowerCase().split(",")) {
    const [name = "", ...parameters] = entry.split(";").map((part) => part.trim());
    const isRefused = parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
    (isRefused ? refused : taken).add(name);
  }
  const isAllowed = (name: string) => taken.has(name) || (taken.has("*") && !refused.has(name));
  return offered.find(isAllowed) ?? "identity";
}
