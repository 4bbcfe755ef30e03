/** A part of a file: the first byte and the byte after the last. Never empty. */
export type ByteRange = { start: number; end: number };

/**
 * Returns the bytes that a Range field asks for. Undefined means the whole file: the field is absent, malformed, in
 * another unit, or names several ranges, and a server may ignore all of these.
 *
 * @see RFC 9110, sections 14.1.2 and 14.2.
 */
export function parseRange(field: string | null, sizeBytes: number): ByteRange | "unsatisfiable" | undefined {
  const [, first, last] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(field ?? "") ?? [];
  if (first === undefined || last === undefined || (first === "" && last === "")) return undefined;
  if (first === "") return suffixRange(Number(last), sizeBytes);
  if (last !== "" && Number(last) < Number(first)) return undefined;
  if (Number(first) >= sizeBytes) return "unsatisfiable";
  return { start: Number(first), end: last === "" ? sizeBytes : Math.min(Number(last) + 1, sizeBytes) };
}

function suffixRange(length: number, sizeBytes: number): ByteRange | "unsatisfiable" {
  if (length === 0 || sizeBytes === 0) return "unsatisfiable";
  return { start: Math.max(0, sizeBytes - length), end: sizeBytes };
}

/** The values that distinguish two states of a file. */
export type Validators = {
  /** Strong, with its quotes. */
  etag: string;
  /** Epoch milliseconds; HTTP uses whole seconds. */
  lastModifiedAt: number;
  /** True where the same date may belong to other bytes: then only the tag allows a partial answer. */
  isDateWeak?: boolean;
};

/** True when the client already has this state of the file (If-None-Match, else If-Modified-Since). */
export function isUnchanged(headers: Headers, { etag, lastModifiedAt }: Validators): boolean {
  const tags = headers.get("if-none-match");
  if (tags !== null) return isTagListed(tags, etag);
  const since = Date.parse(headers.get("if-modified-since") ?? "");
  return wholeSeconds(lastModifiedAt) <= since;
}

/** True when an If-None-Match field lists a tag. Weak and strong tags compare alike (RFC 9110, section 13.1.2). */
export function isTagListed(ifNoneMatch: string, etag: string): boolean {
  const bare = withoutWeakness(etag);
  return (
    ifNoneMatch.trim() === "*" || ifNoneMatch.split(",").some((tag) => withoutWeakness(tag.trim()) === bare)
  );
}

const withoutWeakness = (tag: string) => tag.replace(/^W\//, "");

/**
 * True when a range may be answered: the client named no state of the file, or exactly this one.
 *
 * @see RFC 9110, section 13.1.5: tags compare strongly, dates must be equal and strong.
 */
export function isRangeWanted(
  headers: Headers,
  { etag, lastModifiedAt, isDateWeak = false }: Validators,
): boolean {
  const condition = headers.get("if-range")?.trim();
  if (condition === undefined) return true;
  if (/^(W\/)?"/.test(condition)) return condition === etag;
  return !isDateWeak && Date.parse(condition) === wholeSeconds(lastModifiedAt);
}

const wholeSeconds = (at: number) => Math.floor(at / 1000) * 1000;
