import { DUBPLATE } from "../bench/processes.ts";

export type CommandResult = { code: number; stdout: string; stderr: string };

/** Runs a command of Dubplate on a data folder to its end. With `into`, standard output goes to that file. */
export async function runDubplate(
  dataDir: string,
  args: readonly string[],
  into?: string,
): Promise<CommandResult> {
  const child = Bun.spawn([...DUBPLATE, ...args], {
    env: { ...Bun.env, DATA_DIR: dataDir },
    stdin: "ignore",
    stdout: into === undefined ? "pipe" : Bun.file(into),
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([
    into === undefined ? new Response(child.stdout as ReadableStream).text() : "",
    child.stderr.text(),
  ]);
  return { code: await child.exited, stdout, stderr };
}
