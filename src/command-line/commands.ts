import { CARE } from "./care.ts";
import type { CommandSpec, ValuesOf } from "./describe.ts";
import { KEYS } from "./keys.ts";
import { MUSIC } from "./music.ts";
import { PEOPLE } from "./people.ts";
import { OUTWARD, PROGRAM_ITSELF, SERVING } from "./program.ts";

/** The commands by what they are for, in the order of the help. */
export const GROUPS = {
  "Serve the library": SERVING,
  "Bring music in": MUSIC,
  "Accounts and keys": { ...PEOPLE, ...KEYS },
  "Keep it safe": CARE,
  "Connect other programs": OUTWARD,
  "This program": PROGRAM_ITSELF,
} as const;

/** Every command. */
export const COMMANDS = { ...SERVING, ...MUSIC, ...PEOPLE, ...KEYS, ...CARE, ...OUTWARD, ...PROGRAM_ITSELF };

export type CommandName = keyof typeof COMMANDS;

/** The values of a command's options. */
export type OptionsOf<Name extends CommandName> = ValuesOf<(typeof COMMANDS)[Name]>;

/** What the commands with a verb are about. */
export const NOUNS: Readonly<Record<string, string>> = {
  webhook: "Try webhooks on this machine",
  account: "The libraries of the people who keep their music here",
  team: "Who is in a library, and as what; member is the same word",
  person: "Who signs in, whatever libraries they are in",
  session: "Where people and programs are signed in",
  key: "The API keys of accounts",
  player: "The music apps of accounts",
  "platform-key": "The keys of partners and workers",
  credits: "What accounts have left for searches",
  quarantine: "Files that no row names, and why they are kept",
  store: "Where the audio lies",
  ledger: "What was done in libraries, signed, for others to check",
  secret: "The master secret, which seals keys and links",
};

export const COMMAND_NAMES = Object.keys(COMMANDS) as CommandName[];

export const isCommand = (name: string): name is CommandName => Object.hasOwn(COMMANDS, name);

export const isNoun = (name: string): boolean => Object.hasOwn(NOUNS, name);

/** Returns what a command is declared as. */
export const specOf = (name: CommandName): CommandSpec => COMMANDS[name];

/** Returns the commands of a noun. */
export const commandsOf = (noun: string): CommandName[] =>
  COMMAND_NAMES.filter((name) => name.startsWith(`${noun} `));
