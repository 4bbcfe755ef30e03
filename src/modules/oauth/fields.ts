import { OAuthError } from "./oauth-error.ts";

/** Parameters of a request, each at most once; an empty one counts as left out (RFC 6749, sections 3.1 and 3.2). */
export type Fields = Readonly<Record<string, string | undefined>>;

/** RFC 8707 lets a client name several. */
const MAY_REPEAT = "resource";

/**
 * Reads parameters.
 *
 * @throws OAuthError `invalid_request` for one that is repeated, `invalid_target` for more than one resource.
 */
export function readFields(parameters: URLSearchParams): Fields {
  const fields = new Map<string, string>();
  for (const [name, value] of parameters) {
    if (value === "") continue;
    const known = fields.get(name);
    if (known === undefined) fields.set(name, value);
    else if (name !== MAY_REPEAT)
      throw new OAuthError("invalid_request", "A parameter is there more than once");
    else if (known !== value) throw new OAuthError("invalid_target", "There is one resource here");
  }
  return Object.fromEntries(fields);
}
