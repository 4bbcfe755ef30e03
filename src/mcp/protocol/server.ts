import {
  type CacheHint,
  type CallToolRequest,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  type ServerOptions,
} from "@modelcontextprotocol/server";
import { HOUR_MS } from "../../kernel/time.ts";
import { TOOL_SERVER } from "../../modules/outward/service/shapes.ts";
import type { Caller } from "../caller.ts";
import { INSTRUCTIONS } from "../instructions.ts";
import type { Surface, ToolEntry } from "../surface.ts";

/** Makes the protocol's server for one caller: one per request over HTTP, one per connection over stdio. */
export type NewServer = (caller: Caller) => Server;

/** How the tool server identifies itself. */
export const SERVER_INFO = { name: TOOL_SERVER.name, title: TOOL_SERVER.title, version: TOOL_SERVER.version };
/** The lists are the same for every caller until the program is updated. */
const STATIC: CacheHint = { ttlMs: HOUR_MS, cacheScope: "public" };

/** Prepares everything that does not change, so making a server costs only its handlers. */
export function serverFactory(surface: Surface): NewServer {
  const toolsByName = new Map(surface.tools.map((tool) => [tool.listed.name, tool]));
  const promptsByName = new Map(surface.prompts.map((prompt) => [prompt.listed.name, prompt]));
  const lists = listsOf(surface);
  const options = optionsOf(surface);
  const { complete } = surface;

  return (caller) => {
    const server = new Server(SERVER_INFO, options);
    server.setRequestHandler("tools/list", () => lists.tools);
    server.setRequestHandler("tools/call", ({ params }, context) =>
      entryOf(toolsByName, params).call(params.arguments ?? {}, { caller, context }),
    );
    server.setRequestHandler("resources/list", () => lists.resources);
    server.setRequestHandler("resources/templates/list", () => lists.templates);
    server.setRequestHandler("resources/read", ({ params: { uri } }, context) => {
      const resource = surface.resources.find(({ matches }) => matches(uri));
      if (!resource) throw new ResourceNotFoundError(uri);
      return resource.read(uri, { caller, context });
    });
    server.setRequestHandler("prompts/list", () => lists.prompts);
    server.setRequestHandler("prompts/get", ({ params }, context) => {
      const prompt = promptsByName.get(params.name);
      if (!prompt) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown prompt: ${params.name}`);
      const missing = prompt.listed.arguments?.find(
        ({ name, required }) => required && !params.arguments?.[name],
      );
      if (missing)
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Missing argument: ${missing.name}`);
      return prompt.get(params.arguments ?? {}, { caller, context });
    });
    if (complete) server.setRequestHandler("completion/complete", ({ params }) => complete(params));
    return server;
  };
}

/** @throws ProtocolError -32602 for an unknown tool. */
function entryOf(tools: ReadonlyMap<string, ToolEntry>, { name }: CallToolRequest["params"]): ToolEntry {
  const tool = tools.get(name);
  if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name}`);
  return tool;
}

function listsOf({ tools, resources, prompts }: Surface) {
  return {
    tools: { tools: tools.map(({ listed }) => listed) },
    resources: { resources: resources.flatMap(({ listed }) => ("uri" in listed ? [listed] : [])) },
    templates: { resourceTemplates: resources.flatMap(({ listed }) => ("uri" in listed ? [] : [listed])) },
    prompts: { prompts: prompts.map(({ listed }) => listed) },
  };
}

function optionsOf({ capabilities, complete, isNarrowed }: Surface): ServerOptions {
  return {
    capabilities: {
      tools: {},
      resources: {},
      prompts: {},
      ...(complete && { completions: {} }),
      ...capabilities,
    },
    instructions: INSTRUCTIONS,
    cacheHints: {
      // A list that a header narrows is only for those who send that header.
      "tools/list": isNarrowed ? { ...STATIC, cacheScope: "private" } : STATIC,
      "resources/list": STATIC,
      "resources/templates/list": STATIC,
      "prompts/list": STATIC,
      "server/discover": STATIC,
    },
  };
}
