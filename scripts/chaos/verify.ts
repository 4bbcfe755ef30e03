import { createHash } from "node:crypto";
import { createReadStream, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { blobPath } from "../../src/blobs/store.ts";
import type { Deps } from "../../src/kernel/deps.ts";
import { downloadUrl } from "../../src/modules/library/files/service.ts";
import type { Ledger } from "./ledger.ts";

type VersionRow = {
  trackId: string;
  trackName: string;
  status: string;
  code: string | null;
  cid: string;
  id: string;
  name: string;
  mediaType: string;
  sha256: string;
  measured: number;
  words: number;
  events: number;
};

const VERSIONS = `
  SELECT t.id AS trackId, t.name AS trackName, t.analysis_status AS status, t.analysis_code AS code, t.cid,
    v.id, v.name, v.media_type AS mediaType, v.sha256,
    (SELECT count(*) FROM analyses a WHERE a.version_id = v.id) AS measured,
    (SELECT count(*) FROM track_text w WHERE w.rowid = t.seq) AS words,
    (SELECT count(*) FROM events e WHERE e.type = 'track.audio_profile_completed'
       AND e.data ->> 'trackId' = t.id AND e.data ->> 'activeVersionId' = v.id) AS events
  FROM tracks t LEFT JOIN versions v ON v.id = t.active_version_id`;

/** The violations found, and numbers for the summary. */
export type Verdict = { violations: string[]; tracks: number; repeatedEvents: number };

/** Compares rows, files and events with the ledger. Nothing may be left to analyse, and no server may run. */
export async function verifyAtRest(deps: Deps, ledger: Ledger): Promise<Verdict> {
  const client = deps.db.$client;
  const rows = client.query<VersionRow, []>(VERSIONS).all();
  const violations = [
    ...sqliteFindings(deps),
    ...againstLedger(rows, ledger),
    ...halfRequests(rows, ledger),
    ...rows.flatMap(analysisFaults),
    ...(await fileFaults(deps, rows)),
  ];
  const jobs = client
    .query<{ state: string; error: string }, []>("SELECT state, last_error AS error FROM jobs")
    .all();
  for (const { state, error } of jobs) violations.push(`a job is left, ${state}: ${error}`);
  const repeatedEvents = rows.reduce((sum, { events }) => sum + Math.max(0, events - 1), 0);
  return { violations, tracks: rows.length, repeatedEvents };
}

function sqliteFindings({ db }: Deps): string[] {
  const integrity = db.$client.query<{ integrity_check: string }, []>("PRAGMA integrity_check").all();
  const orphans = db.$client.query<{ table: string; rowid: number }, []>("PRAGMA foreign_key_check").all();
  return [
    ...integrity
      .filter((row) => row.integrity_check !== "ok")
      .map((row) => `integrity: ${row.integrity_check}`),
    ...orphans.map(({ table, rowid }) => `row ${rowid} of ${table} refers to nothing`),
  ];
}

/**
 * Checks that every acknowledged file is stored with its bytes, and that nothing else and nothing twice is stored.
 */
function againstLedger(rows: readonly VersionRow[], { acknowledged, sent }: Ledger): string[] {
  const violations: string[] = [];
  const byId = new Map(rows.map((row) => [row.trackId, row]));
  const byName = Map.groupBy(rows, ({ trackName }) => trackName);
  for (const { trackId, filename, sha256 } of acknowledged) {
    const row = byId.get(trackId);
    if (!row) violations.push(`${filename} was acknowledged as ${trackId} and is lost`);
    else if (row.sha256 !== sha256) violations.push(`${filename} has other bytes than were sent`);
  }
  for (const [name, same] of byName) {
    if (same.length > 1) violations.push(`${name} was sent once and is there ${same.length} times`);
    if (same.some(({ sha256 }) => sha256 !== sent.get(name))) violations.push(`${name} is not what was sent`);
  }
  return violations;
}

/** Checks that of a request without an answer either all files are stored, or none. */
function halfRequests(rows: readonly VersionRow[], { unanswered }: Ledger): string[] {
  const names = new Set(rows.map(({ trackName }) => trackName));
  return unanswered.flatMap((request) => {
    const there = request.filter((name) => names.has(name));
    if (there.length === 0 || there.length === request.length) return [];
    return [`only ${there} of the ${request} files of an unanswered request are there`];
  });
}

function analysisFaults({
  trackName,
  status,
  code,
  cid,
  sha256,
  measured,
  words,
  events,
}: VersionRow): string[] {
  const faults: string[] = [];
  if (status !== "completed") faults.push(`analysis ${status} (${code})`);
  if (cid !== sha256) faults.push("cid is not the hash of the bytes");
  if (measured !== 1) faults.push("no measurements");
  if (words !== 1) faults.push("no row in the full-text index");
  if (events === 0) faults.push("no event of its analysis");
  return faults.map((fault) => `${trackName}: ${fault}`);
}

/**
 * Checks that every row has its file, every file its row and the name of its hash, and that no temporary file is
 * left.
 */
async function fileFaults(
  { settings }: Pick<Deps, "settings">,
  rows: readonly VersionRow[],
): Promise<string[]> {
  const violations: string[] = [];
  const wanted = new Set(rows.map(({ sha256 }) => sha256));
  for (const sha256 of wanted) {
    const path = blobPath(settings, sha256);
    if (!existsSync(path)) violations.push(`the file ${sha256} is missing`);
    else if ((await hashOf(path)) !== sha256) violations.push(`the file ${sha256} has other bytes`);
  }
  for (const name of filesUnder(join(settings.dataDir, "audio")))
    if (!wanted.has(name)) violations.push(`the file ${name} belongs to nothing`);
  for (const name of filesUnder(join(settings.dataDir, "tmp")))
    violations.push(`the temporary file ${name} is left`);
  return violations;
}

function filesUnder(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.digest("hex");
}

/** Downloads every acknowledged track through its signed link from the running server. */
export async function verifyDownloads(deps: Deps, ledger: Ledger): Promise<string[]> {
  const violations: string[] = [];
  const byId = new Map(
    deps.db.$client
      .query<VersionRow, []>(VERSIONS)
      .all()
      .map((row) => [row.trackId, row]),
  );
  for (const { trackId, filename, sha256 } of ledger.acknowledged) {
    const row = byId.get(trackId);
    if (!row) continue; // already reported as lost
    const response = await fetch(downloadUrl(deps, row));
    const hash = new Bun.CryptoHasher("sha256").update(await response.bytes()).digest("hex");
    if (response.status !== 200 || hash !== sha256)
      violations.push(`${filename} cannot be downloaded (${response.status})`);
  }
  return violations;
}
