import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Form, type FormFile, receiveForm } from "../../src/http/body/multipart.ts";
import { displayName } from "../../src/http/files/file-name.ts";
import { DomainError, type ErrorCode } from "../../src/kernel/errors.ts";

type ReceivedFile = { filename: string; bytes: Buffer };

const BOUNDARY = "----WebKitFormBoundaryabc123";
const TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

describe("receiveForm", () => {
  test("reads what the runtime's FormData sends", async () => {
    const form = new FormData();
    form.append("visible", "true");
    form.append("files", new File(["one"], "one.wav", { type: "audio/wav" }));
    form.append("files", new File([""], "empty.wav"));
    form.append("note", "früh\r\nspät");
    form.append("files", new File(["two"], 'My "Best" Übung\n.flac'));

    const { fields, files } = await read(new Request("http://localhost/", { method: "POST", body: form }));

    expect(Object.fromEntries(fields)).toEqual({ visible: "true", note: "früh\r\nspät" });
    expect(files.map(({ filename, bytes }) => [filename, bytes.toString()])).toEqual([
      ["one.wav", "one"],
      ["empty.wav", ""],
      ['My "Best" Übung .flac', "two"],
    ]);
  });

  test("returns any bytes unchanged, however the stream is split", async () => {
    // Bytes that look like the beginning of a boundary are the hard case.
    const piece = fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc
        .constantFrom("\r", "\n", "\r\n", "\r\n--", `\r\n--${BOUNDARY.slice(0, 20)}`, `--${BOUNDARY}`, "--")
        .map((text) => new Uint8Array(Buffer.from(text))),
    );
    const content = fc
      .array(piece, { maxLength: 12 })
      .map((pieces) => Buffer.concat(pieces))
      .filter((bytes) => !bytes.includes(`\r\n--${BOUNDARY}`));
    await fc.assert(
      fc.asyncProperty(
        fc.array(content, { maxLength: 4 }),
        fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1 }),
        async (contents, sizes) => {
          const body = bodyOf(...contents.map((bytes, index) => filePart(`${index}.wav`, bytes)));

          const { files } = await read(requestOf(cut(body, sizes)));

          expect(files.map(({ bytes }) => bytes)).toEqual(contents);
        },
      ),
      { numRuns: 300 },
    );
  });

  test.each([
    [
      "a text before the first boundary",
      Buffer.concat([Buffer.from("hello\r\n"), bodyOf(filePart("a.wav", "x"))]),
    ],
    [
      "a text after the last boundary",
      Buffer.concat([bodyOf(filePart("a.wav", "x")), Buffer.from("\r\nbye")]),
    ],
    [
      "spaces behind a boundary",
      Buffer.from(bodyOf(filePart("a.wav", "x")).toString().replace(BOUNDARY, `${BOUNDARY} \t`)),
    ],
    [
      "a header in another case",
      bodyOf(part('CONTENT-DISPOSITION:form-data;name=files;filename="a.wav"', "x")),
    ],
    [
      "further headers",
      bodyOf(part('X-A: b\r\nContent-Disposition: form-data; name="files"; filename="a.wav"', "x")),
    ],
  ])("accepts %s", async (_, body) => {
    const { files } = await read(requestOf([body]));

    expect(files.map(({ filename, bytes }) => [filename, bytes.toString()])).toEqual([["a.wav", "x"]]);
  });

  test("finds a quoted boundary among other parameters", async () => {
    const type = `multipart/form-data; charset=utf-8; Boundary="${BOUNDARY}"`;

    const { files } = await read(requestOf([bodyOf(filePart("a.wav", "x"))], type));

    expect(files.map(({ filename }) => filename)).toEqual(["a.wav"]);
  });

  test("reads an empty file input as no file, and a nameless stream as a file", async () => {
    const empty = part(
      'Content-Disposition: form-data; name="files"; filename=""\r\nContent-Type: application/octet-stream',
      "",
    );
    const nameless = part('Content-Disposition: form-data; name="files"\r\nContent-Type: audio/wav', "x");

    const { files } = await read(requestOf([bodyOf(empty, nameless)]));

    expect(files.map(({ filename }) => filename)).toEqual(["untitled"]);
  });

  test("skips files of other fields", async () => {
    const other = part('Content-Disposition: form-data; name="cover"; filename="a.png"', "png");

    const { files } = await read(requestOf([bodyOf(other, filePart("a.wav", "x"))]));

    expect(files.map(({ filename }) => filename)).toEqual(["a.wav"]);
  });

  const whole = bodyOf(filePart("a.wav", "content of some length"), filePart("b.wav", "x"));
  test.each([
    ["another content type", whole, "application/json"],
    ["a url-encoded form", whole, "application/x-www-form-urlencoded"],
    ["no boundary in the content type", whole, "multipart/form-data"],
    ["an empty boundary", whole, 'multipart/form-data; boundary=""'],
    ["a boundary that never comes", whole, "multipart/form-data; boundary=other"],
    ["an empty body", Buffer.alloc(0), TYPE],
    ["a body cut in the first boundary", whole.subarray(0, 10), TYPE],
    ["a body cut in the headers", whole.subarray(0, 60), TYPE],
    ["a body cut in a file", whole.subarray(0, 130), TYPE],
    ["a body cut before the last two dashes", whole.subarray(0, whole.length - 4), TYPE],
    ["a part without headers", bodyOf(Buffer.from("\r\nx")), TYPE],
    [
      "a part that is not a form field",
      bodyOf(part("Content-Disposition: attachment; filename=a.wav", "x")),
      TYPE,
    ],
    ["a field without a name", bodyOf(part('Content-Disposition: form-data; filename="a.wav"', "x")), TYPE],
    [
      "a quote that never closes",
      bodyOf(part('Content-Disposition: form-data; name="files; filename=a', "x")),
      TYPE,
    ],
    ["endless headers", bodyOf(part(`X-Long: ${"a".repeat(20_000)}`, "x")), TYPE],
    ["a damaged boundary", Buffer.from(whole.toString().replace(BOUNDARY, `${BOUNDARY}oops`)), TYPE],
    ["more parts than a form has", bodyOf(...Array.from({ length: 201 }, () => fieldPart("a", "b"))), TYPE],
  ])("refuses %s", async (_, body, type) => {
    expect(await refusalOf(read(requestOf([body], type)))).toBe("validation_failed");
  });

  test("refuses a file too many before its bytes", async () => {
    const names = ["1.wav", "2.wav", "3.wav"];
    const taken: string[] = [];
    const request = requestOf([bodyOf(...names.map((name) => filePart(name, "x")))]);

    const refused = receiveForm(request, "files", { maxFiles: 2 }, async (file) => {
      await bytesOf(file);
      taken.push(file.filename);
    });

    expect(await refusalOf(refused)).toBe("too_many_files");
    expect(taken).toEqual(["1.wav", "2.wav"]);
  });

  test("refuses a field that is too long", async () => {
    const body = bodyOf(fieldPart("audioProfiles", "x".repeat(2 ** 20 + 1)));

    expect(await refusalOf(read(requestOf(cut(body, [65_536]))))).toBe("payload_too_large");
  });

  test("reports an incomplete body when the client disconnects, and releases the stream", async () => {
    let isCancelled = false;
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(bodyOf(filePart("a.wav", "x".repeat(500))).subarray(0, 300));
        controller.error(new DOMException("The connection was closed.", "AbortError"));
      },
    });
    const slow = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(bodyOf(filePart("a.wav", "x"), filePart("b.wav", "x"))),
      cancel: () => {
        isCancelled = true;
      },
    });

    expect(await refusalOf(read(streamRequest(stream)))).toBe("validation_failed");
    const failing = receiveForm(streamRequest(slow), "files", { maxFiles: 5 }, () =>
      Promise.reject(new DomainError("invalid_file_type", "no")),
    );
    expect(await refusalOf(failing)).toBe("invalid_file_type");
    expect(isCancelled).toBe(true);
  });

  test("reads no faster than the file is consumed", async () => {
    const chunk = Buffer.alloc(65_536, "a");
    const parts = [
      Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="files"; filename="a.wav"\r\n\r\n`),
    ];
    for (let index = 0; index < 50; index++) parts.push(Buffer.from(chunk));
    parts.push(Buffer.from(`\r\n--${BOUNDARY}--\r\n`));
    let given = 0;
    const stream = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          const next = parts[given++];
          if (next) controller.enqueue(next);
          else controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    const ahead: number[] = [];

    await receiveForm(streamRequest(stream), "files", { maxFiles: 1 }, async ({ bytes }) => {
      let taken = 0;
      for await (const _ of bytes) ahead.push(given - ++taken);
    });

    expect(ahead.length).toBeGreaterThanOrEqual(50);
    expect(Math.max(...ahead)).toBeLessThanOrEqual(2);
  });

  test("releases the memory of a large file during the upload, not at garbage collection", async () => {
    const chunks = Array.from({ length: 20 }, () => new Uint8Array(65_536).fill(97));
    const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="files"; filename="a.wav"\r\n\r\n`;
    const parts = [Buffer.from(head), ...chunks, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)];
    const stream = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          const next = parts.shift();
          if (next) controller.enqueue(next);
          else controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    const kept: number[] = [];

    await receiveForm(streamRequest(stream), "files", { maxFiles: 1 }, async ({ bytes }) => {
      let taken = 0;
      for await (const piece of bytes) {
        taken += piece.length;
        // The consumer holds two pieces: one being written, one that arrived meanwhile.
        const comeSoFar = chunks.slice(0, Math.ceil(taken / 65_536));
        kept.push(comeSoFar.filter(({ buffer }) => !buffer.detached).length);
      }
    });

    expect(kept).toHaveLength(20);
    expect(Math.max(...kept)).toBeLessThanOrEqual(2);
  });
});

