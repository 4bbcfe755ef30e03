import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  SERVER_INFO_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/server";
import type { Caller } from "../caller.ts";
import { canAsk } from "../calls/confirm.ts";
import { openResultJson } from "../calls/results.ts";
import type { Surface, ToolEntry } from "../surface.ts";
import { SERVER_INFO } from "./server.ts";

const MODERN_VERSION = "2026-07-28";
const MODERN_KEYS: ReadonlySet<string> = new Set([
  PROTOCOL_VERSION_META_KEY,
  CLIENT_INFO_META_KEY,
  CLIENT_CAPABILITIES_META_KEY,
  "progressToken",
]);
const MODERN_END = `,"resultType":"complete","_meta":${JSON.stringify({ [SERVER_INFO_META_KEY]: SERVER_INFO })}}`;
const JSON_HEADERS = { headers: { "content-type": "application/json" } };

type Fields = Record<string, unknown>;
type CallPlain = NonNullable<ToolEntry["callPlain"]>;
type PlainTool = { callPlain: CallPlain; asks: boolean };
type PlainCall = { id: string | number; run: CallPlain; input: Fields; isModern: boolean };

/** Answers a message, or returns undefined to leave it to the SDK. */
export type Direct = (body: unknown, request: Request, caller: Caller) => Promise<Response> | undefined;

/**
 * Makes the fast path for the most common request: a tool call with a single answer, in the form of either protocol
 * era. For each request the SDK makes a server, a transport and five schema checks, which takes longer than most
 * calls. Any unusual request goes to the SDK, which decides and explains. A test compares the answers of both
 * paths.
 */
export function createDirect({ tools }: Surface): Direct {
  const plain = new Map(
    tools.flatMap(({ listed, callPlain, asks = false }) =>
      callPlain ? [[listed.name, { callPlain, asks }] as const] : [],
    ),
  );
  return (body, request, caller) => {
    const call = caller.takesJson ? readCall(plain, body, request.headers) : undefined;
    return call && answer(call, request, caller);
  };
}

async function answer(
  { id, run, input, isModern }: PlainCall,
  request: Request,
  caller: Caller,
): Promise<Response> {
  const result = await run(input, caller, request.signal);
  const json = `${openResultJson(result)}${isModern ? MODERN_END : "}"}`;
  return new Response(`{"result":${json},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`, JSON_HEADERS);
}

function readCall(
  tools: ReadonlyMap<string, PlainTool>,
  body: unknown,
  headers: Headers,
): PlainCall | undefined {
  if (!isObject(body) || body.jsonrpc !== "2.0" || body.method !== "tools/call") return undefined;
  const { id, params } = body;
  if (!isId(id) || !isObject(params) || !hasOnly(params, CALL_KEYS)) return undefined;
  const { name, arguments: input = {}, _meta: meta = {} } = params;
  const tool = typeof name === "string" ? tools.get(name) : undefined;
  if (!tool || typeof name !== "string" || !isObject(input) || !isObject(meta)) return undefined;
  // A question to the user is the SDK's to ask.
  if (tool.asks && canAsk(meta[CLIENT_CAPABILITIES_META_KEY])) return undefined;
  const isModern = headers.get("mcp-protocol-version") === MODERN_VERSION;
  const isUsual = isModern ? isUsualModern(meta, headers, name) : isUsualLegacy(meta, headers);
  return isUsual ? { id, run: tool.callPlain, input, isModern } : undefined;
}

const CALL_KEYS: ReadonlySet<string> = new Set(["name", "arguments", "_meta"]);
const LEGACY_KEYS: ReadonlySet<string> = new Set(["progressToken"]);

/** True when the envelope says exactly what the headers say. */
function isUsualModern(meta: Fields, headers: Headers, name: string): boolean {
  const { [CLIENT_INFO_META_KEY]: client, [CLIENT_CAPABILITIES_META_KEY]: capabilities } = meta;
  return (
    meta[PROTOCOL_VERSION_META_KEY] === MODERN_VERSION &&
    headers.get("mcp-method") === "tools/call" &&
    headers.get("mcp-name") === name &&
    hasOnly(meta, MODERN_KEYS) &&
    isObject(capabilities) &&
    Object.values(capabilities).every(isObject) &&
    (client === undefined || isClient(client))
  );
}

function isUsualLegacy(meta: Fields, headers: Headers): boolean {
  const version = headers.get("mcp-protocol-version");
  return hasOnly(meta, LEGACY_KEYS) && (version === null || SUPPORTED_PROTOCOL_VERSIONS.includes(version));
}

const isClient = (client: unknown) =>
  isObject(client) && typeof client.name === "string" && typeof client.version === "string";
const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isId = (id: unknown): id is string | number => typeof id === "string" || Number.isSafeInteger(id);

function hasOnly(object: Fields, known: ReadonlySet<string>): boolean {
  for (const key in object) if (!known.has(key)) return false;
  return true;
}
