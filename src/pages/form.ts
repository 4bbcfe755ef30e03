import { formNames } from "../http/unknown.ts";
import { DomainError, invalidField, invalidRequest } from "../kernel/errors.ts";
import { FORM_LIMIT_BYTES } from "../kernel/limits.ts";
import { sizeInWords } from "../kernel/text.ts";

/** The fields of a form. */
export type FormReader = (request: Request) => Promise<URLSearchParams>;

/**
 * Makes a reader of a form that a page posts, with the names of its fields. It reads at most {@link FORM_LIMIT_BYTES} and
 * throws `payload_too_large` for a larger form, `validation_failed` for another content type or an unknown field.
 */
export function formReader(...names: readonly string[]): FormReader {
  const unknownOf = formNames(names);
  return async (request) => {
    const form = await readForm(request);
    const unknown = unknownOf(request, form.keys());
    if (unknown.length > 0) throw invalidRequest(unknown);
    return form;
  };
}

/** Reads the fields of a form, whatever their names. Throws as {@link formReader}'s readers do. */
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
