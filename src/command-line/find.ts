import { didYouMean } from "../kernel/nearest.ts";
import {
  COMMAND_NAMES,
  COMMANDS,
  type CommandName,
  commandsOf,
  isCommand,
  isNoun,
  NOUNS,
} from "./commands.ts";
import { usageOf } from "./describe.ts";
import { nearest } from "./suggest.ts";
import { UsageError } from "./usage-error.ts";

/** A command, and the words that follow it. */
type Asked = { name: CommandName; args: string[] };

/** Other names of commands, as programs of this kind have them. */
const ALIASES: Readonly<Record<string, CommandName>> = {
  "--version": "version",
  "-v": "version",
  "--help": "help",
  "-h": "help",
};

/** Other words for what commands are about. */
const OTHER_NOUNS: Readonly<Record<string, string>> = { member: "team" };

/**
 * Returns the command that the words name, and its arguments. No words mean `serve`; where help is asked for, it is `help`
 * with its topic in one word.
 *
 * @throws UsageError for a command that does not exist.
 */
export function readCommand([word = "serve", ...rest]: readonly string[]): Asked {
  const first = OTHER_NOUNS[word] ?? word;
  const single = ALIASES[first] ?? first;
  if (isCommand(single)) return single === "help" ? helpOn(rest) : command(single, rest);
  if (!isNoun(first)) throw new UsageError(unknownCommand(first, rest), ["dubplate <command> [options]"]);
  const [verb, ...args] = rest;
  const name = `${first} ${verb}`;
  if (isCommand(name)) return command(name, args);
  if (verb === "help" || hasHelp(rest)) return help(first);
  throw new UsageError(verb === undefined ? "" : unknownVerb(first, verb), usagesOf(first));
}

const command = (name: CommandName, args: readonly string[]): Asked =>
  hasHelp(args) ? help(name) : { name, args: [...args] };

const help = (topic: string): Asked => ({ name: "help", args: topic === "" ? [] : [topic] });

/** What follows `--` is never an option. */
function hasHelp(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  return (end < 0 ? args : args.slice(0, end)).some((word) => word === "--help" || word === "-h");
}

function helpOn(words: readonly string[]): Asked {
  const named = words.filter((word) => !word.startsWith("-")).map((word) => OTHER_NOUNS[word] ?? word);
  const topic = named.join(" ");
  if (topic === "" || isCommand(topic) || isNoun(topic)) return help(topic);
  const [first = "", ...rest] = named;
  throw new UsageError(unknownCommand(first, rest), usageOf("help", COMMANDS.help));
}

/** Returns the usage lines of every command of a noun. */
const usagesOf = (noun: string) => commandsOf(noun).flatMap((name) => usageOf(name, COMMANDS[name]));

function unknownCommand(first: string, [second = ""]: readonly string[]): string {
  if (isNoun(first)) return unknownVerb(first, second);
  if (first.startsWith("-")) return `Options such as ${first} come after the command: see dubplate help`;
  const singles = COMMAND_NAMES.filter((name) => !name.includes(" "));
  const meant = [
    ...nearest(`${first} ${second}`, COMMAND_NAMES),
    ...nearest(first, [...singles, ...Object.keys(NOUNS)]),
    ...COMMAND_NAMES.filter((name) => name.endsWith(` ${first}`)),
  ];
  const [best] = meant;
  if (best === undefined) return `There is no command ${first}: dubplate help lists them`;
  const offered = best.endsWith(` ${first}`) ? meant : [best];
  return `There is no command ${first}: ${didYouMean(offered)}`;
}

function unknownVerb(noun: string, verb: string): string {
  const verbs = commandsOf(noun).map((name) => name.slice(noun.length + 1));
  const near = nearest(verb, verbs).map((each) => `${noun} ${each}`);
  const hint = near.length > 0 ? didYouMean(near) : `it has ${verbs.join(", ")}`;
  return verb.startsWith("-")
    ? `${verb} comes after the command: ${hint}`
    : `There is no command ${noun} ${verb}: ${hint}`;
}
