import { readAssistantSettings } from "../../src/config.ts";
import { forwardStdio } from "../../src/mcp/stdio/forward-stdio.ts";

/** What the bundle starts: it hands everything to the Dubplate server that its user named. */
const { apiKey, url } = readAssistantSettings(process.env);
if (apiKey === undefined || url === undefined) {
  process.stderr.write("Set the address of the Dubplate server and an API key in the extension's settings\n");
  process.exitCode = 1;
} else {
  await forwardStdio({ apiKey, url });
}
