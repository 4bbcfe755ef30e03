import { openSync, readSync, statSync } from "node:fs";
import { basename } from "node:path";

/** Uploads of one file, all at once. */
export type SendOptions = {
  port: number;
  key: string;
  file: string;
  uploads: number;
  /** The path of a resumable upload, which takes the file as one piece; left out: a form. */
  resumable?: string;
};
/** Time from the first byte sent to the last answer received. */
export type SendResult = { elapsedMs: number };

const CHUNK_BYTES = 1024 * 1024;
const BOUNDARY = "dubplate-bench-7f3a1c";

type Upload = {
  source: number;
  readBytes: number;
  /** Read from the file, but not yet taken by the socket. */
  waiting: Uint8Array;
  /** True once the closing boundary has been handed out. */
  isLast: boolean;
  answer: string;
};

/** Sends files over raw sockets, one mebibyte at a time, as fast as the server accepts them. */
export async function send({ uploads, ...options }: SendOptions): Promise<SendResult> {
  const message = options.resumable === undefined ? formOf(options) : pieceOf(options, options.resumable);
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: uploads }, () => sendOne(options, message)));
  return { elapsedMs: performance.now() - startedAt };
}

/** What stands before and after the file, and how the answer begins and ends that says that all went well. */
type Message = { before: Uint8Array; after: Uint8Array; begins: string; ends: string };
type Source = Pick<SendOptions, "port" | "key" | "file">;

function pieceOf({ port, key, file }: Source, path: string): Message {
  const head =
    `PATCH ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-API-Key: ${key}\r\nConnection: close\r\n` +
    "Tus-Resumable: 1.0.0\r\nUpload-Offset: 0\r\nContent-Type: application/offset+octet-stream\r\n" +
    `Content-Length: ${statSync(file).size}\r\n\r\n`;
  return { before: Buffer.from(head), after: new Uint8Array(), begins: "HTTP/1.1 204", ends: "\r\n\r\n" };
}

function formOf({ port, key, file }: Source): Message {
  const sizeBytes = statSync(file).size;
  const before = Buffer.from(
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="files"; filename="${basename(file)}"\r\n` +
      "Content-Type: application/octet-stream\r\n\r\n",
  );
  const after = Buffer.from(`\r\n--${BOUNDARY}--\r\n`);
  const head = Buffer.from(
    `POST /api/v1/tracks/upload HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-API-Key: ${key}\r\nConnection: close\r\n` +
      `Content-Type: multipart/form-data; boundary=${BOUNDARY}\r\n` +
      `Content-Length: ${before.length + sizeBytes + after.length}\r\n\r\n`,
  );
  // The answer is one small JSON object.
  return { before: new Uint8Array(Buffer.concat([head, before])), after, begins: "HTTP/1.1 200", ends: "}" };
}

function sendOne({ port, file }: Source, { before, after, begins, ends }: Message): Promise<void> {
  const buffer = Buffer.alloc(CHUNK_BYTES);
  const upload: Upload = {
    source: openSync(file, "r"),
    readBytes: 0,
    waiting: before,
    isLast: false,
    answer: "",
  };
  const next = (): Uint8Array => {
    const count = readSync(upload.source, buffer, 0, CHUNK_BYTES, upload.readBytes);
    upload.readBytes += count;
    upload.isLast = count === 0;
    return count > 0 ? buffer.subarray(0, count) : after;
  };
  /** Writes until the socket takes no more, or all is written. */
  const pump = (socket: Bun.Socket<Upload>) => {
    while (upload.waiting.length > 0) {
      const written = Math.max(0, socket.write(upload.waiting));
      upload.waiting = upload.waiting.subarray(written);
      if (upload.waiting.length > 0) return;
      if (!upload.isLast) upload.waiting = next();
    }
  };
  return new Promise((resolve, reject) => {
    const end = () => (upload.answer.startsWith(begins) ? resolve() : reject(new Error(upload.answer)));
    Bun.connect<Upload>({
      hostname: "127.0.0.1",
      port,
      data: upload,
      socket: {
        open: pump,
        drain: pump,
        data(socket, chunk) {
          upload.answer += chunk.toString();
          if (upload.answer.endsWith(ends)) socket.end();
        },
        close: end,
      },
    }).catch(reject);
  });
}
