import { jsonSchema } from "../../http/schema.ts";
import { TOOL_SERVER } from "../../modules/outward/service/shapes.ts";
import { endpointOf, type Operations, operationOf } from "../calls/operations.ts";
import { TOOLS } from "../tools.ts";
import { LISTED } from "./fields.ts";
import type { Tool } from "./tool.ts";

/** A tool in the form that `tools/list` shows. */
export type ListedTool = {
  name: string;
  title: string;
  description: string;
  inputSchema: { type: "object" };
  outputSchema?: { type: "object" };
  annotations: Tool["annotations"];
};

/** Returns a tool in the form that `tools/list` shows, with plain JSON Schema 2020-12. */
export function listed({ name, title, description, input, output, annotations }: Tool): ListedTool {
  return {
    name,
    title,
    description,
    // Both are objects.
    inputSchema: shortened(jsonSchema(input)) as { type: "object" },
    outputSchema: { type: "object", ...jsonSchema(output) },
    annotations,
  };
}

/** Returns a schema without what goes without saying: an id is not empty. */
function shortened(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(shortened);
  if (typeof schema !== "object" || schema === null) return schema;
  const { [LISTED]: short, ...fields } = schema as Record<string, unknown>;
  if (short) return short;
  if (fields.minLength === 1 && fields.maxLength === undefined) delete fields.minLength;
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, shortened(value)]));
}

/** Answer of `GET /tools` (decision 4.43). */
export function catalogue(operations: Operations) {
  const tools = TOOLS.map((tool) => {
    const operation = operationOf(operations, tool.operation);
    return { ...listed(tool), scopes: tool.scopes ?? [operation.key], endpoint: endpointOf(operation) };
  });
  const { name, version, apiVersion } = TOOL_SERVER;
  return { name, version, apiVersion, count: tools.length, tools };
}
