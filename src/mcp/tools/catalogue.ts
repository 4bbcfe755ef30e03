import { jsonSchema } from "../../http/schema.ts";
import { TOOL_SERVER } from "../../modules/service/model.ts";
import { TOOLS } from "../tools.ts";
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
    // `input` is a TypeBox object.
    inputSchema: jsonSchema(input) as { type: "object" },
    ...(output && { outputSchema: jsonSchema(output) as { type: "object" } }),
    annotations,
  };
}

/** Answer of `GET /tools` (decision 4.43). */
export function catalogue() {
  const tools = TOOLS.map((tool) => ({ ...listed(tool), scopes: tool.scopes, endpoint: tool.endpoint }));
  const { name, version, apiVersion } = TOOL_SERVER;
  return { name, version, apiVersion, count: tools.length, tools };
}
