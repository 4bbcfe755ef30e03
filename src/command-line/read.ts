import { didYouMean } from "../kernel/nearest.ts";
import { COMMANDS, type CommandName, type OptionsOf } from "./commands.ts";
import { type CommandSpec, type Option, usageOf, wordOf } from "./describe.ts";
import { type Misuse, type OptionToken, readValue, wrongChoice } from "./read-value.ts";
import { nearest } from "./suggest.ts";
import { UsageError } from "./usage-error.ts";

type Read<Name extends CommandName> = { options: OptionsOf<Name>; words: string[] };
type Values = Record<string, string | number | boolean | undefined>;

/**
 * Reads the options and arguments of a command.
 *
 * @param settings The names of the settings, which people try as options.
 * @throws UsageError for what the command does not have, and for what it lacks.
 */
export function readArguments<Name extends CommandName>(
  name: Name,
  args: readonly string[],
  settings: readonly string[] = [],
): Read<Name> {
  const spec: CommandSpec = COMMANDS[name];
  const misuse = (reason?: string) => new UsageError(reason, usageOf(name, spec));
  const values: Values = {};
  const words: string[] = [];
  const take = (token: OptionToken) => {
    const option = optionOf(spec, token.name);
    if (!option || !isFlagOf(option, token.rawName))
      throw misuse(unknownOption({ name, spec, settings }, token.rawName));
    values[token.name] = readValue(token, option, misuse);
  };
  for (const token of parse(spec, args).tokens)
    if (token.kind === "positional") words.push(token.value);
    else if (token.kind === "option") take(token);
  complete(spec, values, misuse);
  checkWords(spec, words, misuse);
  return { options: values as OptionsOf<Name>, words };
}

/** Adds what was not given. @throws UsageError for what must be given. */
function complete({ options = {} }: CommandSpec, values: Values, misuse: Misuse): void {
  const given = Object.entries(options);
  if (given.some(([name, { required }]) => required && isUnset(values[name]))) throw misuse();
  for (const [name, option] of given) values[name] ??= unset(option);
}

const isUnset = (value: Values[string]) => value === undefined || value === "";

/** What an option is when it is not given; undefined for a value without a default. */
function unset({ value, fallback, whole }: Option): string | number | boolean | undefined {
  if (value === undefined) return false;
  return fallback !== undefined && whole ? Number(fallback) : fallback;
}

const optionOf = ({ options }: CommandSpec, name: string): Option | undefined =>
  options && Object.hasOwn(options, name) ? options[name] : undefined;

/** `-output` is read as letters, the first of which may stand for an option. */
const isFlagOf = ({ short }: Option, flag: string): boolean =>
  flag.startsWith("--") || (short !== undefined && flag === `-${short}`);

function parse({ options = {} }: CommandSpec, args: readonly string[]) {
  // Node's module is not loaded with a server that starts.
  const { parseArgs } = process.getBuiltinModule("node:util");
  const types = Object.fromEntries(
    Object.entries(options).map(([name, { value, short }]) => [
      name,
      { type: value === undefined ? ("boolean" as const) : ("string" as const), ...(short && { short }) },
    ]),
  );
  const given = args.map((word, at) => (isBare(options, word, args[at + 1]) ? `${word}=` : word));
  return parseArgs({ args: given, options: types, allowPositionals: true, strict: false, tokens: true });
}

/** True for an option that may lack its value and does. */
const isBare = (options: Readonly<Record<string, Option>>, word: string, next = "") =>
  options[word.slice(2)]?.isValueOptional === true && word.startsWith("--") && /^(-|$)/.test(next);

type Place = { name: CommandName; spec: CommandSpec; settings: readonly string[] };

function unknownOption({ name, spec, settings }: Place, flag: string): string {
  const has = Object.keys(spec.options ?? {});
  const wrong = `${name} has no option ${flag}`;
  const near = nearest(flag.replace(/^-+/, ""), [...has, "help"]).map((each) => `--${each}`);
  if (near.length > 0) return `${wrong}: ${didYouMean(near)}`;
  const setting = flag.replace(/^-+/, "").replaceAll("-", "_").toUpperCase();
  if (settings.includes(setting)) return `${wrong}: it is a setting, ${setting}=... dubplate ${name}`;
  return has.length === 0
    ? `${wrong}: it has none`
    : `${wrong}: it has ${has.map((each) => `--${each}`).join(", ")}`;
}

function checkWords({ arguments: wanted = [] }: CommandSpec, words: readonly string[], misuse: Misuse): void {
  const least = wanted.filter(({ optional }) => !optional).length;
  if (words.length < least || words[0] === "") throw misuse();
  const most = wanted.some(({ many }) => many) ? Number.POSITIVE_INFINITY : wanted.length;
  if (words.length > most) {
    const takes = wanted.length === 0 ? "no argument" : `only ${wanted.map(wordOf).join(" ")}`;
    const surplus = words[most] ?? "";
    throw misuse(
      wanted.length === 0
        ? `It takes ${takes}: leave out ${surplus}`
        : `It takes ${takes}: ${surplus} is too much`,
    );
  }
  const [first] = wanted;
  if (first?.choices && words[0] !== undefined && !first.choices.includes(words[0]))
    throw misuse(wrongChoice(`${words[0]} is not what it takes: give`, first.choices));
}