describe("file names", () => {
  test.each([
    ["demo.wav", "demo.wav"],
    ["  Night Bus (v2) [final] – été 夜 🎧.wav ", "Night Bus (v2) [final] – été 夜 🎧.wav"],
    ["../../etc/passwd", "passwd"],
    ["C:\\Music\\mix.wav", "mix.wav"],
    ["..", "untitled"],
    ["a/..", "untitled"],
    ["", "untitled"],
    ["   ", "untitled"],
    ["a\u0000b.wav", "ab.wav"],
    ["a\u001b[31mb.wav", "a[31mb.wav"],
    ["a\r\nSet-Cookie: x.wav", "a Set-Cookie: x.wav"],
    ["photo\u202egpj.wav", "photogpj.wav"],
    ["\ufeffa\u200bb\u2066c.wav", "abc.wav"],
    ["👩\u200d🎤.wav", "👩\u200d🎤.wav"],
    ["lone \ud800 half.wav", "lone \ufffd half.wav"],
    [`${"a".repeat(400)}.wav`, `${"a".repeat(251)}.wav`],
    [`${"🎧".repeat(300)}.flac`, `${"🎧".repeat(250)}.flac`],
    [".hidden.wav", ".hidden.wav"],
    ["<script>alert(1)</script>.wav", "script>.wav"],
    ["100%25 AC%2FDC & 'friends'; \"live\".wav", "100%25 AC%2FDC & 'friends'; \"live\".wav"],
  ])("shows %p as %p", (raw, shown) => {
    expect(displayName(raw)).toBe(shown);
  });

  test.each([
    ['filename="plain.wav"', "plain.wav"],
    ["filename=token.wav", "token.wav"],
    ['filename="a \\"quoted\\" name.wav"', 'a "quoted" name.wav'],
    ['filename="a %22quoted%22 name.wav"', 'a "quoted" name.wav'],
    ['filename="semi;colon.wav"', "semi;colon.wav"],
    ['filename="été 夜.wav"', "été 夜.wav"],
    ["filename=\"fallback.wav\"; filename*=UTF-8''%C3%A9t%C3%A9.wav", "été.wav"],
    ["filename*=UTF-8'de'na%C3%AFve.wav", "naïve.wav"],
    ["filename*=iso-8859-1''%E9t%E9.wav", "été.wav"],
    ["filename=\"fallback.wav\"; filename*=UTF-8''%FF%FE", "fallback.wav"],
    ["filename*=UTF-8''..%2F..%2Fetc%2Fpasswd", "passwd"],
    ['filename="nul\u0000byte.wav"', "nulbyte.wav"],
    ['filename="../../../x.wav"', "x.wav"],
    ['filename="first.wav"; filename="second.wav"', "first.wav"],
  ])("reads the name from %p", async (parameter, expected) => {
    const body = bodyOf(part(`Content-Disposition: form-data; name="files"; ${parameter}`, "x"));

    const { files } = await read(requestOf([body]));

    expect(files.map(({ filename }) => filename)).toEqual([expected]);
  });

  test("reads a name in Latin-1, as old clients send it", async () => {
    const header = Buffer.from('Content-Disposition: form-data; name="files"; filename="été.wav"', "latin1");
    const body = bodyOf(Buffer.concat([header, Buffer.from("\r\n\r\nx")]));

    const { files } = await read(requestOf([body]));

    expect(files[0]?.filename).toBe("été.wav");
  });

  test("are always shown safely", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 600 }), (raw) => {
        const shown = displayName(raw);

        expect(shown).not.toBe("");
        expect(Array.from(shown).length).toBeLessThanOrEqual(255);
        expect(shown).not.toMatch(/[/\\\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
        expect(shown.isWellFormed()).toBe(true);
        expect(displayName(shown)).toBe(shown);
      }),
    );
  });
});

