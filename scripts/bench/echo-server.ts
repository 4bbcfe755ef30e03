import { createMcpHandler, fromJsonSchema, McpServer } from "@modelcontextprotocol/server";

/** Options of the yardstick for the tool figures. */
export type EchoServerOptions = { port: number };

/** Listens with only the protocol's SDK and one tool, set up as in the SDK's documentation. */
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
