import type { CommandSpec, Option } from "./describe.ts";

/** The library that a command is about. */
const EMAIL = {
  value: "E",
  required: true,
  about: "The library that the person with this address owns",
} as const;

/** Which of the libraries of a person. */
export const LIBRARY = {
  value: "ID",
  about: "The library, by its id, where this person owns several",
} as const satisfies Option;

const LIBRARY_ID = {
  value: "ID",
  required: true,
  about: "The library, by its id: account list has it",
} as const;
const MEMBER = { value: "E", required: true, about: "The member, by their e-mail address" } as const;
const ROLE = {
  value: "R",
  choices: ["manager", "producer", "artist", "listener"],
  about: "What they may do: see docs/team.md",
} as const satisfies Option;
/** What a member sees beside their role's. */
const SIGHT = {
  splits: { value: "on|off", choices: ["on", "off"], about: "Whether they see splits" },
  listening: { value: "on|off", choices: ["on", "off"], about: "Whether they see who listened" },
  until: { value: "DAY", about: "The last day of the membership, such as 2027-03-31, or none" },
} as const satisfies Readonly<Record<string, Option>>;

export const OWNED = { email: EMAIL, library: LIBRARY } as const;

/** The person that a command is about. */
const PERSON = { value: "E", required: true, about: "The person, by their e-mail address" } as const;

/** For every command that prints a list. */
export const JSON_ARRAY = {
  about: "Print one JSON array at the end instead of one JSON object per line",
} as const satisfies Option;

