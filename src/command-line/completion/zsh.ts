import { COMMAND_NAMES, commandsOf, NOUNS, specOf } from "../commands.ts";
import { type Argument, type CommandSpec, explain, type Option } from "../describe.ts";

/** Returns the completions for zsh: a file of the `fpath`, or a script to source. */
export function zshCompletion(): string {
  const singles = COMMAND_NAMES.filter((name) => !name.includes(" "));
  const nouns = Object.entries(NOUNS);
  const first = [...singles.map((name) => [name, specOf(name).summary] as const), ...nouns];
  return `#compdef dubplate
compdef _dubplate dubplate

_dubplate_commands() {
  local -a commands=(
${first.map(described).join("\n")}
  )
  _describe -t commands 'dubplate command' commands
}

_dubplate_verbs() {
  local -a verbs
  case $1 in
${nouns.map(([noun]) => verbsOf(noun)).join("\n")}
  esac
  _describe -t commands "dubplate $1 command" verbs
}

_dubplate() {
  local command=$words[2]
  if (( CURRENT == 2 )); then
    _dubplate_commands
    return
  fi
  if [[ $command == help ]]; then
    if (( CURRENT == 3 )); then _dubplate_commands; elif (( CURRENT == 4 )); then _dubplate_verbs $words[3]; fi
    return
  fi
  case $command in
    ${nouns.map(([noun]) => noun).join("|")})
      if (( CURRENT == 3 )); then
        _dubplate_verbs $command
        return
      fi
      command="$command $words[3]"
      words=(dubplate "\${(@)words[4,-1]}")
      (( CURRENT -= 2 )) ;;
    *)
      words=(dubplate "\${(@)words[3,-1]}")
      (( CURRENT -= 1 )) ;;
  esac
  case $command in
${COMMAND_NAMES.filter((name) => name !== "help")
  .map((name) => argumentsOf(name, specOf(name)))
  .join("\n")}
  esac
}

# As a file of the fpath this is the body of the function itself.
if [[ "\${funcstack[1]}" == _dubplate ]]; then _dubplate "$@"; fi`;
}

/** One entry of \`_describe\`, in which a colon ends the name. */
const described = ([name, about]: readonly [string, string]) =>
  `    ${quoted(`${name.replaceAll(":", "\\:")}:${about.replaceAll(":", "\\:")}`)}`;

function verbsOf(noun: string): string {
  const verbs = commandsOf(noun).map((name) => [name.slice(noun.length + 1), specOf(name).summary] as const);
  return `    ${noun}) verbs=(\n${verbs.map(described).join("\n")}\n    ) ;;`;
}

function argumentsOf(name: string, { options = {}, arguments: words = [] }: CommandSpec): string {
  const specs = [
    ...Object.entries(options).flatMap(([key, option]) => optionSpecs(key, option)),
    "(- *)--help[Show this help]",
    ...words.map(wordSpec),
  ];
  return `    "${name}") _arguments -S \\\n${specs.map((spec) => `      ${quoted(spec)}`).join(" \\\n")} ;;`;
}

function optionSpecs(name: string, option: Option): string[] {
  const about = `[${escaped(explain(option))}]`;
  if (option.value === undefined) return [`--${name}${about}`];
  const colon = option.isValueOptional ? "::" : ":";
  const value = `${about}${colon}${escaped(option.value)}:${actionOf(option)}`;
  return [`--${name}=${value}`, ...(option.short === undefined ? [] : [`-${option.short}+${value}`])];
}

const wordSpec = (word: Argument) =>
  `${word.many ? "*" : ""}${word.optional && !word.many ? "::" : ":"}${escaped(word.name)}:${actionOf(word)}`;

function actionOf({ choices, complete }: Pick<Option, "choices" | "complete">): string {
  if (choices) return `(${choices.join(" ")})`;
  if (complete === "file") return "_files";
  return complete === "folder" ? "_files -/" : " ";
}

/** Escapes what ends a part of an argument of \`_arguments\`. */
const escaped = (text: string) => text.replace(/[\\:[\]]/g, "\\$&");
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
