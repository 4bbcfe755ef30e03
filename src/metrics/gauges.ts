import { statSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Db } from "../../db/client.ts";
import { SCHEMA_VERSION } from "../../db/migrations.ts";
import { readBackupState } from "../backup/state.ts";
import { listHolds } from "../blobs/removal.ts";
import type { Deps } from "../kernel/deps.ts";
import { readDisk } from "../kernel/disk.ts";
import { PROGRAM } from "../kernel/program.ts";
import { MINUTE_MS, SECOND_MS } from "../kernel/time.ts";
import { measured, type Sample } from "./registry.ts";

type LibraryDeps = Pick<Deps, "db" | "now" | "settings">;

/** Sums that read many rows or files are kept for so long. */
const KEPT_MS = MINUTE_MS;

/** What the process says of itself. */
export function processText({
  sending,
  streams,
  lagSeconds,
}: {
  sending: number;
  streams: number;
  lagSeconds: number;
}): string {
  const { user, system } = process.cpuUsage();
  const startedAt = (Date.now() - performance.now()) / SECOND_MS;
  return [
    measured("dubplate_streams_active", "Answers whose file is being sent.", sending),
    measured("dubplate_event_streams_active", "Open streams of events of the console.", streams),
    measured(
      "dubplate_event_loop_lag_seconds",
      "Worst delay of a timer in the last half minute.",
      lagSeconds,
    ),
    measured("process_resident_memory_bytes", "Resident memory.", process.memoryUsage.rss()),
    measured("process_cpu_seconds_total", "Processor time.", (user + system) / 1e6, "counter"),
    measured("process_start_time_seconds", "Start of the process, seconds since 1970.", startedAt),
    measured("dubplate_build_info", "Versions of program, schema and Bun; always 1.", [
      [{ version: PROGRAM.version, schema: String(SCHEMA_VERSION), bun: Bun.version }, 1],
    ]),
  ].join("");
}

/** What the library says of itself. `jobNames`: the kinds of jobs that the server runs. */
export async function libraryText(deps: LibraryDeps, jobNames: readonly string[]): Promise<string> {
  const parts = [
    jobsText(deps, jobNames),
    webhooksText(deps),
    databaseText(deps),
    safetyText(deps),
    await sumsOf(deps),
  ];
  return parts.join("");
}

type JobRow = { name: string; state: string; count: number; elsewhere: number; dueAt: number | null };
const STATES = ["waiting", "running", "dead"] as const;

/** Every kind of job is told, also with zero: a series that ends looks like a server that is down. */
function jobsText({ db, now }: LibraryDeps, known: readonly string[]): string {
  const rows = db.$client
    .query<JobRow, []>(
      `SELECT name, state, count(*) AS count, count(worker) AS elsewhere, min(iif(state = 'waiting', run_at, NULL)) AS dueAt
       FROM jobs GROUP BY name, state`,
    )
    .all();
  const names = [...new Set([...known, ...rows.map(({ name }) => name)])];
  const find = (name: string, state: string) => rows.find((row) => row.name === name && row.state === state);
  const counts = names.flatMap((name) =>
    STATES.map((state): Sample => [{ name, state }, find(name, state)?.count ?? 0]),
  );
  const elsewhere = names.map((name): Sample => [{ name }, find(name, "running")?.elsewhere ?? 0]);
  const waits = names.map((name): Sample => {
    const dueAt = find(name, "waiting")?.dueAt ?? now();
    return [{ name }, Math.max(0, now() - dueAt) / SECOND_MS];
  });
  return [
    measured("dubplate_jobs", "Background jobs by name and state; a dead one has failed for good.", counts),
    measured("dubplate_jobs_elsewhere", "Running jobs that workers on other machines hold.", elsewhere),
    measured("dubplate_job_oldest_waiting_seconds", "How long the job that waits longest is due.", waits),
  ].join("");
}

const numberOf = (db: Db, sql: string): number =>
  db.$client.query<{ n: number | null }, []>(sql).get()?.n ?? 0;

function webhooksText({ db }: LibraryDeps): string {
  const count = (status: string) =>
    numberOf(db, `SELECT count(*) AS n FROM webhook_deliveries WHERE status = '${status}'`);
  return [
    measured(
      "dubplate_webhook_queue",
      "Webhook deliveries that wait for their next attempt.",
      count("pending"),
    ),
    measured(
      "dubplate_webhook_dead",
      "Webhook deliveries that were given up and are still kept.",
      count("failed"),
    ),
  ].join("");
}

