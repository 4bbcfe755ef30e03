/** What completes a word: a path, or one of the choices. */
type Completed = {
  choices?: readonly string[];
  /** Shells offer the names of files, or of folders alone. */
  complete?: "file" | "folder";
};

/** An option of a command. Without `value` it is a switch. */
export type Option = Completed & {
  about: string;
  /** A letter that stands for the option: `-o` for `--output`. */
  short?: string;
  /** The name of the value in usage lines, such as `E` for an e-mail address. */
  value?: string;
  required?: true;
  /** The value when the option is not given. */
  fallback?: string;
  /** The value is a whole number in this range, of this unit. */
  whole?: { from?: number; to?: number; unit?: string };
  /** The value may be left out; it is then the empty text. */
  isValueOptional?: true;
};

/** A word that is not an option, such as a path. */
export type Argument = Completed & { name: string; about: string; optional?: true; many?: true };

/** A command, in the form that parsing, help, completions and the manual page are made from. */
export type CommandSpec = {
  /** One line in the imperative, without a period. */
  summary: string;
  /** Further sentences for help and the manual page. */
  about?: string;
  arguments?: readonly Argument[];
  options?: Readonly<Record<string, Option>>;
  /** What follows the name in usage lines, where options exclude each other; otherwise it follows from the options. */
  usage?: readonly string[];
  /** What goes to stdout. */
  prints: string;
  /** Environment variables that this command alone reads. */
  environment?: Readonly<Record<string, string>>;
  examples?: readonly (readonly [line: string, about: string])[];
  /** What must be loaded first: only the settings, or nothing; otherwise the library. */
  needs?: "settings" | "nothing";
};

type Given<O extends Option> = O extends { whole: object }
  ? number
  : O extends { value: string }
    ? string
    : boolean;

type IsAlwaysThere<O extends Option> = O extends { required: true } | { fallback: string }
  ? true
  : O extends { value: string }
    ? false
    : true;

/** The values of a command's options. Switches that are not given are false. */
export type ValuesOf<S extends CommandSpec> = S extends {
  options: infer Options extends Readonly<Record<string, Option>>;
}
  ? {
      [Name in keyof Options]:
        | Given<Options[Name]>
        | (IsAlwaysThere<Options[Name]> extends true ? never : undefined);
    }
  : Record<never, never>;

/** Returns the usage lines of a command, each a whole command line. */
export function usageOf(name: string, spec: CommandSpec): string[] {
  const tails = spec.usage ?? [derivedUsage(spec)];
  return tails.map((tail) => `dubplate ${name}${tail === "" ? "" : ` ${tail}`}`);
}

/** Required options first, then arguments, then what may be left out. */
function derivedUsage({ options = {}, arguments: words = [] }: CommandSpec): string {
  const given = Object.entries(options);
  return [
    ...given.filter(([, { required }]) => required).map(([name, option]) => flagOf(name, option)),
    ...words.map(wordOf),
    ...given.filter(([, { required }]) => !required).map(([name, option]) => `[${flagOf(name, option)}]`),
  ].join(" ");
}

/** Returns an option as usage lines and help show it: `--days n`. */
export function flagOf(name: string, { value, isValueOptional }: Option): string {
  if (value === undefined) return `--${name}`;
  return isValueOptional ? `--${name} [${value}]` : `--${name} ${value}`;
}

/** Returns an option as help lists it, with the letter that stands for it: `--output, -o FILE`. */
export const listedFlag = (name: string, option: Option): string =>
  flagOf(option.short === undefined ? name : `${name}, -${option.short}`, option);

/** Returns an argument as usage lines show it: `FILE...`, `[ID]`. */
export function wordOf({ name, optional, many }: Argument): string {
  const word = many ? `${name}...` : name;
  return optional ? `[${word}]` : word;
}

/** Returns what help says of an option, with its default and its choices. */
export function explain({ about, fallback, choices }: Option): string {
  const notes = [
    ...(choices && choices.length > 1 ? [`one of ${choices.join(", ")}`] : []),
    ...(fallback === undefined ? [] : [`default: ${fallback}`]),
  ];
  return notes.length === 0 ? about : `${about} (${notes.join("; ")})`;
}
