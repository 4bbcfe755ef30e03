import type { ParseArgsConfig } from "node:util";
import type { AssistantSettings } from "../config.ts";
import type { Deps } from "../kernel/deps.ts";
import type { Settings } from "../kernel/settings.ts";

/** The context of a command. Data goes to stdout, messages for people to stderr. */
export type CommandContext = {
  /**
   * Opens the library, or creates it. Call it only after the arguments are checked: a typing error must not create
   * a library. A command that makes room on the disk passes `mayBeFull`.
   */
  open: (options?: { mayBeFull?: boolean }) => Deps;
  /** For a command that must not open the library. */
  settings: Settings;
  /** The server that the environment names, for a command that works on one. */
  remote: () => AssistantSettings;
  args: string[];
  /** Prints a JSON object on one line. */
  print: (data: object) => void;
  say: (text: string) => void;
  /** Reads one line from the terminal or from piped input. */
  ask: (question: string) => Promise<string>;
  /** Resolves with the reason when the process is asked to stop. */
  untilStopped: () => Promise<string>;
};

export type Command = (context: CommandContext) => Promise<void> | void;

/** A command such as `create` of `account create`. Its `args` come without the verb. */
export type Verb = { usage: string; run: Command };

/** Returns a command that runs one of several verbs. A wrong verb shows the usage of all of them. */
export function byVerb(verbs: Readonly<Record<string, Verb>>): Command {
  return ({ args: [name = "", ...args], ...context }) => {
    const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined;
    if (verb) return verb.run({ ...context, args });
    const usages = Object.values(verbs).map(({ usage }) => usage);
    throw new UsageError(usages.join("\n"));
  };
}

/** Wrong arguments: exit 2. The message is the usage line. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** A refusal: exit 1. A DomainError from a service counts as one too. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";
}

/** What the command needs is away for now: exit 3. The same command may work later. */
export class UnavailableError extends Error {
  override readonly name = "UnavailableError";
}

type Options = NonNullable<ParseArgsConfig["options"]>;

/**
 * Reads `--name value` options.
 *
 * @throws UsageError with `usage` for an unknown option, a missing required one, or extra arguments.
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

/** Like {@link readOptions}, for commands that also take arguments such as paths. */
export function parseOrExplain(args: string[], usage: string, options: Options) {
  const { parseArgs } = process.getBuiltinModule("node:util");
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true });
  } catch {
    throw new UsageError(usage);
  }
}

/**
 * Reads `--name value` options and one argument, such as an id.
 *
 * @throws UsageError as {@link readOptions} does, and unless there is exactly one argument.
 */
export function readArgument<Name extends string>(
  args: string[],
  usage: string,
  required: readonly Name[] = [],
): Partial<Record<Name, string>> & { argument: string } {
  const options: Options = Object.fromEntries(required.map((name) => [name, { type: "string" }]));
  const { values, positionals } = parseOrExplain(args, usage, options);
  const [argument, ...more] = positionals;
  if (!argument || more.length > 0 || required.some((name) => !values[name])) throw new UsageError(usage);
  return { ...(values as Partial<Record<Name, string>>), argument };
}

/** Returns a whole number, or throws UsageError. */
export function wholeNumber(text: string | undefined, usage: string): number {
  if (text !== undefined && /^-?\d+$/.test(text)) return Number(text);
  throw new UsageError(usage);
}
