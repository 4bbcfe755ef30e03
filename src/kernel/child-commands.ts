/**
 * The commands that the program starts of itself, each as a separate process that reads an untrusted media file.
 * `main.ts` answers every one of them: a name that is added here and not there does not compile.
 */
export type ChildCommand = "media-decode" | "media-probe" | "media-picture";

/** Exit code of a child that was called wrongly or could not load its own code: the program's fault, never the file's. */
export const EXIT_MISUSED = 2;

/** Returns the command line that starts this program again as one of its own children. */
export function childCommandLine(
  selfCommand: readonly string[],
  command: ChildCommand,
  ...args: readonly string[]
): string[] {
  return [...selfCommand, command, ...args];
}
