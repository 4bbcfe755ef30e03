import type { LogLevel } from "./log.ts";

/** What the operator chose, read once at start (operations.md, "Settings"). */
export type Settings = {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Absolute path of all runtime state. */
  readonly dataDir: string;
  /** Roots of the specification's addresses, without a trailing slash; undefined: the address listened on. */
  readonly publicUrl: string | undefined;
  readonly apiRoot: string | undefined;
  readonly mcpBase: string | undefined;
  /** Requests a minute an address; 0: no limit. */
  readonly rateLimit: number;
  /** Proxies in front whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: number;
  /** Browser origins allowed besides the own ones. */
  readonly corsOrigins: readonly string[];
  /** `host[:port]` entries that outbound requests may reach although private. */
  readonly networkAllow: readonly string[];
  /** Credits of a new account; null: unlimited. */
  readonly searchCreditsDefault: number | null;
  readonly registrationOpen: boolean;
  readonly analysisConcurrency: number;
  /** The ffmpeg the operator named; undefined: look in PATH. */
  readonly ffmpegPath: string | undefined;
  /** The OpenAI-compatible endpoint that briefs are read with beside the rules; undefined: rules alone. */
  readonly languageModel: { url: string; model: string; apiKey: string | undefined } | undefined;
  readonly revealKeys: boolean;
  readonly logLevel: LogLevel;
  /** Opaque build id shown by `/version`. */
  readonly build: string | null;
};

/** Returns the address that clients on this machine reach the server at, without a trailing slash. */
export function listenAddress({ host, port }: Pick<Settings, "host" | "port">): string {
  const isAny = host === "0.0.0.0" || host === "::";
  const name = isAny ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

/** Root of the REST service (`{api_root}` in the specification). */
export function apiRootOf(settings: Settings): string {
  return settings.apiRoot ?? listenAddress(settings);
}

/** Root of the public pages (`{public_url}` in the specification). */
export function publicUrlOf(settings: Settings): string {
  return settings.publicUrl ?? listenAddress(settings);
}

/** Root of the tool server (`{mcp_base}` in the specification); tools are called at `/mcp` below it. */
export function mcpBaseOf(settings: Settings): string {
  return settings.mcpBase ?? listenAddress(settings);
}
