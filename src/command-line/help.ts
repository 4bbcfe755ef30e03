import { COMMANDS, type CommandName, commandsOf, GROUPS, isCommand, NOUNS } from "./commands.ts";
import { type CommandSpec, explain, listedFlag, usageOf, wordOf } from "./describe.ts";
import { wrap } from "./wrap.ts";

const WIDTH = 100;
/** Where explanations begin; a longer name has its explanation on the next line. */
const COLUMN = 26;

type Row = readonly [name: string, about: string];

const HELP_ROW: Row = ["-h, --help", "Show this help"];

/** Exit codes, in the order of their numbers. */
export const EXIT_CODES: readonly Row[] = [
  ["0", "done"],
  ["1", "refused: the reason is on stderr"],
  ["2", "wrong usage: the usage is on stderr"],
  ["3", "the server cannot be reached: try again later"],
  ["70", "a fault in a running server, for service managers"],
];

/** Returns the help on a command, on the commands of a noun, or, without a topic, on the program. */
export function helpOn(topic: string): string {
  if (topic === "") return programHelp();
  return isCommand(topic) ? commandHelp(topic, COMMANDS[topic]) : nounHelp(topic);
}

function programHelp(): string {
  const groups = Object.entries(GROUPS).map(([title, commands]) =>
    section(title, summaries(Object.entries(commands))),
  );
  return text([
    "dubplate <command> [options]",
    "The self-hosted home for unreleased music.",
    ...groups,
    section("Options", [HELP_ROW, ["-v, --version", "Show the version"]]),
    section("Exit codes", EXIT_CODES),
    "dubplate help <command> explains one command. Settings are environment variables: docs/settings.md.",
  ]);
}

const summaries = (commands: readonly (readonly [string, CommandSpec])[]): Row[] =>
  commands.map(([name, { summary }]) => [name, summary]);

function nounHelp(noun: string): string {
  const commands = commandsOf(noun).map((name) => [name, COMMANDS[name]] as const);
  return text([
    `dubplate ${noun} <command> [options]`,
    `${NOUNS[noun]}.`,
    section("Commands", summaries(commands)),
    section(
      "Usage",
      commands.flatMap(([name, spec]) => usageOf(name, spec)).map((line) => [line, ""]),
    ),
    `dubplate help ${noun} <command> explains one command.`,
  ]);
}

function commandHelp(name: CommandName, spec: CommandSpec): string {
  const words = (spec.arguments ?? []).map((word): Row => [wordOf(word), word.about]);
  const options = Object.entries(spec.options ?? {}).map(
    ([key, option]): Row => [
      listedFlag(key, option),
      `${explain(option)}${option.required ? " (required)" : ""}`,
    ],
  );
  return text([
    usageOf(name, spec).join("\n"),
    wrap(`${spec.summary}.${spec.about === undefined ? "" : ` ${spec.about}`}`, WIDTH).join("\n"),
    section("Arguments", words),
    section("Options", [...options, HELP_ROW]),
    section("Environment", Object.entries(spec.environment ?? {})),
    section("Prints", [[spec.prints, ""]]),
    section(
      "Examples",
      (spec.examples ?? []).map(([line, about]): Row => [`# ${about}\n${line}`, ""]),
    ),
  ]);
}

function section(title: string, rows: readonly Row[]): string {
  if (rows.length === 0) return "";
  return [`${title}:`, ...rows.flatMap(linesOf)].join("\n");
}

function linesOf([name, about]: Row): string[] {
  if (about === "") return name.split("\n").map((line) => `  ${line}`);
  const [first = "", ...more] = wrap(about, WIDTH - COLUMN);
  const isLong = name.length > COLUMN - 4;
  const indented = [...(isLong ? [first] : []), ...more].map((line) => " ".repeat(COLUMN) + line);
  return [isLong ? `  ${name}` : `  ${name}`.padEnd(COLUMN) + first, ...indented];
}

const text = (parts: readonly string[]) => parts.filter((part) => part !== "").join("\n\n");
