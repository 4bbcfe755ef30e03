import { OAuthError } from "./oauth-error.ts";

/** Parameters of a request, each at most once; an empty value counts as absent (RFC 6749, sections 3.1 and 3.2). */
export type Fields = Readonly<Record<string, string | undefined>>;

/** RFC 8707 lets a client name several resources. */
const MAY_REPEAT = "resource";

/**
 * Reads the parameters of a request.
 *
 * @throws OAuthError `invalid_request` when a parameter is repeated; `invalid_target` for more than one resource.
 */
export function readFields(parameters: URLSearchParams): Fields {
  const fields = new Map<string, string>();
  for (const [name, value] of parameters) {
    if (value === "") continue;
    const known = fields.get(name);
    if (known === undefined) fields.set(name, value);
    else if (name !== MAY_REPEAT)
      throw new OAuthError("invalid_request", "A parameter appears more than once");
    else if (known !== value)
      throw new OAuthError("invalid_target", "Name only one resource: the tool server's address");
  }
  return Object.fromEntries(fields);
}
