import { PROGRAM } from "../../../kernel/program.ts";
import type { Refusal } from "./refusal.ts";

/** The version of the protocol that is spoken. */
export const PROTOCOL = "1.16.1";

/**
 * What an answer holds. In XML, scalars are attributes, nodes child elements, and each item of a list a child element; the field
 * `value` is the text of its element. What is undefined is left out.
 */
export type Node = { readonly [name: string]: Value };
type Scalar = string | number | boolean;
type Value = Scalar | Node | readonly (Scalar | Node)[] | undefined;

export type Format = "json" | "xml";

/** Returns the answer to a call that went well. */
export const answered = (format: Format, body: Node): Response =>
  write(format, { ...envelope("ok"), ...body }, 200);

/** Returns a refusal. Its status is 200, as players expect it, unless `status` says otherwise. */
export function refused(
  format: Format,
  { code, message }: Pick<Refusal, "code" | "message">,
  {
    status = 200,
    helpUrl,
    headers,
  }: { status?: number; helpUrl?: string; headers?: Readonly<Record<string, string>> } = {},
): Response {
  const response = write(format, { ...envelope("failed"), error: { code, message, helpUrl } }, status);
  for (const [name, value] of Object.entries(headers ?? {})) response.headers.set(name, value);
  return response;
}

const envelope = (status: "ok" | "failed"): Node => ({
  status,
  version: PROTOCOL,
  type: PROGRAM.name,
  serverVersion: PROGRAM.version,
  openSubsonic: true,
});

function write(format: Format, body: Node, status: number): Response {
  const [text, type] =
    format === "json"
      ? [toJson({ "subsonic-response": body }), "application/json"]
      : [toXml(body), "text/xml; charset=utf-8"];
  return new Response(text, {
    status,
    headers: { "content-type": type, "cache-control": "no-store", "x-content-type-options": "nosniff" },
  });
}

/** Half of a pair of surrogates is no character, and written as a number; some readers of JSON fail at it. Few answers have one. */
function toJson(body: Node): string {
  const text = JSON.stringify(body);
  return /\\ud[89a-f]/.test(text) ? JSON.stringify(body, wellFormed) : text;
}

const wellFormed = (_: string, value: unknown) => (typeof value === "string" ? value.toWellFormed() : value);

const NAMESPACE = "http://subsonic.org/restapi";

function toXml(body: Node): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element("subsonic-response", { xmlns: NAMESPACE, ...body })}`;
}

function element(name: string, content: Scalar | Node): string {
  if (typeof content !== "object") return `<${name}>${escaped(content)}</${name}>`;
  let attributes = "";
  let inside = "";
  for (const [key, value] of Object.entries(content)) {
    if (typeof value === "object") inside += elements(key, value);
    else if (key === "value") inside += escaped(value ?? "");
    else if (value !== undefined) attributes += ` ${key}="${escaped(value)}"`;
  }
  return inside === "" ? `<${name}${attributes}/>` : `<${name}${attributes}>${inside}</${name}>`;
}

const elements = (name: string, value: Exclude<Value, Scalar | undefined>): string =>
  isList(value) ? value.map((each) => element(name, each)).join("") : element(name, value);

const isList = (value: Value): value is readonly (Scalar | Node)[] => Array.isArray(value);

/** What XML 1.0 has no place for, however it is written. @see XML 1.0, section 2.2 */
const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
const SPECIAL = /[&<>"\t\n\r]/g;
const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\t": "&#9;",
  "\n": "&#10;",
  "\r": "&#13;",
};

/** White space is written as a number, or a reader makes blanks of it in attributes. */
function escaped(value: Scalar): string {
  if (typeof value !== "string") return String(value);
  return value
    .toWellFormed()
    .replace(FORBIDDEN, "")
    .replace(SPECIAL, (each) => ENTITIES[each] ?? "");
}
