import { COMMAND_NAMES, commandsOf, NOUNS, specOf } from "../commands.ts";
import { explain, type Option } from "../describe.ts";

const HEAD = `# fish completion for dubplate
function __dubplate_words
    set -l words (commandline -opc)
    set -e words[1]
    test (count $words) -gt 0; and string join \\n -- $words
end
# True when exactly these words stand before the cursor.
function __dubplate_at
    set -l words (__dubplate_words)
    test "$words" = "$argv"
end
# True when the words before the cursor begin with these.
function __dubplate_in
    set -l words (__dubplate_words)
    set -l wanted (count $argv)
    test (count $words) -ge $wanted; and test "$words[1..$wanted]" = "$argv"
end

complete -c dubplate -f`;

/** Returns the completions for fish. */
export function fishCompletion(): string {
  const singles = COMMAND_NAMES.filter((name) => !name.includes(" "));
  const first = [...singles.map((name) => [name, specOf(name).summary] as const), ...Object.entries(NOUNS)];
  const verbs = Object.keys(NOUNS).flatMap((noun) =>
    commandsOf(noun).map((name) => [noun, name.slice(noun.length + 1), specOf(name).summary] as const),
  );
  return [
    HEAD,
    ...["__dubplate_at", "__dubplate_at help"].flatMap((when) =>
      first.map(([name, about]) => word(when, name, about)),
    ),
    ...["", "help "].flatMap((before) =>
      verbs.map(([noun, verb, about]) => word(`__dubplate_at ${before}${noun}`, verb, about)),
    ),
    ...["h -l help -d 'Explain the program'", "v -l version -d 'Show the version'"].map(
      (flag) => `complete -c dubplate -n '__dubplate_at' -s ${flag}`,
    ),
    ...COMMAND_NAMES.flatMap(linesOf),
  ].join("\n");
}

const word = (when: string, name: string, about: string) =>
  `complete -c dubplate -n '${when}' -a ${name} -d ${quoted(about)}`;

function linesOf(name: (typeof COMMAND_NAMES)[number]): string[] {
  const { options = {}, arguments: [argument] = [] } = specOf(name);
  const start = `complete -c dubplate -n '__dubplate_in ${name}'`;
  return [
    ...Object.entries(options).map(
      ([key, option]) =>
        `${start}${shortOf(option)} -l ${key}${paramOf(option)} -d ${quoted(explain(option))}`,
    ),
    `${start} -l help -d 'Show this help'`,
    ...(argument?.choices
      ? [`complete -c dubplate -n '__dubplate_at ${name}' -a ${quoted(argument.choices.join(" "))}`]
      : []),
    ...(argument?.complete === "file" ? [`${start} -F`] : []),
    ...(argument?.complete === "folder" ? [`${start} -a '(__fish_complete_directories)'`] : []),
  ];
}

const shortOf = ({ short }: Option) => (short === undefined ? "" : ` -s ${short}`);

/** \`-x\`: the value is not the name of a file; \`-r -F\`: it is. */
function paramOf({ value, choices, complete }: Option): string {
  if (value === undefined) return "";
  if (choices) return ` -x -a ${quoted(choices.join(" "))}`;
  if (complete === "file") return " -r -F";
  return complete === "folder" ? " -x -a '(__fish_complete_directories)'" : " -x";
}

const quoted = (text: string) => `'${text.replace(/[\\']/g, "\\$&")}'`;