function databaseText({ db }: LibraryDeps): string {
  const path = db.$client.filename;
  const size = (of: string) => statSync(of, { throwIfNoEntry: false })?.size ?? 0;
  return [
    measured("dubplate_database_size_bytes", "Size of dubplate.db.", size(path)),
    measured("dubplate_wal_size_bytes", "Size of its write-ahead log.", size(`${path}-wal`)),
  ].join("");
}

function safetyText({ db, settings }: LibraryDeps): string {
  const backup = readBackupState(settings);
  const seconds = (at: number | null | undefined) => (at == null ? null : at / SECOND_MS);
  return [
    measured(
      "dubplate_storage_free_bytes",
      "Free space on the disk of DATA_DIR.",
      readDisk(settings.dataDir).freeBytes,
    ),
    measured(
      "dubplate_removal_held",
      "1 while no file is removed, see dubplate quarantine list.",
      listHolds(db).length > 0 ? 1 : 0,
    ),
    measured("dubplate_backup_scheduled", "1 while BACKUP_DIR is set.", settings.backup ? 1 : 0),
    measured(
      "dubplate_backup_last_success_timestamp_seconds",
      "The last complete backup.",
      seconds(backup.lastSuccessAt),
    ),
    measured(
      "dubplate_backup_last_failure_timestamp_seconds",
      "The last backup that failed.",
      seconds(backup.lastFailureAt),
    ),
    measured(
      "dubplate_verify_last_success_timestamp_seconds",
      "The last dubplate verify of the whole library that found it sound.",
      seconds(backup.lastVerifiedAt),
    ),
    measured("dubplate_verify_findings", "Faults that the last one found.", backup.lastFaults ?? null),
    measured("dubplate_backup_last_bytes", "Size of the last complete backup.", backup.lastBytes),
    measured("dubplate_replica_scheduled", "1 while DATABASE_REPLICA is set.", settings.replica ? 1 : 0),
    measured(
      "dubplate_replica_last_success_timestamp_seconds",
      "The last dubplate verify --replica that restored the replica and found it the same.",
      seconds(backup.replicaVerifiedAt),
    ),
    measured("dubplate_replica_findings", "Faults that the last one found.", backup.replicaFaults ?? null),
  ].join("");
}

type Sums = { text: Promise<string>; until: number };
const kept = new WeakMap<Db, Sums>();

/** Sums over all rows or files, made once a minute. */
function sumsOf(deps: LibraryDeps): Promise<string> {
  const known = kept.get(deps.db);
  if (known && performance.now() < known.until) return known.text;
  const text = readSums(deps);
  kept.set(deps.db, { text, until: performance.now() + KEPT_MS });
  return text;
}

const AUDIO_BYTES =
  "SELECT sum(size) AS n FROM (SELECT max(size_bytes) AS size FROM versions GROUP BY sha256)";

async function readSums({ db, settings }: LibraryDeps): Promise<string> {
  const [artwork, originals, quarantine] = await Promise.all(
    ["artwork", "artwork-originals", "quarantine"].map((name) => bytesBelow(join(settings.dataDir, name))),
  );
  return [
    measured("dubplate_storage_bytes", "Bytes of the library's files by kind.", [
      [{ kind: "audio" }, numberOf(db, AUDIO_BYTES)],
      [{ kind: "renditions" }, numberOf(db, "SELECT sum(size_bytes) AS n FROM renditions")],
      [{ kind: "artwork" }, (artwork ?? 0) + (originals ?? 0)],
    ]),
    measured("dubplate_quarantine_bytes", "Bytes of files in the quarantine.", quarantine ?? 0),
    measured(
      "dubplate_search_index_rows",
      "Tracks that a search by brief can find.",
      numberOf(db, "SELECT count(*) AS n FROM analyses"),
    ),
  ].join("");
}

/** Looks at one file after the other, so that requests come between. */
async function bytesBelow(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  let bytes = 0;
  for (const entry of entries)
    if (entry.isFile())
      bytes += await stat(join(entry.parentPath, entry.name)).then(
        ({ size }) => size,
        () => 0, // gone since
      );
  return bytes;
}
