import type { AssistantSettings } from "../config.ts";
import type { Settings } from "../kernel/settings.ts";
import { forwardStdio, stdioTransport } from "../mcp/stdio/forward-stdio.ts";
import { RefusedError, UsageError } from "./command.ts";

/**
 * `mcp`: the tool server over stdin and stdout, until stdin ends. With `DUBPLATE_URL` it forwards everything to
 * that server; otherwise it opens the library itself. Only the protocol goes to stdout.
 */
export async function serveTools(
  settings: Settings,
  { apiKey, url }: AssistantSettings,
  args: readonly string[],
): Promise<number> {
  if (args.length > 0) throw new UsageError("dubplate mcp");
  if (apiKey === undefined)
    throw new RefusedError("Set DUBPLATE_API_KEY to an API key (dubplate key create)");
  const transport = stdioTransport();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => void transport.close());

  // The whole program is loaded only if it is needed.
  if (url === undefined) await (await import("./mcp/library.ts")).serveLibrary(settings, apiKey, transport);
  else await forwardStdio({ url, apiKey }, transport);
  return 0;
}
