import { forwardStdio, stdioTransport } from "../mcp/stdio/forward-stdio.ts";
import { type CommandContext, RefusedError } from "./command.ts";

/**
 * `mcp`: the tool server over stdin and stdout, until stdin ends. With `DUBPLATE_URL` it forwards everything to
 * that server; otherwise it opens the library itself. Only the protocol goes to stdout.
 */
export async function serveTools({
  settings,
  remote,
}: Pick<CommandContext<"mcp">, "settings" | "remote">): Promise<void> {
  const { apiKey, url } = remote();
  if (apiKey === undefined)
    throw new RefusedError("Set DUBPLATE_API_KEY to an API key (dubplate key create)");
  const transport = stdioTransport();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => void transport.close());

  // The whole program is loaded only if it is needed.
  if (url === undefined) await (await import("./mcp/library.ts")).serveLibrary(settings, apiKey, transport);
  else await forwardStdio({ url, apiKey }, transport);
}
