import { describe } from "../http/openapi.ts";
import { route } from "../http/route.ts";
import { Catalogue } from "../modules/outward/service/shapes.ts";
import type { Operations } from "./calls/operations.ts";
import type { McpHandler } from "./protocol/http.ts";

/** `POST /mcp`, which follows the MCP standard, and the public list of tools (decision 4.43). */
export const toolServerRoutes = (serve: McpHandler, operations: Operations) => {
  let text: string | undefined;
  const listTools = async () => {
    const { catalogue } = await import("./tools/catalogue.ts");
    text ??= JSON.stringify(catalogue(operations));
    return new Response(text, { headers: { "content-type": "application/json" } });
  };
  return [
    route({ at: "POST /mcp", run: ({ request }) => serve(request) }),
    route({
      at: "GET /tools",
      detail: describe({
        operationId: "listTools",
        tag: "Service",
        summary: "List the tools for assistants",
        description:
          "Public. The tools as in `tools/list` of the tool server, with the scopes and the route of each tool.",
        answer: Catalogue,
        bare: true,
        refusals: [],
      }),
      run: listTools,
    }),
  ];
};
