/** How a client gets in: by signing in, with a key over HTTP, or by a program that it starts. */
export type Way = "signIn" | "key" | "stdio";

/** The text that a client needs, and where it goes. Undefined: the client cannot get in that way. */
export type ClientTexts = {
  id: string;
  name: string;
  /** Where the texts go, as a sentence says it. */
  place: string;
  ways: Partial<Record<Way, string>>;
};

/** What {@link clientTexts} puts where a key goes. */
export const KEY_PLACE = "key_...your key...";

/**
 * Returns what to copy for the common clients; docs/assistants.md has the same texts.
 *
 * @param mcp Address of the tool server: `https://music.example.com/mcp`.
 * @param key The whole key, or its placeholder.
 */
export function clientTexts(mcp: string, key: string): ClientTexts[] {
  const server = mcp.replace(/\/mcp$/, "");
  const headers = { "X-API-Key": key };
  const env = { DUBPLATE_URL: server, DUBPLATE_API_KEY: key };
  const program = { command: "dubplate", args: ["mcp"], env };
  const claude = "claude mcp add --scope user";
  const ofAll = (entry: object) => json({ mcpServers: { dubplate: entry } });
  const ofCode = (entry: object) => json({ servers: { dubplate: entry } });
  return [
    {
      id: "claude-code",
      name: "Claude Code",
      place: "in a terminal",
      ways: {
        signIn: `${claude} --transport http dubplate ${mcp}\nclaude mcp login dubplate`,
        key: `${claude} --transport http dubplate ${mcp} --header "X-API-Key: ${key}"`,
        stdio: `${claude} dubplate --env DUBPLATE_URL=${server} --env DUBPLATE_API_KEY=${key} -- dubplate mcp`,
      },
    },
    {
      id: "claude-desktop",
      name: "Claude Desktop",
      place: "in claude_desktop_config.json",
      ways: { stdio: ofAll(program) },
    },
    {
      id: "cursor",
      name: "Cursor",
      place: "in ~/.cursor/mcp.json",
      ways: { signIn: ofAll({ url: mcp }), key: ofAll({ url: mcp, headers }), stdio: ofAll(program) },
    },
    {
      id: "vs-code",
      name: "VS Code",
      place: "in .vscode/mcp.json",
      ways: {
        signIn: ofCode({ type: "http", url: mcp }),
        key: ofCode({ type: "http", url: mcp, headers }),
        stdio: ofCode({ type: "stdio", ...program }),
      },
    },
    {
      id: "codex",
      name: "Codex",
      place: "in ~/.codex/config.toml",
      ways: {
        key: `[mcp_servers.dubplate]\nurl = "${mcp}"\nhttp_headers = { "X-API-Key" = "${key}" }`,
        stdio: [
          '[mcp_servers.dubplate]\ncommand = "dubplate"\nargs = ["mcp"]',
          `env = { DUBPLATE_URL = "${server}", DUBPLATE_API_KEY = "${key}" }`,
        ].join("\n"),
      },
    },
  ];
}

const json = (value: object) => JSON.stringify(value, null, 2);
