import type { LogLevel } from "./log.ts";

/** For how many periods of each length one snapshot is kept. */
export type KeepPeriod = "hourly" | "daily" | "weekly" | "monthly" | "yearly";
export type Keep = Readonly<Partial<Record<KeepPeriod, number>>>;

/** When and where the server makes backups. */
export type BackupSettings = {
  /** Absolute path of the folder of snapshots. */
  readonly dir: string;
  readonly everyMs: number;
  readonly keep: Keep;
};

/** A bucket of an S3 service. */
export type BucketSettings = {
  readonly name: string;
  /** Ends in a slash unless it is empty. Every key begins with it. */
  readonly prefix: string;
  /** Root of the service's address; undefined: Amazon's. */
  readonly endpoint: string | undefined;
  readonly region: string | undefined;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | undefined;
  /** Downloads by signed link are sent to the bucket. */
  readonly isRedirected: boolean;
};

/** The replica of the database that Litestream writes, and how often the server verifies it. */
export type ReplicaSettings = {
  /** Absolute path of a configuration of Litestream, or the replica's URL. */
  readonly source: string;
  readonly verifyEveryMs: number;
};

/** The house's own OpenID provider. */
export type ProviderSettings = {
  /** Exactly as its discovery document says it. */
  readonly issuer: string;
  readonly clientId: string;
  /** Undefined: this server is a public client. */
  readonly clientSecret: string | undefined;
  /** What people call it. */
  readonly name: string;
  /** Whom a first sign-in lets in: only invited people, or also a person with the same confirmed address. */
  readonly joins: "invited" | "email";
  /** How long a session lasts at most. */
  readonly sessionMs: number;
};

/** The relay that takes the mails, and who they are from. */
export type MailSettings = {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte; otherwise STARTTLS. */
  readonly isTls: boolean;
  /** Nothing is said before the connection is encrypted. */
  readonly needsTls: boolean;
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly from: { readonly name: string | null; readonly address: string };
  /** How many mails a library may send in a day. */
  readonly perDay: number;
};

/** A folder of this machine, and the account whose library its files go into. */
export type WatchedFolder = { readonly folder: string; readonly email: string };

/** The operator's settings, read once at start (docs/settings.md). */
export type Settings = {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Absolute path of the folder of all runtime state. */
  readonly dataDir: string;
  /** Where originals are; undefined: in the data folder. */
  readonly bucket: BucketSettings | undefined;
  /**
   * Roots of the specification's addresses, without a trailing slash. Undefined: the address that the server
   * listens on.
   */
  readonly publicUrl: string | undefined;
  readonly apiRoot: string | undefined;
  readonly mcpBase: string | undefined;
  /** The tools that the tool server offers; undefined: all. */
  readonly mcpTools: readonly string[] | undefined;
  /** The tool server offers only tools that change nothing. */
  readonly mcpReadOnly: boolean;
  /** Requests per minute and client address; 0: no limit. */
  readonly rateLimit: number;
  /** Number of proxies in front whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: number;
  /** Browser origins allowed besides the server's own. */
  readonly corsOrigins: readonly string[];
  /** `host[:port]` entries that outbound requests may reach even though they are private. */
  readonly networkAllow: readonly string[];
  /** Credits of a new account; null: unlimited. */
  readonly searchCreditsDefault: number | null;
  readonly registrationOpen: boolean;
  /** People may sign in with a passkey. */
  readonly passkeys: boolean;
  /** Undefined: nobody signs in by a provider. */
  readonly provider: ProviderSettings | undefined;
  /** False: only the operator signs in with a password. */
  readonly passwords: boolean;
  /** Analyses at once; 0: only workers on other machines analyse. */
  readonly analysisConcurrency: number;
  /** The ffmpeg that the operator set; undefined: look in PATH. */
  readonly ffmpegPath: string | undefined;
  /** The OpenAI-compatible endpoint that reads briefs in addition to the rules; undefined: rules only. */
  readonly languageModel: { url: string; model: string; apiKey: string | undefined } | undefined;
  /** For how many days a file that no row names stays in the quarantine; 0: for ever. */
  readonly quarantineDays: number;
  /** For how many days what an assistant destroyed or replaced can be brought back; 0: not at all. */
  readonly undoDays: number;
  /** Free bytes that uploads leave on the disk; undefined: 1 GB, or 5 % of a smaller disk. */
  readonly diskReserveBytes: number | undefined;
  readonly revealKeys: boolean;
  /** Scheduled backups; undefined: none. */
  readonly backup: BackupSettings | undefined;
  /** Absolute path of the folder that packages are written into; undefined: none is. */
  readonly deliveryDir: string | undefined;
  /** The relay that takes the mails; undefined: none are sent. */
  readonly mail: MailSettings | undefined;
  /** The replica to verify; undefined: none. */
  readonly replica: ReplicaSettings | undefined;
  /** The Litestream that the operator set; undefined: look in PATH. */
  readonly litestreamPath: string | undefined;
  /** Folders that the server watches. */
  readonly watch: readonly WatchedFolder[];
  /** For how long nothing may happen to a file in a watched folder before it is taken in. */
  readonly watchSettleMs: number;
  readonly logLevel: LogLevel;
  /** Address of the newest release's `release.json`; undefined: not set. */
  readonly updateUrl: string | undefined;
  /** The authority that stamps heads of ledgers (RFC 3161). Undefined: none. */
  readonly timestampUrl: string | undefined;
  /** Opens `/metrics` to who knows it; undefined: there is no such address. */
  readonly metricsToken: string | undefined;
  /** Statements that take so long are logged; 0: none. */
  readonly slowQueryMs: number;
  /** Opaque build id shown by `/version`. */
  readonly build: string | null;
};

/** Returns the address at which clients on this machine reach the server, without a trailing slash. */
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

/** True for the URL of a replica, such as `s3://bucket/path` or `file:///path`; false for a path. */
export function isReplicaUrl(source: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(source);
}