/** Accounts, and what opens them. */
export const PEOPLE = {
  "account create": {
    summary: "Make an account",
    about: "Without --password it asks for one, or reads the line that is piped in.",
    options: {
      email: { value: "E", required: true, about: "The e-mail address to sign in with" },
      name: { value: "N", required: true, about: "The name that links and pages show" },
      password: {
        value: "P",
        about: "The password, 8 to 200 characters; other users of the machine may see it",
      },
    },
    prints: "{id,email,name}",
    examples: [
      ["dubplate account create --email ana@example.com --name Ana", "asks for the password"],
      [
        "pass show dubplate | dubplate account create --email ana@example.com --name Ana",
        "reads it from a password store",
      ],
    ],
  },
  "account list": {
    summary: "List the accounts",
    options: { json: JSON_ARRAY },
    prints: "one {id,email,name,createdAt,active,credits}, the operator's with operator, per line",
    examples: [["dubplate account list --json | jq -r '.[].email'", "their e-mail addresses"]],
  },
  "account password": {
    summary: "Set a new password and end every session of a person",
    about: "The password is asked for, or read from what is piped in.",
    options: { email: PERSON },
    prints: "{email,sessionsEnded}",
  },
  "account reset-link": {
    summary: "Make a link to a page that sets a new password",
    about:
      "The link works once, within the hour, and replaces an earlier one. Send it to the person yourself. PUBLIC_URL makes it reachable.",
    options: { email: PERSON },
    prints: "{email,url,expiresAt}",
  },
  "account export": {
    summary: "Write everything that an account has into a folder",
    about: "The folder must be new or empty. Exit 1 when a file is missing or damaged; the rest is exported.",
    arguments: [{ name: "DIR", about: "The folder to write into", complete: "folder" }],
    options: {
      ...OWNED,
      move: { about: "Add what another Dubplate needs to take the account in (import --export)" },
    },
    prints: "{email,folder,tracks,files,bytes}",
    examples: [["dubplate account export --email ana@example.com --move /srv/ana", "for another machine"]],
  },
  "account delete": {
    summary: "Delete an account and all that it has",
    about: "Its address must be typed first. Files wait in the quarantine, unless --purge is given.",
    options: {
      ...OWNED,
      yes: { about: "Do not ask for the address" },
      purge: { about: "Delete files at once, and rewrite the database: there is no way back" },
    },
    prints: "{id,email,tracks,files,purged}",
  },
  "account transfer": {
    summary: "Give the library of one account to another",
    options: {
      email: { value: "E", required: true, about: "The account that gives its library away" },
      to: { value: "E2", required: true, about: "The account that receives it" },
      library: LIBRARY,
      "to-library": { value: "ID2", about: "The receiving library, where that person owns several" },
    },
    prints: "{email,to,tracks,playlists,briefs,composers,composersMerged}",
  },
  "account disable": {
    summary: "Close every door to an account, and delete nothing",
    options: OWNED,
    prints: "{email,active}",
  },
  "account enable": {
    summary: "Open a disabled account again",
    options: OWNED,
    prints: "{email,active}",
  },
  "account operator": {
    summary: "Make a person the one who sees and changes the server in the console",
    options: { email: PERSON },
    prints: "{email,operator}",
  },
  "account owner": {
    summary: "Make somebody the owner of a library, whatever its owner wants",
    about:
      "They need not be in it. The owner until now stays as manager, and everybody in it is told. Nobody but them can give it back, except this command.",
    options: {
      library: LIBRARY_ID,
      email: {
        value: "E",
        required: true,
        about: "Who becomes the owner, by the address that they sign in with",
      },
    },
    prints: "{library,name,email}",
  },
  "team list": {
    summary: "List who is in a library, and who is invited",
    options: { library: LIBRARY_ID, json: JSON_ARRAY },
    prints:
      "one {id,name,email,role,seesSplits,seesListening,joinedAt,until,lastSeenAt} per member and one {id,email,role,seesSplits,seesListening,until,invitedAt,linkEnds} per invitation and line",
  },
  "team invite": {
    summary: "Invite somebody into a library, and print the link",
    about:
      "Send the link to them yourself. It works once, for that address, within 7 days, and replaces an earlier one. PUBLIC_URL makes it reachable.",
    options: {
      library: LIBRARY_ID,
      email: { value: "E", required: true, about: "The address that is invited" },
      role: { ...ROLE, required: true },
      ...SIGHT,
    },
    prints: "{id,email,role,url,expiresAt}",
    examples: [
      [
        "dubplate team invite --library usr_4f1c --email ben@example.com --role producer",
        "Ben adds and changes music",
      ],
    ],
  },
  "team role": {
    summary: "Change the role of a member, what else they see, or until when they are in",
    about: "It counts from their next request on. account owner makes an owner.",
    options: { library: LIBRARY_ID, email: MEMBER, role: ROLE, ...SIGHT },
    prints: "{id,name,email,role,seesSplits,seesListening,joinedAt,until,lastSeenAt}",
  },
  "team remove": {
    summary: "Take a member out of a library, or an invitation back",
    about:
      "Their sessions, keys, programs and uploads there end, and what they made stays. An address that is only invited is invited no more.",
    options: { library: LIBRARY_ID, email: MEMBER },
    prints:
      "{id,email,ended:{sessions,keys,programs,players,uploads,invitations}}, or {id,email,withdrawn:true}",
  },
  "person list": {
    summary: "List everybody who signs in, and the libraries that they are in",
    options: { json: JSON_ARRAY },
    prints:
      "one {id,email,name,createdAt,active,libraries,lastSeenAt}, the operator's with operator, per line; libraries are {id,name,role,active}",
    examples: [["dubplate person list --json | jq '.[] | select(.libraries == [])'", "who is in no library"]],
  },
  "person block": {
    summary: "Close every door to a person, and delete nothing",
    about:
      "Their sessions end, and keys and programs of theirs open nothing until they are let in again. Their libraries stay open to others. The operator cannot be blocked.",
    options: { email: PERSON },
    prints: "{email,active}",
  },
  "person unblock": {
    summary: "Let a blocked person in again",
    options: { email: PERSON },
    prints: "{email,active}",
  },
  "person delete": {
    summary: "Delete a person who owns no library",
    about:
      "Their address must be typed first. Their sign-in, keys and programs end; what they made stays, and their name in what they wrote.",
    options: { email: PERSON, yes: { about: "Do not ask for the address" } },
    prints: "{id,email}",
  },
  "session create": {
    summary: "Sign a person in without their password",
    options: { email: PERSON },
    prints: "{token,expiresAt}",
  },
  "session list": {
    summary: "List where a person is signed in, newest first",
    options: { email: PERSON, json: JSON_ARRAY },
    prints: "one {id,userAgent,ip,device,place,library,method,createdAt,lastUsedAt,expiresAt} per line",
  },
  "session revoke": {
    summary: "End one session, or all of a person",
    arguments: [{ name: "ID", optional: true, about: "The session to end; without one, all of them" }],
    options: { email: PERSON },
    prints: "{ok:true,revoked}",
  },
} as const satisfies Readonly<Record<string, CommandSpec>>;
