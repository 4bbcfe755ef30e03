import type { ParseArgsConfig } from "node:util";
import type { Deps } from "../kernel/deps.ts";
import type { Settings } from "../kernel/settings.ts";

/** What a command runs with. Data goes to stdout, words for people to stderr. */
export type CommandContext = {
  /**
   * Opens the library, or makes it. Call it once the words are understood: a slip of the pen must not make one. A command
   * that makes room says `mayBeFull`.
   */
  open: (options?: { mayBeFull?: boolean }) => Deps;
  /** For a command that must not open the library. */
  settings: Settings;
  args: string[];
  /** Prints one JSON object a line. */
  print: (data: object) => void;
  say: (text: string) => void;
  /** Reads one line from the terminal or from what was piped in. */
  ask: (question: string) => Promise<string>;
  /** Resolves with the reason when the process is asked to stop. */
  untilStopped: () => Promise<string>;
};

export type Command = (context: CommandContext) => Promise<void> | void;

/** Words that the command line does not know: exit 2. The message is the usage line. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** A refusal: exit 1. DomainErrors of services count as such too. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";
}

type Options = NonNullable<ParseArgsConfig["options"]>;

/**
 * Reads `--name value` options.
 *
 * @throws UsageError with `usage` for an unknown option, a missing one of `required`, or words that are left over.
 */
export function readOptions<Name extends string>(
  args: string[],
  usage: string,
  { required = [], optional = [] }: { required?: readonly Name[]; optional?: readonly Name[] },
): Partial<Record<Name, string>> {
  const options: Options = Object.fromEntries(
    [...required, ...optional].map((name) => [name, { type: "string" }]),
  );
  const { values, positionals } = parseOrExplain(args, usage, options);
  const missing = required.filter((name) => !values[name]);
  if (missing.length > 0 || positionals.length > 0) throw new UsageError(usage);
  return values as Partial<Record<Name, string>>;
}

/** {@link readOptions} for commands that also take words, such as paths. */
export function parseOrExplain(args: string[], usage: string, options: Options) {
  const { parseArgs } = process.getBuiltinModule("node:util");
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true });
  } catch {
    throw new UsageError(usage);
  }
}

/** Returns a whole number, or throws UsageError. */
export function wholeNumber(text: string | undefined, usage: string): number {
  if (text !== undefined && /^-?\d+$/.test(text)) return Number(text);
  throw new UsageError(usage);
}
