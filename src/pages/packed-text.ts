import { isTagListed } from "../http/files/range.ts";
import { encodingFor } from "./encoding.ts";

const ENCODINGS = ["br", "zstd", "gzip"] as const;
type Packing = (typeof ENCODINGS)[number];

/** A large text that stays the same while the server runs. Each compressed form is made once, when it is first asked for. */
export type PackedText = {
  /** The SHA-256 of the text in hexadecimal, shortened. */
  hash: string;
  bytes: Uint8Array<ArrayBuffer>;
  /** Returns the text in an encoding. The work is done outside the event loop. */
  inEncoding: (encoding: Packing) => Promise<Uint8Array<ArrayBuffer>>;
};

/** Returns a text that {@link packedResponse} serves. */
export function packText(text: string): PackedText {
  const bytes = new TextEncoder().encode(text);
  const made = new Map<Packing, Promise<Uint8Array<ArrayBuffer>>>();
  return {
    hash: new Bun.CryptoHasher("sha256").update(bytes).digest("hex").slice(0, 16),
    bytes,
    inEncoding: (encoding) => {
      const known = made.get(encoding) ?? pack(bytes, encoding);
      made.set(encoding, known);
      return known;
    },
  };
}

/** The levels keep the first client's wait below 0.1 s; the best ones take ten times as long to save a tenth. */
async function pack(bytes: Uint8Array, encoding: Packing): Promise<Uint8Array<ArrayBuffer>> {
  const { toBrotli, toGzip, toZstd } = await import("./compress.ts");
  const packed = {
    br: () => toBrotli(bytes, 9),
    zstd: () => toZstd(bytes, 12),
    gzip: () => toGzip(bytes, 9),
  };
  return new Uint8Array(await packed[encoding]());
}

/** Answers a request with the text in the smallest form that the client takes. Each form has a tag of its own. */
export async function packedResponse(
  request: Request,
  text: PackedText,
  mediaType: string,
): Promise<Response> {
  const encoding = encodingFor(request.headers.get("accept-encoding"), ENCODINGS);
  const etag = `"${text.hash}-${encoding}"`;
  const headers = new Headers({
    "content-type": mediaType,
    etag,
    vary: "Accept-Encoding",
    "cache-control": "no-cache",
  });
  const known = request.headers.get("if-none-match");
  if (known !== null && isTagListed(known, etag)) return new Response(null, { status: 304, headers });
  if (encoding === "identity") return new Response(text.bytes, { headers });
  headers.set("content-encoding", encoding);
  return new Response(await text.inEncoding(encoding), { headers });
}
