import { DomainError, invalidField, invalidRequest } from "../../kernel/errors.ts";
import { MAX_FIELD_BYTES } from "../../kernel/limits.ts";
import { sizeInWords } from "../../kernel/text.ts";
import { displayName } from "../files/file-name.ts";
import { stateOf } from "../request-state.ts";
import { formNames } from "../unknown.ts";
import { type ByteReader, createByteReader } from "./byte-reader.ts";
import { type PartHeaders, parsePartHeaders } from "./part-headers.ts";

/** A file of a form while it is being received. */
export type FormFile = {
  field: string;
  /** Safe to show. Never use it as a path. */
  filename: string;
  /** Read it to its end or to an error. */
  bytes: AsyncIterable<Uint8Array>;
};

/** A form that was read to its end. */
export type Form<Received> = {
  /** The last value of each field, files excluded. */
  fields: ReadonlyMap<string, string>;
  /** What `receive` returned for the files, in order. */
  files: Received[];
};

export type FormLimits = {
  maxFiles: number;
  /** The names of its fields, of files as well. Left out: every name is let pass. */
  known?: readonly string[];
};

const MAX_PARTS = 200;
const MAX_HEADER_BYTES = 16 * 1024;
const CRLF = Buffer.from("\r\n");
const EMPTY_LINE = Buffer.from("\r\n\r\n");

/**
 * Reads a `multipart/form-data` body as a stream, part by part, no faster than `receive` takes the bytes of a file.
 * A field that the form does not know is refused as soon as it is met, before the files behind it are read. Files of other
 * fields are skipped, and refused when there are files of `fileField` too; a file of a known field is its text. An empty
 * file input of a browser, which sends neither name
 * nor bytes, does not count as a file. After any failure reading stops, and the caller must undo what `receive`
 * made so far.
 *
 * @throws DomainError `too_many_files`; `payload_too_large` for a field over 1 MB; `validation_failed` for an unknown
 *   field, another content type, a malformed body, or a body that ends early because the client has gone; and whatever `receive`
 *   throws.
 * @see RFC 7578 and RFC 2046, section 5.1.
 */
export async function receiveForm<Received>(
  request: Request,
  fileField: string,
  { maxFiles, known }: FormLimits,
  receive: (file: FormFile) => Promise<Received>,
): Promise<Form<Received>> {
  const boundary = boundaryOf(request.headers.get("content-type"));
  if (!request.body) throw malformed("the body is empty");
  const fields = new Map<string, string>();
  const files: Received[] = [];
  const reader = createByteReader(request.body);
  const { fingerprint } = stateOf(request);
  const { isText, refuseUnknown } = namesOf(request, known, fileField);
  const strays: string[] = [];
  const takeFile = async (field: string, file: OpenFile | undefined) => {
    if (!file) return;
    if (field !== fileField) {
      strays.push(field);
      return await skip(file.bytes);
    }
    if (files.length === maxFiles)
      throw new DomainError("too_many_files", `A request may carry at most ${maxFiles} files`);
    files.push(await receive({ field, ...file }));
  };
  try {
    for await (const part of readParts(reader, boundary)) {
      const { name, filename } = part;
      const bytes = fingerprint?.watch(part, part.bytes) ?? part.bytes;
      if (filename === undefined || isText(name)) {
        refuseUnknown([name]);
        fields.set(name, await readField(name, bytes));
        continue;
      }
      await takeFile(name, await openFile(filename, bytes));
    }
    // Without any file the caller says where files belong.
    if (files.length > 0) refuseUnknown(strays);
    fingerprint?.complete();
  } finally {
    reader.release();
  }
  return { fields, files };
}

/** Reads a form to its end and keeps only its fingerprint. Throws as {@link receiveForm} does. */
export async function skimForm(request: Request): Promise<void> {
  await receiveForm(request, "", { maxFiles: MAX_PARTS }, ({ bytes }) => skip(bytes));
}

type Part = PartHeaders & { bytes: AsyncGenerator<Uint8Array, void> };

