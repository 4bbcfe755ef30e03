import { DomainError, invalidField } from "../kernel/errors.ts";

const JSON_LIMIT_BYTES = 10 * 1024 * 1024;

/**
 * Reads a request's JSON, at most 10 MB of it. An empty body is undefined.
 *
 * @throws DomainError `payload_too_large`, or `validation_failed` for another content type or malformed JSON.
 */
export async function readJson(request: Request): Promise<{ value: unknown; text: string }> {
  const text = await readText(request);
  if (text === "") return { value: undefined, text };
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
  if (type !== "application/json" && !type.endsWith("+json"))
    throw invalidField("body", "content_type", "send JSON with Content-Type: application/json");
  try {
    return { value: JSON.parse(text), text };
  } catch {
    throw invalidField("body", "malformed_json", "not well-formed JSON");
  }
}

async function readText(request: Request): Promise<string> {
  const declared = Number(request.headers.get("content-length") ?? Number.NaN);
  if (declared > JSON_LIMIT_BYTES) throw tooLarge();
  if (!request.body) return "";
  // With a declared length the server reads no more than that; without one the bytes are counted here.
  if (declared >= 0) return await request.text();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > JSON_LIMIT_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

const tooLarge = () => new DomainError("payload_too_large", "A JSON body may have at most 10 MB");
