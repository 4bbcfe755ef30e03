import { bodyOf } from "../../kernel/byte-stream.ts";
import { type ByteRange, bytesOf, type FileSource } from "../../kernel/file-source.ts";
import { stateOf } from "../request-state.ts";
import { attachment } from "./file-name.ts";
import { streamOfLength } from "./file-response.ts";

/** A file that is made of parts of another one, and of bytes between them. */
export type PiecedFile = {
  source: FileSource;
  pieces: readonly (ByteRange | Uint8Array)[];
  filename: string;
  mediaType: string;
};

/** Answers with a file that is put together while the client takes it. */
export function piecedResponse(request: Request, file: PiecedFile): Response {
  stateOf(request).hasNoTimeout = true;
  const sizeBytes = file.pieces.reduce((sum, piece) => sum + lengthOf(piece), 0);
  return new Response(request.method === "HEAD" ? streamOfLength(sizeBytes) : bodyOf(together(file)), {
    headers: { ...headersOf(file), "content-length": String(sizeBytes) },
  });
}

/** Answers with a file that was made for this request. */
export function madeFileResponse(
  body: string | Uint8Array<ArrayBuffer>,
  file: Pick<PiecedFile, "filename" | "mediaType">,
): Response {
  return new Response(body, { headers: headersOf(file) });
}

const headersOf = ({ filename, mediaType }: Pick<PiecedFile, "filename" | "mediaType">) => ({
  "content-type": mediaType,
  "content-disposition": attachment(filename),
  "cache-control": "private, no-store",
  "x-content-type-options": "nosniff",
});

const lengthOf = (piece: ByteRange | Uint8Array): number =>
  piece instanceof Uint8Array ? piece.length : piece.end - piece.start;

/** @throws Error when the file ends before one of its parts does. */
async function* together({ source, pieces }: PiecedFile): AsyncGenerator<Uint8Array> {
  for (const piece of pieces)
    if (piece instanceof Uint8Array) yield piece;
    else yield* partOf(source, piece);
}

async function* partOf(source: FileSource, range: ByteRange): AsyncGenerator<Uint8Array> {
  let left = range.end - range.start;
  for await (const chunk of bytesOf(source, range)) {
    left -= chunk.length;
    yield chunk;
  }
  if (left !== 0) throw new Error("The file became shorter while it was read");
}
