import { open } from "node:fs/promises";
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

async function* together({ source, pieces }: PiecedFile): AsyncGenerator<Uint8Array> {
  for (const piece of pieces)
    if (piece instanceof Uint8Array) yield piece;
    else yield* typeof source === "string" ? partOf(source, piece) : bytesOf(source, piece);
}

const BLOCK_BYTES = 256 * 1024;

/**
 * Yields a part of a file. Each block is overwritten two blocks later: whoever takes the bytes has sent or copied them by then, as
 * a response does before it asks for more. Fresh blocks would have to be collected, which costs time and memory.
 *
 * @throws Error when the file ends before the part does.
 */
async function* partOf(path: string, { start, end }: ByteRange): AsyncGenerator<Uint8Array> {
  const file = await open(path, "r");
  const blocks = [new Uint8Array(BLOCK_BYTES), new Uint8Array(BLOCK_BYTES)];
  try {
    for (let at = start; at < end; ) {
      const block = blocks.shift() as Uint8Array<ArrayBuffer>; // there are always two
      blocks.push(block);
      const { bytesRead } = await file.read(block, 0, Math.min(BLOCK_BYTES, end - at), at);
      if (bytesRead === 0) throw new Error(`${path} ends before byte ${end}`);
      at += bytesRead;
      yield block.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}
