import type { CommandName, OptionsOf } from "../command-line/commands.ts";
import type { AssistantSettings } from "../config.ts";
import type { Deps } from "../kernel/deps.ts";
import type { Settings } from "../kernel/settings.ts";

export { UsageError } from "../command-line/usage-error.ts";

/** The context of a command. Data goes to stdout, messages for people to stderr. */
export type CommandContext<Name extends CommandName = CommandName> = {
  /**
   * Opens the library, or creates it. Call it only after the arguments are checked: a typing error must not create
   * a library. A command that makes room on the disk passes `mayBeFull`.
   */
  open: (options?: { mayBeFull?: boolean }) => Deps;
  /** For a command that must not open the library. */
  settings: Settings;
  /** The server that the environment names, for a command that works on one. */
  remote: () => AssistantSettings;
  /** The options as they were given, or their defaults. */
  options: OptionsOf<Name>;
  /** What was given beside options, as many as the command is declared to take. */
  words: string[];
  /** Prints a JSON object on one line, or as an entry of the array that `--json` asks for. */
  print: (data: object) => void;
  /** Prints text that is not JSON. */
  show: (text: string) => void;
  say: (text: string) => void;
  /** Reads one line from the terminal or from piped input. */
  ask: (question: string) => Promise<string>;
  /** Resolves with the reason when the process is asked to stop. */
  untilStopped: () => Promise<string>;
};

/** A command. It may be asynchronous; a number that comes back is the exit code. What it takes is declared in `src/command-line/`. */
export type Command<Name extends CommandName> = (context: CommandContext<Name>) => unknown;

/** A refusal: exit 1. A DomainError from a service counts as one too. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";
}

/** What the command needs cannot be reached for now: exit 3. The same command may work later. */
export class UnavailableError extends Error {
  override readonly name = "UnavailableError";
}
