import { constants, Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { drizzle } from "drizzle-orm/bun-sqlite";
import { migrate } from "./migrations.ts";
import * as schema from "./schema.ts";
import { loadVectors } from "./vectors.ts";
import { underWatch } from "./watch.ts";

/** The library's database: drizzle over one synchronous connection, which is `$client`. */
export type Db = ReturnType<typeof connect>;

const BUSY_TIMEOUT_MS = 10_000;
/** The default of 2 MB is too small for the random reads of a library of ten thousand tracks. */
const PAGE_CACHE_KIBIBYTES = 32_768;
/** With the default of 20, the program's statements would be prepared again and again. */
const CACHED_STATEMENTS = 500;

/**
 * Opens the database at `path`, or a private one for `":memory:"`; creates and migrates it if needed.
 * Commits are durable through a power cut (`synchronous = FULL`), not only through a killed process.
 */
export function openDb(path: string): Db {
  return setUp(new Database(path, { create: true, strict: true }));
}

/** Opens a private copy of a database in memory, given as its `serialize()` returned it. */
export function openCopy(image: Uint8Array): Db {
  return setUp(Database.deserialize(image, { strict: true }));
}

function setUp(client: Database): Db {
  try {
    return prepare(client);
  } catch (error) {
    client.close();
    throw error;
  }
}

function prepare(client: Database): Db {
  Database.MAX_QUERY_CACHE_SIZE = CACHED_STATEMENTS;
  client.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  client.run("PRAGMA journal_mode = WAL");
  client.run("PRAGMA synchronous = FULL");
  client.run("PRAGMA foreign_keys = ON");
  client.run("PRAGMA temp_store = MEMORY");
  client.run(`PRAGMA cache_size = -${PAGE_CACHE_KIBIBYTES}`);
  loadVectors(client);
  migrate(client);
  if (isReplicated(client)) keepLog(client);
  return connect(client);
}

/** True when Litestream has replicated a database: it leaves a table behind. */
export function isReplicated(client: Database): boolean {
  return client.query("SELECT 1 FROM sqlite_master WHERE name = '_litestream_seq'").get() !== null;
}

/**
 * Leaves checkpoints to Litestream. While Litestream is away, a log that is started anew in place more than once may
 * show it no trace of what it missed (docs/decisions/0051-replication.md).
 */
export function keepLog(client: Database): void {
  client.run("PRAGMA wal_autocheckpoint = 0");
}

/** Opens an existing, migrated database read-only. The next query sees what other connections have committed. */
export function openReadOnly(path: string): Db {
  Database.MAX_QUERY_CACHE_SIZE = CACHED_STATEMENTS;
  const client = new Database(path, { readonly: true, strict: true });
  client.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  client.run("PRAGMA temp_store = MEMORY");
  client.run(`PRAGMA cache_size = -${PAGE_CACHE_KIBIBYTES}`);
  loadVectors(client);
  return connect(client);
}

/** What `inspectDb` finds. */
type Inspection = {
  /** The version of the vector extension. */
  vectorVersion: string;
  /** The result of `PRAGMA quick_check`: "ok" for an intact database. */
  quickCheck: string;
  /** Why removal is held. */
  holds: string[];
  /** How many tracks have a vector of each provider and version; empty where the database is not intact. */
  vectors: { provider: string; version: string; tracks: number }[];
  /** How many vectors that tracks are compared by there are of each version. */
  sounds: { version: string; tracks: number }[];
  /** How many passages of tracks have a vector. */
  passages: number;
  /** Keys that workers on other machines may use, and jobs that such workers hold. */
  workers: { keys: number; jobs: number };
};

/** Inspects a database without creating, migrating or changing anything. */
export function inspectDb(path: string): Inspection {
  // An existing log belongs to a running program and must be read. Without a log, reading must not create one.
  const isAlone = path !== ":memory:" && !existsSync(`${path}-wal`);
  const client = isAlone
    ? new Database(
        `${pathToFileURL(path)}?immutable=1`,
        constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI,
      )
    : new Database(path, path === ":memory:" ? {} : { readonly: true });
  try {
    loadVectors(client);
    const vectorVersion = client.query<{ v: string }, []>("SELECT vec_version() AS v").get()?.v ?? "";
    const check = client.query<{ quick_check: string }, []>("PRAGMA quick_check").get();
    const hasHolds = client.query("SELECT 1 FROM sqlite_master WHERE name = 'removal_holds'").get() !== null;
    const holds = hasHolds
      ? client.query<{ reason: string }, []>("SELECT reason FROM removal_holds ORDER BY reason").all()
      : [];
    const quickCheck = check?.quick_check ?? "";
    const vectors = quickCheck === "ok" ? countVectors(client) : [];
    const sounds = quickCheck === "ok" ? countSounds(client) : [];
    const passages = quickCheck === "ok" ? countPassages(client) : 0;
    const workers = quickCheck === "ok" ? countWorkers(client) : NO_WORKERS;
    const reasons = holds.map(({ reason }) => reason);
    return { vectorVersion, quickCheck, holds: reasons, vectors, sounds, passages, workers };
  } finally {
    client.close();
  }
}

const NO_WORKERS = { keys: 0, jobs: 0 };

/** Nothing in a library that an older program wrote. */
function countWorkers(client: Database): Inspection["workers"] {
  if (client.query("SELECT 1 FROM pragma_table_info('jobs') WHERE name = 'worker'").get() === null)
    return NO_WORKERS;
  const counts = client.query<Inspection["workers"], [number]>(
    `SELECT (SELECT count(*) FROM jobs WHERE state = 'running' AND worker IS NOT NULL) AS jobs,
       (SELECT count(*) FROM api_keys WHERE account_id IS NULL AND scopes LIKE '%"platform:work"%'
          AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)) AS keys`,
  );
  return counts.get(Date.now()) ?? NO_WORKERS;
}

function countVectors(client: Database): Inspection["vectors"] {
  if (client.query("SELECT 1 FROM sqlite_master WHERE name = 'track_vectors'").get() === null) return [];
  return client
    .query<Inspection["vectors"][number], []>(
      "SELECT provider, version, count(*) AS tracks FROM track_vectors GROUP BY provider, version",
    )
    .all();
}

/** Nothing in a library that an older program wrote. */
function countSounds(client: Database): Inspection["sounds"] {
  if (client.query("SELECT 1 FROM sqlite_master WHERE name = 'sound_vectors'").get() === null) return [];
  return client
    .query<Inspection["sounds"][number], []>(
      `SELECT s.version, count(*) AS tracks FROM sound_vectors v JOIN vector_spaces s ON s.id = v.space
       GROUP BY s.id ORDER BY s.id`,
    )
    .all();
}

/** Nothing in a library that an older program wrote. sqlite-vec would read every vector to count them. */
function countPassages(client: Database): number {
  if (client.query("SELECT 1 FROM sqlite_master WHERE name = 'passage_vectors'").get() === null) return 0;
  const rows = client.query<{ n: number }, []>("SELECT count(*) AS n FROM passage_vectors_rowids");
  return rows.get()?.n ?? 0;
}

function connect(client: Database) {
  return drizzle(client, { schema });
}

/**
 * Runs `work` atomically, holding the write lock from its start. `work` must be synchronous: the driver commits
 * when it returns, so a promise would commit at its first `await` and never roll back. The type refuses one.
 */
export function transact<Result>(
  db: Db,
  work: (tx: Db) => Result extends PromiseLike<unknown> ? never : Result,
): Result {
  return underWatch(
    db,
    () => work(db) as Result,
    (watched) => db.$client.transaction(watched).immediate(),
  );
}

/**
 * Runs `work` as {@link transact} does, without waiting for the disk. What is committed survives a killed process; a power cut
 * may take the last of it back, though never what was committed with `transact`. For records of what was asked, beside which
 * everybody else would wait.
 */
export function transactUnsynced<Result>(db: Db, work: Parameters<typeof transact<Result>>[1]): Result {
  const { $client } = db;
  // An outer transaction decides for its inner ones.
  if ($client.inTransaction) return transact(db, work);
  $client.run("PRAGMA synchronous = NORMAL");
  try {
    return transact(db, work);
  } finally {
    $client.run("PRAGMA synchronous = FULL");
  }
}

/** Returns a function that prepares a statement once per database and then reuses it. */
export function prepared<Statement>(build: (db: Db) => Statement): (db: Db) => Statement {
  const statements = new WeakMap<Db, Statement>();
  return (db) => {
    const known = statements.get(db);
    if (known) return known;
    const built = build(db);
    statements.set(db, built);
    return built;
  };
}
