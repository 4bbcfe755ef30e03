import { FORM_LIMIT_BYTES } from "../http/limits.ts";
import { DomainError, invalidField } from "../kernel/errors.ts";
import { sizeInWords } from "../kernel/text.ts";

/**
 * Reads the fields of a form that a page posted, at most {@link FORM_LIMIT_BYTES}.
 *
 * @throws DomainError `payload_too_large` when the form is larger, `validation_failed` for another content type.
 */
export async function readForm(request: Request): Promise<URLSearchParams> {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/x-www-form-urlencoded")
    throw invalidField("body", "content_type", "must be a form: application/x-www-form-urlencoded");
  if (Number(request.headers.get("content-length") ?? 0) > FORM_LIMIT_BYTES) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > FORM_LIMIT_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  return new URLSearchParams(new TextDecoder().decode(Buffer.concat(chunks)));
}

const tooLarge = () =>
  new DomainError("payload_too_large", `A form may have at most ${sizeInWords(FORM_LIMIT_BYTES)}`);
