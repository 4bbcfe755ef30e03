import type { IncomingMessage, ServerResponse } from "node:http";
import { crc32, deflateSync } from "node:zlib";
import { noise, wavBytes } from "../support/signals.ts";

let made = 0;

/** Returns the bytes of a short WAV, different for every call. */
export function newAudio(): Uint8Array<ArrayBuffer> {
  made++;
  return wavBytes([noise(8000, 0.2, 0.5, made)], 8000, 16);
}

/** A small picture: 8 by 8 grey pixels. */
export const PNG = pngBytes();

/** Serves files from outside: good ones, and ones that are bad in every way. */
export function serveFile(request: IncomingMessage, response: ServerResponse): void {
  const path = new URL(request.url ?? "/", "http://outside").pathname;
  if (path.endsWith(".wav")) send(response, "audio/wav", newAudio());
  else if (path === "/cover.png") send(response, "image/png", PNG);
  else if (path === "/page") send(response, "text/html", Buffer.from("<!doctype html><title>x</title>"));
  else if (path === "/endless") sendEndless(response);
  else response.writeHead(404).end();
}

function send(response: ServerResponse, type: string, bytes: Uint8Array): void {
  response.writeHead(200, { "content-type": type, "content-length": bytes.byteLength }).end(bytes);
}

/** Returns a multipart body whose only file is a WAV slightly larger than 1 GB, generated while it is read. */
export function hugeForm(field: string): { type: string; body: ReadableStream } {
  const head = `--b\r\ncontent-disposition: form-data; name="${field}"; filename="a.wav"\r\n\r\n`;
  const chunk = new Uint8Array(1 << 22);
  let left = 257;
  return {
    type: "multipart/form-data; boundary=b",
    body: new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(head));
        controller.enqueue(newAudio());
      },
      pull(controller) {
        if (left-- > 0) return controller.enqueue(chunk);
        controller.enqueue(new TextEncoder().encode("\r\n--b--\r\n"));
        controller.close();
      },
    }),
  };
}

/** Sends a WAV with a declared size of two gigabytes, for as long as the client reads. */
function sendEndless(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "audio/wav", "content-length": 2 ** 31 });
  response.write(newAudio());
  const silence = Buffer.alloc(1 << 20);
  const more = () => {
    while (!response.destroyed && response.write(silence));
  };
  response.on("drain", more);
  response.on("error", () => undefined);
  more();
}

function pngBytes(): Buffer<ArrayBuffer> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(8, 0);
  header.writeUInt32BE(8, 4);
  header[8] = 8; // bits per sample; colour type 0 is grey
  const pixels = Buffer.alloc(8 * 9, 128);
  for (let line = 0; line < 8; line++) pixels[line * 9] = 0; // no filter
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(pixels)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
