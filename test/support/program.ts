/**
 * The program, as the apps of tests start it for their children: `src/main.ts`, but the demo tracks, which take three
 * seconds to synthesise, are synthesised once and copied.
 */
import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";

const MAIN = join(import.meta.dir, "../../src/main.ts");

const [command, folder] = process.argv.slice(2);
if (command === "demo-pieces" && folder) await copyDemoPieces(folder);
else await import(MAIN);

async function copyDemoPieces(to: string): Promise<void> {
  const { madeOnce } = await import("./made-once.ts");
  const pieces = await madeOnce("demo-pieces", ["src/demo"], async (path) => {
    mkdirSync(path);
    const child = Bun.spawn([process.execPath, MAIN, "demo-pieces", path], { env: {} });
    if ((await child.exited) !== 0) throw new Error(`The program ended with ${child.exitCode}`);
  });
  cpSync(pieces, to, { recursive: true });
}
