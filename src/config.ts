import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { isInside } from "./kernel/is-inside.ts";
import { LOG_LEVELS } from "./kernel/log.ts";
import { mail } from "./kernel/mail-settings.ts";
import {
  address,
  bytes,
  choice,
  duration,
  list,
  publicAddress,
  SettingError,
  wholeNumber,
} from "./kernel/setting-values.ts";
import {
  type BackupSettings,
  type BucketSettings,
  isReplicaUrl,
  type Keep,
  type KeepPeriod,
  type ReplicaSettings,
  type Settings,
  type WatchedFolder,
} from "./kernel/settings.ts";
import { checkWaysIn, passkeys, provider } from "./kernel/sign-in-settings.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "./kernel/time.ts";

/** Environment variables that are settings (docs/settings.md). */
export const SETTING_NAMES = [
  "PORT",
  "HOST",
  "DATA_DIR",
  "BLOB_STORE",
  "S3_ENDPOINT",
  "S3_REGION",
  "S3_ACCESS_KEY_ID",
  "S3_SECRET_ACCESS_KEY",
  "S3_SESSION_TOKEN",
  "S3_REDIRECT",
  "PUBLIC_URL",
  "API_ROOT",
  "MCP_BASE",
  "MCP_TOOLS",
  "MCP_READ_ONLY",
  "RATE_LIMIT",
  "TRUST_PROXY",
  "CORS_ORIGINS",
  "NETWORK_ALLOW",
  "SEARCH_CREDITS_DEFAULT",
  "REGISTRATION",
  "PASSKEYS",
  "OIDC_ISSUER",
  "OIDC_CLIENT_ID",
  "OIDC_CLIENT_SECRET",
  "OIDC_NAME",
  "OIDC_JOIN",
  "OIDC_SESSION",
  "PASSWORDS",
  "SMTP_URL",
  "MAIL_FROM",
  "MAIL_PER_DAY",
  "ANALYSIS_CONCURRENCY",
  "FFMPEG_PATH",
  "QUARANTINE_DAYS",
  "UNDO_DAYS",
  "WATCH",
  "WATCH_SETTLE",
  "DISK_RESERVE",
  "KEY_REVEAL",
  "LLM_URL",
  "LLM_MODEL",
  "LLM_API_KEY",
  "BACKUP_DIR",
  "BACKUP_EVERY",
  "BACKUP_KEEP",
  "DELIVERY_DIR",
  "DATABASE_REPLICA",
  "REPLICA_VERIFY_EVERY",
  "LITESTREAM_PATH",
  "LOG_LEVEL",
  "SLOW_QUERY_MS",
  "METRICS_TOKEN",
  "TIMESTAMP_URL",
  "UPDATE_URL",
  "BUILD",
] as const;
type SettingName = (typeof SETTING_NAMES)[number];

/**
 * Reads the settings from an environment. Unset or empty variables get their default.
 *
 * @throws SettingError at the first unknown value or value out of range.
 */
