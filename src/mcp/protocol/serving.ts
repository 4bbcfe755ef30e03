import { classifyInboundRequest, createMcpHandler } from "@modelcontextprotocol/server";
import { JSON_LIMIT_BYTES } from "../../kernel/limits.ts";
import type { Log } from "../../kernel/log.ts";
import type { Caller } from "../caller.ts";
import type { Surface } from "../surface.ts";
import { createDirect } from "./direct.ts";
import { createLegacyServing } from "./legacy.ts";
import { missingScopes } from "./scopes.ts";
import { narrowed, readSelection, strangersIn } from "./selection.ts";
import { serverFactory } from "./server.ts";

/** Most streams that may wait for changes at once. There are no changes to report, so a few are enough. */
const MAX_SUBSCRIPTIONS = 64;
/** Most selections of tools that are kept ready. */
const MAX_KEPT = 32;

/** Serves the messages of one surface. */
export type Serving = {
  /** Returns the scopes that a grant still needs and its owner may add. The routes check the scopes of a key. */
  missing: (body: unknown, caller: Caller) => readonly string[];
  serve: (body: unknown, request: Request, caller: Caller) => Promise<Response>;
};

/** Returns the serving that a request asks for, or the names in its headers that no tool has. */
export type ServingOf = (request: Request) => Serving | { strangers: string[] };

/** Prepares the serving of the whole surface; that of a selection by headers is made when it is first asked for. */
export function createServings(surface: Surface, log: Log): ServingOf {
  const whole = createServing(surface, log);
  const kept = new Map<string, Serving>();
  return ({ headers }) => {
    const key = `${headers.get("x-mcp-tools") ?? ""} ${headers.get("x-mcp-readonly") ?? ""}`;
    if (key === " ") return whole;
    const known = kept.get(key);
    if (known) return known;
    const selection = readSelection(headers);
    const strangers = strangersIn(
      surface.tools.map(({ listed }) => listed),
      selection,
    );
    if (strangers.length > 0) return { strangers };
    const made = createServing(narrowed(surface, selection), log);
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(key, made);
    return made;
  };
}

function createServing(surface: Surface, log: Log): Serving {
  const newServer = serverFactory(surface);
  const direct = createDirect(surface);
  const serveLegacy = createLegacyServing(newServer);
  const modern = createMcpHandler(({ authInfo }) => newServer(callerOf(authInfo)), {
    legacy: "reject",
    maxRequestBodySize: JSON_LIMIT_BYTES,
    maxSubscriptions: MAX_SUBSCRIPTIONS,
    onerror: (error) => log("debug", "The tool server refused a message", { error: error.message }),
  });

  const throughSdk = async (body: unknown, request: Request, caller: Caller): Promise<Response> => {
    const route = classifyInboundRequest({ httpMethod: "POST", ...headersOf(request), body });
    if (route.kind === "legacy") return serveLegacy(body, request, caller);
    // The SDK passes this value on to the server for this request.
    const authInfo = { token: "", clientId: caller.principal.actor.keyId, scopes: [], extra: { caller } };
    return modern.fetch(request, { authInfo, parsedBody: body });
  };
  return {
    missing: (body, { isGrant, principal }) => (isGrant ? missingScopes(surface, body, principal) : []),
    serve: (body, request, caller) => direct(body, request, caller) ?? throughSdk(body, request, caller),
  };
}

function callerOf(authInfo: { extra?: Record<string, unknown> } | undefined): Caller {
  // Set a few lines above, for every request.
  return authInfo?.extra?.caller as Caller;
}

function headersOf({ headers }: Request) {
  const [version, method, name] = ["mcp-protocol-version", "mcp-method", "mcp-name"].map((each) =>
    headers.get(each),
  );
  return {
    ...(typeof version === "string" && { protocolVersionHeader: version }),
    ...(typeof method === "string" && { mcpMethodHeader: method }),
    ...(typeof name === "string" && { mcpNameHeader: name }),
  };
}
