/** Returns a program's path on this machine. */
export const found = (name: string): string | undefined => Bun.which(name) ?? undefined;

/** The Python that has the readers: `PYTHON`, or `python3`. */
export const PYTHON = process.env.PYTHON ?? "python3";

/** Runs a program. @throws Error with its output when it fails. */
export function run(command: readonly string[]): string {
  const { success, stdout, stderr } = Bun.spawnSync([...command], { stdin: "ignore" });
  if (success) return stdout.toString();
  throw new Error(`${command.join(" ").slice(0, 300)}\n${stderr.toString().slice(0, 1000)}`);
}

/** Runs a program that may fail. */
export function attempt(command: readonly string[]): { isGood: boolean; output: string } {
  const { success, stdout, stderr } = Bun.spawnSync([...command], { stdin: "ignore" });
  return { isGood: success, output: stdout.toString() + stderr.toString() };
}
