import { Elysia } from "elysia";
import { describe } from "../http/openapi.ts";
import { Catalogue } from "../modules/service/model.ts";
import { catalogue } from "./catalogue.ts";
import type { McpHandler } from "./http.ts";

/** `POST /mcp`, which follows the MCP standard, and the public list of tools (decision 4.43). */
export const toolServerRoutes = (serve: McpHandler) => {
  const text = JSON.stringify(catalogue());
  return new Elysia()
    .post("/mcp", ({ request }) => serve(request), { parse: "none" })
    .get("/tools", () => new Response(text, { headers: { "content-type": "application/json" } }), {
      detail: {
        ...describe({
          operationId: "listTools",
          tag: "Service",
          summary: "List the tools for assistants",
          description:
            "Public. The tools as in `tools/list` of the tool server, with the scopes and the route of each tool.",
          answer: Catalogue,
          bare: true,
          refusals: [],
        }),
        security: [],
      },
    });
};
