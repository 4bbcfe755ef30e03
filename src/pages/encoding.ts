/** A way to make an answer smaller; `identity` is none. */
export type Encoding = "br" | "gzip" | "identity";

/** Returns the smallest encoding that an Accept-Encoding field takes. @see RFC 9110, section 12.5.3. */
export function encodingFor(acceptEncoding: string | null): Encoding {
  const taken = new Set<string>();
  for (const entry of (acceptEncoding ?? "").toLowerCase().split(",")) {
    const [name = "", ...parameters] = entry.split(";").map((part) => part.trim());
    if (!parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))) taken.add(name);
  }
  return taken.has("br") ? "br" : taken.has("gzip") ? "gzip" : "identity";
}