function read(request: Request): Promise<Form<ReceivedFile>> {
  return receiveForm(request, "files", { maxFiles: 25 }, async (file) => ({
    filename: file.filename,
    bytes: await bytesOf(file),
  }));
}

async function bytesOf({ bytes }: FormFile): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk.slice());
  return Buffer.concat(chunks);
}

async function refusalOf(work: Promise<unknown>): Promise<ErrorCode | "none"> {
  try {
    await work;
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
  return "none";
}

function part(headers: string, content: string | Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`${headers}\r\n\r\n`), Buffer.from(content as string)]);
}

function filePart(filename: string, content: string | Uint8Array): Buffer {
  return part(`Content-Disposition: form-data; name="files"; filename="${filename}"`, content);
}

function fieldPart(name: string, value: string): Buffer {
  return part(`Content-Disposition: form-data; name="${name}"`, value);
}

function bodyOf(...parts: readonly Buffer[]): Buffer {
  const pieces = parts.flatMap((each) => [Buffer.from(`--${BOUNDARY}\r\n`), each, Buffer.from("\r\n")]);
  return Buffer.concat([...pieces, Buffer.from(`--${BOUNDARY}--\r\n`)]);
}

/** Splits bytes into pieces whose lengths repeat `sizes`. */
function cut(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const size = sizes[pieces.length % sizes.length] ?? 1;
    pieces.push(bytes.subarray(at, at + size));
    at += size;
  }
  return pieces;
}

function requestOf(chunks: readonly Buffer[], type = TYPE): Request {
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  return streamRequest(stream, type);
}

function streamRequest(body: ReadableStream<Uint8Array>, type = TYPE): Request {
  return new Request("http://localhost/", { method: "POST", body, headers: { "content-type": type } });
}