/** Yields the parts one after the other. Read each part to its end before taking the next. */
async function* readParts(reader: ByteReader, boundary: string): AsyncGenerator<Part, void> {
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  // The first boundary may open the body. With a line end in front it looks like the others.
  reader.unread(CRLF);
  await skip(reader.until(delimiter));
  for (let parts = 0; !(await isLastBoundary(reader)); parts++) {
    if (parts === MAX_PARTS) throw malformed(`more than ${MAX_PARTS} parts`);
    const headers = await readHeaders(reader);
    yield { ...headers, bytes: reader.until(delimiter) };
  }
}

/**
 * Reads what follows a boundary: `--` after the last one, otherwise spaces that some gateways add, up to the line
 * end.
 */
async function isLastBoundary(reader: ByteReader): Promise<boolean> {
  const mark = await reader.take(2);
  if (mark.equals(Buffer.from("--"))) return true;
  reader.unread(mark);
  const padding = await collect(reader.until(CRLF), MAX_HEADER_BYTES);
  if (!padding?.every((byte) => byte === 0x20 || byte === 0x09)) throw malformed("a boundary is damaged");
  // Put back: the headers follow it, and for a part without headers it begins the empty line.
  reader.unread(CRLF);
  return false;
}

async function readHeaders(reader: ByteReader): Promise<PartHeaders> {
  const block = await collect(reader.until(EMPTY_LINE), MAX_HEADER_BYTES);
  const headers = block && parsePartHeaders(block.subarray(CRLF.length));
  if (!headers) throw malformed("the headers of a part are damaged");
  return headers;
}

async function readField(name: string, bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const value = await collect(bytes, MAX_FIELD_BYTES);
  if (value) return value.toString("utf8");
  throw new DomainError(
    "payload_too_large",
    `The field ${displayName(name)} may be at most ${sizeInWords(MAX_FIELD_BYTES)}`,
  );
}

/** Collects a stream into one buffer; undefined when it has more than `maxBytes`. */
async function collect(chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer | undefined> {
  const all: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > maxBytes) return undefined;
    all.push(Buffer.from(chunk)); // a copy: the reader takes its pieces back
  }
  return Buffer.concat(all);
}

async function skip(bytes: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of bytes);
}

type OpenFile = Omit<FormFile, "field">;

/** Returns the file of a part; undefined for the empty file input of a browser, which sends neither name nor bytes. */
async function openFile(
  filename: string,
  bytes: AsyncGenerator<Uint8Array, void>,
): Promise<OpenFile | undefined> {
  const first = await bytes.next();
  if (filename === "" && first.done) return undefined;
  return { filename: displayName(filename), bytes: resume(first, bytes) };
}

async function* resume(first: IteratorResult<Uint8Array, void>, rest: AsyncIterable<Uint8Array>) {
  if (first.done) return;
  yield first.value;
  yield* rest;
}

function boundaryOf(contentType: string | null): string {
  const [type = "", ...parameters] = contentType?.split(";") ?? [];
  if (type.trim().toLowerCase() !== "multipart/form-data")
    throw invalidField("body", "content_type", "send a form with Content-Type: multipart/form-data");
  const match = /^\s*boundary=(?:"([^"]{1,200})"|([^\s"]{1,200}))\s*$/i;
  for (const parameter of parameters) {
    const [, quoted, token] = match.exec(parameter) ?? [];
    if (quoted ?? token) return quoted ?? token ?? "";
  }
  throw malformed("the Content-Type names no boundary");
}

/** What a form's names mean: whether a field is a text, also where it comes as a file; and which are refused. */
function namesOf(request: Request, known: readonly string[] | undefined, fileField: string) {
  const unknownOf = formNames(known);
  return {
    isText: (name: string) => name !== fileField && known?.includes(name) === true,
    refuseUnknown(names: readonly string[]) {
      const unknown = unknownOf(request, names);
      if (unknown.length > 0) throw invalidRequest(unknown);
    },
  };
}

/** Makes the refusal for a body that is not a well-formed form. */
function malformed(why: string): DomainError {
  return invalidField("body", "malformed_form", `not a well-formed form: ${why}`);
}
