import { DomainError, invalidField } from "../../kernel/errors.ts";
import { JSON_LIMIT_BYTES } from "../../kernel/limits.ts";
import { sizeInWords } from "../../kernel/text.ts";

/** No documented body has more than ten levels. */
const MAX_DEPTH = 64;

/**
 * Reads a request's JSON, at most 10 MB of it unless told otherwise. An empty body is undefined.
 *
 * @throws DomainError `payload_too_large`, or `validation_failed` for another content type or malformed JSON.
 */
export async function readJson(
  request: Request,
  limitBytes = JSON_LIMIT_BYTES,
): Promise<{ value: unknown; text: string }> {
  const text = await readText(request, limitBytes);
  if (text === "") return { value: undefined, text };
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
  if (type !== "application/json" && !type.endsWith("+json"))
    throw invalidField("body", "content_type", "send JSON with Content-Type: application/json");
  const value = parse(text);
  if (value !== null && (typeof value !== "object" || Array.isArray(value)))
    throw invalidField("body", "object", "must be an object");
  return { value, text };
}

function parse(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalidField("body", "malformed_json", "not well-formed JSON");
  }
  return tamed(value);
}

/**
 * Returns a parsed value without the parts that could break the code that reads it, such as an own `toString`. No
 * documented field has such a name, so it is left out before unknown fields are refused (decision 0.3).
 *
 * @throws DomainError `validation_failed` for a value nested deeper than any documented one.
 */
function tamed(value: unknown, depth = 0): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth === MAX_DEPTH)
    throw invalidField("body", "too_deep", `must not be deeper than ${MAX_DEPTH} levels`);
  if (!Array.isArray(value)) {
    Reflect.deleteProperty(value, "toString");
    if (Object.hasOwn(value, "__proto__")) Reflect.deleteProperty(value, "__proto__");
  }
  for (const each of Object.values(value)) tamed(each, depth + 1);
  return value;
}

/**
 * Reads a request's body as text, at most 10 MB of it unless told otherwise.
 *
 * @throws DomainError `payload_too_large`.
 */
export async function readText(request: Request, limitBytes = JSON_LIMIT_BYTES): Promise<string> {
  const declared = Number(request.headers.get("content-length") ?? Number.NaN);
  if (declared > limitBytes) throw tooLarge(limitBytes);
  if (!request.body) return "";
  // With a declared length the server reads no more than that. Otherwise the bytes are counted here.
  if (declared >= 0) return await request.text();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > limitBytes) throw tooLarge(limitBytes);
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

function tooLarge(limitBytes: number): DomainError {
  return new DomainError("payload_too_large", `A JSON body may be at most ${sizeInWords(limitBytes)}`);
}
