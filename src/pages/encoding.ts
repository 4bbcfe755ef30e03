/** A content encoding; `identity` means not compressed. */
export type Encoding = "br" | "gzip" | "identity";

/**
 * Returns the encoding with the smallest result that an Accept-Encoding field allows. @see RFC 9110, section
 * 12.5.3.
 */
export function encodingFor(acceptEncoding: string | null): Encoding {
  const taken = new Set<string>();
  for (const entry of (acceptEncoding ?? "").toLowerCase().split(",")) {
    const [name = "", ...parameters] = entry.split(";").map((part) => part.trim());
    if (!parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))) taken.add(name);
  }
  return taken.has("br") ? "br" : taken.has("gzip") ? "gzip" : "identity";
}
