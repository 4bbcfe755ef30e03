import { createMcpHandler, fromJsonSchema, McpServer } from "@modelcontextprotocol/server";

/** What the yardstick of the tool figures is started with. */
export type EchoServerOptions = { port: number };

/** Listens with nothing but the protocol's SDK and one tool, put together as its documentation does. */
export function echoServer({ port }: EchoServerOptions): void {
  const inputSchema = fromJsonSchema<{ text: string }>({
    type: "object",
    properties: { text: { type: "string" } },
    required: ["text"],
  });
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: "echo", version: "1.0.0" });
    server.registerTool("echo", { description: "Say it again", inputSchema }, ({ text }) => ({
      content: [{ type: "text", text }],
    }));
    return server;
  });
  Bun.serve({
    hostname: "127.0.0.1",
    port,
    fetch: (request) => (request.url.endsWith("/health") ? new Response("ok") : handler.fetch(request)),
  });
}
