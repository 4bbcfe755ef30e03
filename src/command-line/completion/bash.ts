import { COMMAND_NAMES, type CommandName, commandsOf, NOUNS, specOf } from "../commands.ts";
import type { CommandSpec } from "../describe.ts";

const HEAD = `# bash completion for dubplate. It works in bash 3.2 too, and needs no package.
_dubplate_words() { COMPREPLY=($(compgen -W "$1" -- "$cur")); }
# What only the person knows: no names of files are offered.
_dubplate_nothing() { compopt +o default +o bashdefault 2>/dev/null; COMPREPLY=(); }
_dubplate_folders() { compopt -o dirnames +o default +o bashdefault 2>/dev/null; COMPREPLY=(); }
# The shell completes names of files where nothing else is found.
_dubplate_files() { COMPREPLY=(); }

_dubplate() {
  local cur=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]}
  local command=\${COMP_WORDS[1]}
  # bash takes --option=value apart.
  if [[ $cur == "=" ]]; then cur=""
  elif [[ $before == "=" ]]; then before=\${COMP_WORDS[COMP_CWORD-2]}
  fi`;

/** Returns the completions for bash. */
export function bashCompletion(): string {
  const singles = COMMAND_NAMES.filter((name) => !name.includes(" "));
  const first = [...singles, ...Object.keys(NOUNS), "--help", "--version"];
  const nouns = Object.keys(NOUNS);
  return `${HEAD}
  if ((COMP_CWORD == 1)); then
    _dubplate_words "${first.join(" ")}"
    return
  fi
  case $command in
    ${nouns.join("|")})
      if ((COMP_CWORD > 2)); then command="$command \${COMP_WORDS[2]}"; else command="$command ?"; fi ;;
  esac
  case $command in
${nouns.map((noun) => entry(`${noun} ?`, words(verbsOf(noun)))).join("\n")}
  esac
  case "$command $before" in
${COMMAND_NAMES.flatMap(valuesOf).join("\n")}
  esac
  if [[ $cur == -* ]]; then
    case $command in
${COMMAND_NAMES.map((name) => `  ${entry(name, words(flagsOf(specOf(name))))}`).join("\n")}
    esac
    return
  fi
  case $command in
    help) if ((COMP_CWORD == 2)); then _dubplate_words "${[...singles, ...nouns].join(" ")}"; return; fi
      case \${COMP_WORDS[2]} in
${nouns.map((noun) => `        ${noun}) ((COMP_CWORD == 3)) && ${words(verbsOf(noun))} ;;`).join("\n")}
      esac ;;
${COMMAND_NAMES.filter((name) => name !== "help")
  .map((name) => entry(name, argumentsOf(specOf(name))))
  .join("\n")}
  esac
}

complete -o bashdefault -o default -F _dubplate dubplate`;
}

const entry = (pattern: string, action: string) => `    "${pattern}") ${action}; return ;;`;
const words = (list: readonly string[]) => `_dubplate_words "${list.join(" ")}"`;
const verbsOf = (noun: string) => [...commandsOf(noun).map((name) => name.slice(noun.length + 1)), "--help"];
const flagsOf = ({ options = {} }: CommandSpec) =>
  [...Object.keys(options), "help"].map((name) => `--${name}`);

function valuesOf(name: CommandName): string[] {
  const options = Object.entries(specOf(name).options ?? {}).filter(([, { value }]) => value !== undefined);
  return options.flatMap(([key, option]) =>
    [`--${key}`, ...(option.short === undefined ? [] : [`-${option.short}`])].map((flag) =>
      entry(`${name} ${flag}`, actionOf(option)),
    ),
  );
}

function argumentsOf(spec: CommandSpec): string {
  const [argument] = spec.arguments ?? [];
  return argument === undefined ? words(flagsOf(spec)) : actionOf(argument);
}

function actionOf({
  choices,
  complete,
}: {
  choices?: readonly string[];
  complete?: "file" | "folder";
}): string {
  if (choices) return words(choices);
  if (complete === "file") return "_dubplate_files";
  return complete === "folder" ? "_dubplate_folders" : "_dubplate_nothing";
}
