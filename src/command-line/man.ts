import { PROGRAM } from "../kernel/program.ts";
import { GROUPS } from "./commands.ts";
import { type CommandSpec, explain, listedFlag, usageOf, wordOf } from "./describe.ts";
import { EXIT_CODES } from "./help.ts";

/** Returns the manual page `dubplate(1)`, in roff. */
export function manualPage(): string {
  const title = PROGRAM.name.toUpperCase();
  return [
    `.TH ${title} 1 "" "Dubplate ${PROGRAM.version}" "Dubplate"`,
    // Names and paths stay as they are typed.
    ".ad l",
    ".nh",
    ".SH NAME",
    String.raw`dubplate \- the self\-hosted home for unreleased music`,
    ".SH SYNOPSIS",
    ".B dubplate",
    "[\\fIcommand\\fR] [\\fIoptions\\fR]",
    ".SH DESCRIPTION",
    plain(
      "Dubplate keeps unreleased music: it takes songs in, listens to them, finds them by words, and shares them by links. " +
        "Commands that print data print JSON on stdout, one object per line. Messages for people go to stderr. " +
        "Every command works while the server runs, and the server follows the change on its next request.",
    ),
    ".SH COMMANDS",
    ...Object.entries(GROUPS).flatMap(([group, commands]) => [
      `.SS ${plain(group)}`,
      ...Object.entries(commands as Readonly<Record<string, CommandSpec>>).flatMap(([name, spec]) =>
        commandLines(name, spec),
      ),
    ]),
    ".SH OPTIONS",
    ...tagged("-h, --help", "Explain the program, or the command that it follows."),
    ...tagged("-v, --version", "Show the versions of program, database schema and Bun."),
    ".SH ENVIRONMENT",
    plain("Settings are environment variables. These decide most; docs/settings.md has all of them."),
    ...SETTINGS.flatMap(([name, about]) => tagged(name, about)),
    ".SH EXIT STATUS",
    ...EXIT_CODES.flatMap(([code, about]) => tagged(code, `${about}.`)),
    "",
  ].join("\n");
}

const SETTINGS: readonly (readonly [string, string])[] = [
  ["PORT, HOST", "Where the server listens (4747, 127.0.0.1)."],
  ["DATA_DIR", "The folder with everything that the library has (./storage)."],
  ["PUBLIC_URL", "The address that links and pages have."],
];

function commandLines(name: string, spec: CommandSpec): string[] {
  const { arguments: words = [], options = {}, environment = {}, examples = [] } = spec;
  const [first = "", ...more] = usageOf(name, spec);
  const inside = [
    ...words.flatMap((word) => tagged(wordOf(word), `${word.about}.`)),
    ...Object.entries(options).flatMap(([key, option]) =>
      tagged(listedFlag(key, option), `${explain(option)}.`),
    ),
    ...Object.entries(environment).flatMap(([key, about]) => tagged(key, `${about}.`)),
  ];
  return [
    ".TP",
    `\\fB${plain(first)}\\fR`,
    ...more.flatMap((line) => [".TQ", `\\fB${plain(line)}\\fR`]),
    plain(`${spec.summary}.${spec.about === undefined ? "" : ` ${spec.about}`}`),
    ".IP",
    plain(`Prints ${spec.prints}.`),
    ...(inside.length === 0 ? [] : [".RS", ...inside, ".RE"]),
    ...(examples.length === 0 ? [] : [".IP", "Examples:", ".RS", ...examples.flatMap(exampleLines), ".RE"]),
  ];
}

const exampleLines = ([line, about]: readonly [string, string]) => tagged(line, `${about}.`);

const tagged = (tag: string, about: string) => [".TP", `\\fB${plain(tag)}\\fR`, plain(about)];

/** What roff would read as its own is written so that it prints. Lines may be broken after commas and slashes. */
const plain = (text: string) =>
  text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replace(/[,/](?=\S)/g, "$&\\:")
    .replaceAll("'", "\\(aq")
    .replaceAll("`", "\\(ga")
    .replaceAll("^", "\\(ha")
    .replaceAll("~", "\\(ti")
    .replace(/^\./, "\\&.");
