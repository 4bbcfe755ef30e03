/** What the headers of a form part say. */
export type PartHeaders = {
  /** Name of the form field. */
  name: string;
  /** As the client sent it: pass it through `displayName` before any use. Undefined: the part is a plain field. */
  filename: string | undefined;
};

/**
 * Reads the header lines of a part. Undefined when the Content-Disposition of a form field is missing or malformed.
 *
 * @param block The lines between the boundary and the empty line, excluding both.
 * @see RFC 7578, section 4.2; RFC 8187 for `filename*`.
 */
export function parsePartHeaders(block: Uint8Array): PartHeaders | undefined {
  const lines = decode(block).split("\r\n");
  const disposition = headerOf(lines, "content-disposition");
  const parameters = disposition === undefined ? undefined : parseDisposition(disposition);
  const name = parameters?.get("name");
  if (!parameters || name === undefined) return undefined;
  return { name: unescapeFormName(name), filename: filenameOf(parameters, headerOf(lines, "content-type")) };
}

function filenameOf(
  parameters: ReadonlyMap<string, string>,
  contentType: string | undefined,
): string | undefined {
  const plain = parameters.get("filename");
  const extended = decodeExtended(parameters.get("filename*"));
  if (extended !== undefined) return extended;
  if (plain !== undefined) return unescapeFormName(plain);
  // Some clients send a stream without a name. A type other than text still marks it as a file.
  const isField = contentType === undefined || /^text\/plain\b/i.test(contentType);
  return isField ? undefined : "";
}

function headerOf(lines: readonly string[], header: string): string | undefined {
  const line = lines.find((each) => each.slice(0, header.length + 1).toLowerCase() === `${header}:`);
  return line?.slice(header.length + 1).trim();
}

/** Parameters by lower-case name, the first of each; undefined unless the whole value is well-formed. */
function parseDisposition(value: string): Map<string, string> | undefined {
  const type = /^form-data[ \t]*(?=;|$)/i.exec(value);
  if (!type) return undefined;
  const parameters = new Map<string, string>();
  // Sticky, so each character is read once: a hostile header cannot make this slow.
  const parameter = /;[ \t]*([\w!#$%&'*+.^`|~-]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s";]*))[ \t]*/sy;
  parameter.lastIndex = type[0].length;
  let end = parameter.lastIndex;
  for (let match = parameter.exec(value); match; match = parameter.exec(value)) {
    const [, name = "", quoted, token = ""] = match;
    const key = name.toLowerCase();
    if (!parameters.has(key))
      parameters.set(key, quoted === undefined ? token : quoted.replace(/\\(["\\])/g, "$1"));
    end = parameter.lastIndex;
  }
  return /^;?$/.test(value.slice(end)) ? parameters : undefined;
}

/** Undoes the three escapes that browsers use to keep a name inside its quotes (HTML, "multipart form data"). */
function unescapeFormName(text: string): string {
  const characters: Readonly<Record<string, string>> = { "%22": '"', "%0D": "\r", "%0A": "\n" };
  return text.replace(/%(?:22|0D|0A)/gi, (code) => characters[code.toUpperCase()] ?? code);
}

/** Decodes `UTF-8''na%C3%AFve.wav`; undefined for any other form. */
function decodeExtended(value: string | undefined): string | undefined {
  const [, charset = "", encoded = ""] = /^([^']*)'[^']*'(.*)$/s.exec(value ?? "") ?? [];
  if (/^iso-8859-1$/i.test(charset))
    return encoded.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  if (!/^utf-8$/i.test(charset)) return undefined;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

/** UTF-8 as browsers send it; older clients send Latin-1. */
function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return Buffer.from(bytes).toString("latin1");
  }
}
