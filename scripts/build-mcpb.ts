/**
 * Builds `dist/dubplate.mcpb`: an extension that desktop assistants install with a click. It does not contain a server,
 * only the few lines that pass the assistant's messages to a running one.
 *
 * usage: bun scripts/build-mcpb.ts [FILE]
 */
import "./support/help.ts";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { packExtension } from "@anthropic-ai/mcpb";
import { TOOLS } from "../src/mcp/tools.ts";
import { TOOL_SERVER } from "../src/modules/outward/service/shapes.ts";

const ROOT = join(import.meta.dir, "..");
const PACKAGING = join(ROOT, "packaging/mcpb");
const [outputPath = join(ROOT, "dist/dubplate.mcpb")] = Bun.argv.slice(2);

const folder = mkdtempSync(join(tmpdir(), "dubplate-mcpb-"));
try {
  const manifest = await Bun.file(join(PACKAGING, "manifest.json")).json();
  const tools = TOOLS.map(({ name, description }) => ({ name, description }));
  const whole = { ...manifest, version: TOOL_SERVER.version, tools };
  writeFileSync(join(folder, "manifest.json"), `${JSON.stringify(whole, null, 2)}\n`);
  // Marks the file as a module.
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n');
  cpSync(join(ROOT, "LICENSE"), join(folder, "LICENSE"));
  await Bun.build({
    entrypoints: [join(PACKAGING, "main.ts")],
    outdir: join(folder, "server"),
    target: "node",
    throw: true,
  });
  mkdirSync(dirname(outputPath), { recursive: true });
  if (!(await packExtension({ extensionPath: folder, outputPath, silent: true })))
    throw new Error("The bundle could not be packed: see above");
  console.log(outputPath);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