export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const read = (name: SettingName) => env[name]?.trim() || undefined;
  const days = (name: SettingName, fallback: string, most: number) =>
    wholeNumber(name, read(name) ?? fallback, 0, most);
  const isOn = (name: SettingName, fallback = "off") =>
    choice(name, read(name) ?? fallback, ["on", "off"]) === "on";
  const settings: Settings = {
    host: read("HOST") ?? "127.0.0.1",
    port: wholeNumber("PORT", read("PORT") ?? "4747", 0, 65_535),
    dataDir: resolve(read("DATA_DIR") ?? "./storage"),
    bucket: bucket(read, env, isOn("S3_REDIRECT")),
    publicUrl: publicAddress("PUBLIC_URL", read("PUBLIC_URL")),
    apiRoot: publicAddress("API_ROOT", read("API_ROOT")),
    mcpBase: publicAddress("MCP_BASE", read("MCP_BASE")),
    rateLimit: wholeNumber("RATE_LIMIT", read("RATE_LIMIT") ?? "100", 0, 1_000_000),
    trustedProxies: wholeNumber("TRUST_PROXY", offAsZero(read("TRUST_PROXY")), 0, 16),
    corsOrigins: list(read("CORS_ORIGINS")).map((origin) => originOf(origin)),
    networkAllow: list(read("NETWORK_ALLOW")),
    searchCreditsDefault: credits(read("SEARCH_CREDITS_DEFAULT") ?? "unlimited"),
    registrationOpen: choice("REGISTRATION", read("REGISTRATION") ?? "closed", ["open", "closed"]) === "open",
    passkeys: passkeys(isOn("PASSKEYS"), publicAddress("PUBLIC_URL", read("PUBLIC_URL"))),
    provider: provider(read),
    passwords: isOn("PASSWORDS", "on"),
    mail: mail(read),
    analysisConcurrency: wholeNumber(
      "ANALYSIS_CONCURRENCY",
      read("ANALYSIS_CONCURRENCY") ?? String(Math.max(1, availableParallelism() - 1)),
      0,
      256,
    ),
    ffmpegPath: read("FFMPEG_PATH"),
    languageModel: languageModel(address("LLM_URL", read("LLM_URL")), read("LLM_MODEL"), read("LLM_API_KEY")),
    quarantineDays: days("QUARANTINE_DAYS", "30", 3650),
    mcpTools: toolNames(list(read("MCP_TOOLS"))),
    mcpReadOnly: isOn("MCP_READ_ONLY"),
    undoDays: days("UNDO_DAYS", "7", 365),
    diskReserveBytes: bytes("DISK_RESERVE", read("DISK_RESERVE")),
    revealKeys: isOn("KEY_REVEAL", "on"),
    backup: backup(resolve(read("DATA_DIR") ?? "./storage"), read),
    deliveryDir: deliveryDir(read),
    replica: replica(read),
    litestreamPath: read("LITESTREAM_PATH"),
    watch: list(read("WATCH")).map((entry) => watchedFolder(entry, resolve(read("DATA_DIR") ?? "./storage"))),
    watchSettleMs: SECOND_MS * wholeNumber("WATCH_SETTLE", read("WATCH_SETTLE") ?? "5", 0, 3600),
    logLevel: choice("LOG_LEVEL", read("LOG_LEVEL") ?? "info", LOG_LEVELS),
    slowQueryMs: wholeNumber("SLOW_QUERY_MS", read("SLOW_QUERY_MS") ?? "100", 0, 600_000),
    timestampUrl: address("TIMESTAMP_URL", read("TIMESTAMP_URL")),
    updateUrl: address("UPDATE_URL", read("UPDATE_URL")),
    metricsToken: metricsToken(read("METRICS_TOKEN")),
    build: read("BUILD") ?? null,
  };
  checkWaysIn(settings);
  return Object.freeze(settings);
}

/** The names are compared with the tools when the tool server is loaded: here only their form is known. */
function toolNames(names: readonly string[]): readonly string[] | undefined {
  const wrong = names.find((name) => !/^[a-z][a-z_]{2,63}$/.test(name));
  if (wrong !== undefined) throw new SettingError("MCP_TOOLS must be names of tools, separated by commas");
  return names.length > 0 ? names : undefined;
}

const MIN_TOKEN_CHARS = 16;

function metricsToken(text: string | undefined): string | undefined {
  if (text === undefined || (text.length >= MIN_TOKEN_CHARS && /^[!-~]+$/.test(text))) return text;
  throw new SettingError(
    `METRICS_TOKEN must have at least ${MIN_TOKEN_CHARS} letters, digits or signs, and no space`,
  );
}

/** Additional settings of commands that work on a running server; undefined if unset. */
export type AssistantSettings = {
  apiKey: string | undefined;
  /** The platform key of a worker. */
  workKey: string | undefined;
  /** Endpoint of the running server that gets the calls. */
  url: string | undefined;
};

/**
 * Reads the additional settings of commands that work on a running server. `DUBPLATE_URL` may be the server's root or its `/mcp`.
 *
 * @throws SettingError when the address is not valid.
 */
