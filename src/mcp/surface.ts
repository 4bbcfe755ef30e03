import type {
  CallToolResult,
  CompleteRequestParams,
  CompleteResult,
  GetPromptResult,
  InputRequiredResult,
  ReadResourceResult,
  ServerCapabilities,
  ServerContext,
} from "@modelcontextprotocol/server";
import type { OrdinaryScope } from "../kernel/scopes.ts";
import type { Caller } from "./caller.ts";
import type { ListedTool } from "./tools/catalogue.ts";

/** What a handler knows about its call. */
export type Call = { caller: Caller; context: ServerContext };

type Arguments = Record<string, unknown>;

/** A tool: how it is listed, which scopes it needs, and what a call does. */
export type ToolEntry = {
  listed: ListedTool;
  scopesOf: (input: Arguments) => readonly OrdinaryScope[];
  call: (input: Arguments, call: Call) => Promise<CallToolResult | InputRequiredResult>;
  /** The same, for a tool that uses no protocol features such as progress or questions. */
  /** `callPlain` leaves out the question to the user that `call` asks in clients that can. */
  asks?: true;
  callPlain?: (input: Arguments, caller: Caller, signal: AbortSignal) => Promise<CallToolResult>;
};

/** A resource or a family of resources. */
export type ResourceEntry = {
  listed:
    | { uri: string; name: string; title?: string; description?: string; mimeType?: string }
    | { uriTemplate: string; name: string; title?: string; description?: string; mimeType?: string };
  matches: (uri: string) => boolean;
  scopes: readonly OrdinaryScope[];
  read: (uri: string, call: Call) => Promise<ReadResourceResult>;
};

/** A prompt that a user picks from a list. */
export type PromptEntry = {
  listed: {
    name: string;
    title?: string;
    description?: string;
    arguments?: { name: string; description?: string; required?: boolean }[];
  };
  get: (input: Record<string, string>, call: Call) => GetPromptResult | InputRequiredResult;
};

/** Everything that the tool server offers. Tests mount the fixtures of the conformance suite beside it. */
export type Surface = {
  tools: readonly ToolEntry[];
  resources: readonly ResourceEntry[];
  prompts: readonly PromptEntry[];
  /** Completes what a user types into a prompt or an address. */
  complete?: (params: CompleteRequestParams) => CompleteResult;
  capabilities?: ServerCapabilities;
  /** Only some of the tools, as a client or the operator chose. */
  isNarrowed?: true;
};

/** Joins two surfaces into one. The entries of the first come first. */
export function joined(one: Surface, other: Surface): Surface {
  const complete = other.complete ?? one.complete;
  return {
    tools: [...one.tools, ...other.tools],
    resources: [...one.resources, ...other.resources],
    prompts: [...one.prompts, ...other.prompts],
    ...(complete && { complete }),
    capabilities: { ...one.capabilities, ...other.capabilities },
  };
}
