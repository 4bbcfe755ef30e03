/** What records, details and heads are made of: texts, integers and objects of them. */
export type Canonical = string | number | { readonly [name: string]: Canonical };

/**
 * Writes a value as canonical JSON: members sorted by UTF-16 code units, no white space. Of texts and integers, this is what
 * RFC 8785 asks for.
 *
 * @throws RangeError for a number that is no integer.
 */
export function canonical(value: Canonical): string {
  if (typeof value === "object") {
    const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(",")}}`;
  }
  if (typeof value === "number" && !Number.isSafeInteger(value))
    throw new RangeError("Only integers are canonical here");
  return JSON.stringify(value);
}