export function readAssistantSettings(env: Readonly<Record<string, string | undefined>>): AssistantSettings {
  const text = env.DUBPLATE_URL?.trim().replace(/\/+$/, "") || undefined;
  if (text !== undefined && !(/^https?:\/\//.test(text) && URL.canParse(text)))
    throw new SettingError("DUBPLATE_URL must be an address that starts with http:// or https://");
  return {
    apiKey: env.DUBPLATE_API_KEY?.trim() || undefined,
    workKey: env.DUBPLATE_WORK_KEY?.trim() || undefined,
    url: text === undefined || text.endsWith("/mcp") ? text : `${text}/mcp`,
  };
}

function languageModel(url: string | undefined, model: string | undefined, apiKey: string | undefined) {
  if (url === undefined) return undefined;
  if (model === undefined) throw new SettingError("LLM_MODEL must name the model to use at LLM_URL");
  return { url, model, apiKey };
}

const MAX_EVERY_MS = 366 * DAY_MS;
const MAX_KEPT = 10_000;
const PERIODS: readonly KeepPeriod[] = ["hourly", "daily", "weekly", "monthly", "yearly"];

/** The times are checked even where no folder is set: a typing error should not wait for it. */
function backup(
  dataDir: string,
  read: (name: SettingName) => string | undefined,
): BackupSettings | undefined {
  const everyMs = duration("BACKUP_EVERY", read("BACKUP_EVERY") ?? "24h", MINUTE_MS, MAX_EVERY_MS);
  const keep = keptPeriods(read("BACKUP_KEEP") ?? "daily:7,weekly:4,monthly:6");
  const dir = read("BACKUP_DIR");
  if (dir === undefined) return undefined;
  if (isInside(dir, dataDir))
    throw new SettingError("BACKUP_DIR must not be inside DATA_DIR: choose a folder on another disk");
  return { dir: resolve(dir), everyMs, keep };
}

function deliveryDir(read: (name: SettingName) => string | undefined): string | undefined {
  const dir = read("DELIVERY_DIR");
  if (dir === undefined) return undefined;
  if (isInside(dir, resolve(read("DATA_DIR") ?? "./storage")))
    throw new SettingError("DELIVERY_DIR must not be inside DATA_DIR");
  return resolve(dir);
}

/** What the AWS tools read counts where the variable of the same meaning that begins with `S3_` is not set. */
function bucket(
  read: (name: SettingName) => string | undefined,
  env: Readonly<Record<string, string | undefined>>,
  isRedirected: boolean,
): BucketSettings | undefined {
  const place = read("BLOB_STORE");
  const endpoint = address("S3_ENDPOINT", read("S3_ENDPOINT"));
  if (place === undefined) return undefined;
  const [, name, path = ""] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[\w.-]+)*)\/?$/.exec(place) ?? [];
  if (name === undefined)
    throw new SettingError("BLOB_STORE must be a bucket such as s3://music or s3://music/dubplate");
  const aws = (suffix: string) => env[`AWS_${suffix}`]?.trim() || undefined;
  const accessKeyId = read("S3_ACCESS_KEY_ID") ?? aws("ACCESS_KEY_ID");
  const secretAccessKey = read("S3_SECRET_ACCESS_KEY") ?? aws("SECRET_ACCESS_KEY");
  if (accessKeyId === undefined || secretAccessKey === undefined)
    throw new SettingError("BLOB_STORE needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY");
  const region = read("S3_REGION") ?? aws("REGION");
  const sessionToken = read("S3_SESSION_TOKEN") ?? aws("SESSION_TOKEN");
  const prefix = path === "" ? "" : `${path.slice(1)}/`;
  return { name, prefix, endpoint, region, accessKeyId, secretAccessKey, sessionToken, isRedirected };
}

/** The time is checked even where no replica is set, as for backups. */
function replica(read: (name: SettingName) => string | undefined): ReplicaSettings | undefined {
  const text = read("REPLICA_VERIFY_EVERY") ?? "24h";
  const verifyEveryMs = duration("REPLICA_VERIFY_EVERY", text, MINUTE_MS, MAX_EVERY_MS);
  const source = read("DATABASE_REPLICA");
  if (source === undefined) return undefined;
  return { source: isReplicaUrl(source) ? source : resolve(source), verifyEveryMs };
}

function watchedFolder(entry: string, dataDir: string): WatchedFolder {
  const [, folder = "", email] = /^(.+)=([^=\s]+@[^=\s]+|usr_[\w-]+)$/.exec(entry) ?? [];
  if (email === undefined)
    throw new SettingError("WATCH must be a list such as /home/ana/Bounces=ana@example.com");
  if (isInside(folder, dataDir)) throw new SettingError("WATCH must not name a folder inside DATA_DIR");
  return { folder: resolve(folder.trim()), email };
}

function keptPeriods(text: string): Keep {
  const keep: Partial<Record<KeepPeriod, number>> = {};
  for (const entry of list(text)) {
    const [, name, count] = /^(\w+):(\d+)$/.exec(entry) ?? [];
    const period = PERIODS.find((each) => each === name);
    if (!period || keep[period] !== undefined || Number(count) > MAX_KEPT)
      throw new SettingError(
        `BACKUP_KEEP must be a list such as daily:7,weekly:4,monthly:6, of ${PERIODS.join(", ")}`,
      );
    keep[period] = Number(count);
  }
  return keep;
}

function credits(text: string): number | null {
  return text === "unlimited"
    ? null
    : wholeNumber("SEARCH_CREDITS_DEFAULT", text, 0, Number.MAX_SAFE_INTEGER);
}

function originOf(text: string): string {
  const origin = URL.canParse(text) ? new URL(text).origin : "null";
  if (origin !== "null") return origin;
  throw new SettingError(
    "CORS_ORIGINS must be a comma-separated list of origins such as https://example.com",
  );
}

const offAsZero = (text: string | undefined): string => (text === undefined || text === "off" ? "0" : text);
