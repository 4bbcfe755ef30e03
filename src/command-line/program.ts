import type { CommandSpec } from "./describe.ts";
import { LIBRARY } from "./people.ts";

/** What serves the library. */
export const SERVING = {
  serve: {
    summary: "Listen and work (the default)",
    about:
      "It runs until SIGINT or SIGTERM, and then finishes what is in hand. Settings are environment variables: PORT=8080 dubplate serve.",
    prints: "logs",
    needs: "settings",
    examples: [["DATA_DIR=/srv/dubplate PUBLIC_URL=https://music.example dubplate serve", "behind a proxy"]],
  },
  demo: {
    summary: "Give a tour with a dozen short pieces, in a folder of its own",
    arguments: [
      {
        name: "FOLDER",
        optional: true,
        about: "The folder of the demo's library; without one, ./demo-library",
        complete: "folder",
      },
    ],
    prints: "each request and answer",
    needs: "settings",
  },
} as const satisfies Readonly<Record<string, CommandSpec>>;

/** What works with other programs. */
export const OUTWARD = {
  deliver: {
    summary: "Write a package of a playlist, an album or a track",
    about:
      "Into a folder, as a folder of its own, or as the ZIP file that TO names. It is there whole or not at all, and listed among the deliveries. Exit 1 when something is not there or an original is damaged.",
    arguments: [
      {
        name: "TO",
        optional: true,
        about: "A folder, or a file that ends in .zip; otherwise here",
        complete: "file",
      },
    ],
    options: {
      email: { value: "E", required: true, about: "The account whose music it is" },
      library: LIBRARY,
      profile: {
        value: "P",
        fallback: "store",
        choices: ["store", "sync", "cd", "custom"],
        about: "For whom it is: a store, an agency, a plant, or somebody else",
      },
      playlist: { value: "ID", about: "A playlist or an album, by its id or its name" },
      track: { value: "ID", about: "A track" },
      name: { value: "NAME", about: "What the package is called; otherwise as the playlist or the track" },
      recipient: {
        value: "NAME",
        about:
          "Who gets it, for the list of deliveries; a package for an agency or a person is marked for them",
      },
      unmarked: { about: "Leave the sound as it is, also for an agency or a person" },
    },
    usage: [
      "--email E [--profile P] --playlist ID|--track ID [--name NAME] [--recipient NAME [--unmarked]] [--library ID] [TO]",
    ],
    prints: "one {path,bytes,sha256} per file",
    examples: [["dubplate deliver --email ana@example.com --playlist Estuary estuary.zip", "for a store"]],
  },
  mcp: {
    summary: "Serve tools to an assistant that starts this, over stdin and stdout",
    prints: "the protocol",
    environment: {
      DUBPLATE_API_KEY: "The key that the assistant works with",
      DUBPLATE_URL: "A running server to pass everything to; without it, the library in DATA_DIR",
    },
    needs: "settings",
  },
  "webhook listen": {
    summary: "Receive webhook deliveries on this machine, verify and print them, until Ctrl-C",
    about:
      "With --key it takes the place of the key's receiver while it runs. --key alone opens the library; with --url it asks a server, with the whole key or with a session and the key's id.",
    options: {
      port: { value: "N", whole: { from: 0, to: 65_535 }, fallback: "4848", about: "The port to listen on" },
      secret: { value: "S", about: "The signing secret of the webhook" },
      key: { value: "KEY", about: "The key whose webhook leads here meanwhile" },
      url: { value: "ADDRESS", about: "The server that has the key" },
      token: { value: "SESSION", about: "A session there, where only the key's id is known" },
    },
    usage: ["[--port N] --secret S | --key KEY [--url ADDRESS [--token SESSION]]"],
    prints: "one {verified,repeated,deliveryId,event} per line",
  },
} as const satisfies Readonly<Record<string, CommandSpec>>;

/** The shells that have completions. */
export const SHELLS = ["bash", "zsh", "fish"] as const;

/** What explains the program itself. */
export const PROGRAM_ITSELF = {
  help: {
    summary: "Explain a command",
    arguments: [
      { name: "COMMAND", many: true, optional: true, about: "The command, such as account create" },
    ],
    prints: "the explanation",
    needs: "nothing",
    examples: [["dubplate help account create", "the same as dubplate account create --help"]],
  },
  version: {
    summary: "Show the versions of program, database schema and Bun",
    about: "-v and --version do the same.",
    prints: "{version,schema,bun}",
    needs: "nothing",
  },
  completion: {
    summary: "Print a script that completes commands and options in a shell",
    arguments: [{ name: SHELLS.join("|"), about: "The shell", choices: SHELLS }],
    prints: "the script",
    needs: "nothing",
    examples: [
      ["dubplate completion bash > /etc/bash_completion.d/dubplate", "bash, for everyone"],
      ["dubplate completion zsh > /usr/local/share/zsh/site-functions/_dubplate", "zsh, for everyone"],
      ["dubplate completion fish > ~/.config/fish/completions/dubplate.fish", "fish"],
    ],
  },
  man: {
    summary: "Print the manual page",
    prints: "the manual page, in roff",
    needs: "nothing",
    examples: [["dubplate man > dubplate.1 && man ./dubplate.1", "read it"]],
  },
} as const satisfies Readonly<Record<string, CommandSpec>>;
