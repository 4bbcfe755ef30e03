import type { Settings } from "../../src/kernel/settings.ts";
import type { McpVariant } from "../../src/mcp/mount.ts";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";

export type ToolApp = Awaited<ReturnType<typeof createToolApp>>;

/** Starts the service on its own port, for clients of the tool server. `withKey` adds a key to every request. */
export async function createToolApp({
  mcp,
  withKey = false,
  settings,
}: {
  mcp?: McpVariant;
  withKey?: boolean;
  settings?: Partial<Settings>;
} = {}) {
  let app: TestApp | undefined;
  let key = "";
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 255,
    fetch: (request, self): Response | Promise<Response> => {
      if (withKey) request.headers.set("x-api-key", key);
      return app?.app.front(request, self.requestIP(request)?.address ?? "", self) ?? new Response(null);
    },
  });
  const port = server.port ?? 0;
  const made = await createTestApp({ settings: { port, ...settings }, ...(mcp && { mcp }) });
  app = made;
  const account = made.createAccount();
  key = made.createKey(account.accountId);
  return {
    ...made,
    ...account,
    key,
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      await server.stop(true);
      await made.close();
    },
  };
}

const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** Returns a request of the 2025 protocol. */
export const legacyRequest = (method: string, params: Json = {}, headers: Record<string, string> = {}) => ({
  method: "POST",
  headers: {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": "2025-11-25",
    ...headers,
  },
  body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
});

/** Returns a request of the 2026 protocol, which repeats its method and name in headers. */
export const modernRequest = (method: string, params: Json = {}, headers: Record<string, string> = {}) => {
  const name = params.name ?? params.uri;
  return {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      ...(name && { "mcp-name": name }),
      ...headers,
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method,
      params: { ...params, _meta: { ...ENVELOPE, ...params._meta } },
    }),
  };
};

/** Returns every row of the database but those that note the call itself. */
export function dumpOf(app: ToolApp): string {
  app.app.usage.flush();
  const db = app.deps.db.$client;
  const tables = db
    .query<{ name: string }, []>(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'",
    )
    .all()
    .map(({ name }) => name)
    .filter((name) => !/^(usage_records|assistant_calls|api_keys|store|sqlite_)/.test(name))
    .sort();
  return tables
    .map((name) => `${name} ${JSON.stringify(db.query(`SELECT * FROM ${name}`).all())}`)
    .join("\n");
}
