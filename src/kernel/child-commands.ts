/**
 * The commands that the program starts as child processes. `main.ts` handles every one of them: a name that is missing
 * there does not compile.
 */
export type ChildCommand =
  | MediaCommand
  | "check-pages"
  | "library-snapshot"
  | "library-backup"
  | "demo-pieces"
  | "moved-rows"
  | "mark-sound";

/** Those that read an untrusted media file. */
export type MediaCommand = "media-decode" | "media-probe" | "media-picture";

/**
 * Exit code of a child that was called wrongly or could not load its own code: a fault of the program, not of the
 * file.
 */
export const EXIT_MISUSED = 2;

/** Returns the command line that starts this program again as one of its own children. */
export function childCommandLine(
  selfCommand: readonly string[],
  command: ChildCommand,
  ...args: readonly string[]
): string[] {
  return [...selfCommand, command, ...args];
}
