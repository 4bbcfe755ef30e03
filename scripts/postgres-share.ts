/**
 * Collects the statements that the program prepares while its tests run, and plans each on a real PostgreSQL: how many
 * plan as they are, with only the placeholders numbered, and why the others do not. Then it counts what else would have to
 * change. A statement that is planned does not yet give the same answer.
 *
 * usage: bun scripts/postgres-share.ts [--url postgres://…] [--statements FILE] [--all] [TEST…]
 * Without --url: starts the newest PostgreSQL below /usr/lib/postgresql in a temporary folder. --statements: keeps the
 * statements in a file, or reads them from it when it exists. --all: prints every statement that does not plan.
 */
import "./support/help.ts";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { countWork } from "./postgres-share/count.ts";
import { reasonOf } from "./postgres-share/reasons.ts";
import { postgresSchema } from "./postgres-share/schema.ts";
import { startPostgres } from "./postgres-share/server.ts";
import { numbered } from "./postgres-share/statement.ts";

const ROOT = join(import.meta.dir, "..");
const TESTS = [
  "test/contract",
  "test/api",
  "test/desk",
  "test/flows",
  "test/search",
  "test/webhooks",
  "test/jobs",
];

const { values, positionals } = parseArgs({
  args: Bun.argv.slice(2),
  allowPositionals: true,
  options: {
    url: { type: "string" },
    statements: { type: "string" },
    all: { type: "boolean", default: false },
  },
});

const folder = mkdtempSync(join(tmpdir(), "dubplate-postgres-"));
const postgres = values.url ? undefined : await startPostgres();
const sql = new Bun.SQL(values.url ?? postgres?.url ?? "", { max: 1 });
try {
  const statements = await collect(values.statements ?? join(folder, "statements.json"));
  console.log(`${((await sql`SELECT version()`) as { version: string }[])[0]?.version.split(" (")[0]}`);
  await sql.unsafe("DROP SCHEMA IF EXISTS dubplate_share CASCADE; CREATE SCHEMA dubplate_share");
  await sql.unsafe("SET search_path TO dubplate_share; SET plan_cache_mode = force_generic_plan");
  const schema = postgresSchema();
  let converted = 0;
  for (const { name, create } of schema.tables)
    await sql.unsafe(create).then(
      () => converted++,
      (error: Error) => console.log(`table ${name}: ${error.message}`),
    );
  for (const index of schema.indexes)
    await sql.unsafe(index).catch((error: Error) => console.log(`${index}: ${error.message}`));
  console.log(`${converted} of ${schema.tables.length} plain tables convert by rule`);
  await planAll(statements);
  console.log(`triggers: ${schema.triggers}`);
  for (const [what, count] of await countWork(ROOT)) console.log(`${what}: ${count}`);
} finally {
  await sql.end();
  await postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** Returns the distinct statements that the tests prepare: those that read or change rows. */
async function collect(file: string): Promise<string[]> {
  if (!existsSync(file)) {
    const tests = positionals.length > 0 ? positionals : TESTS;
    const preload = join(import.meta.dir, "postgres-share/collect.ts");
    const command = [process.execPath, "test", "--timeout", "600000", "--preload", preload, ...tests];
    const child = Bun.spawn(command, {
      cwd: ROOT,
      env: { ...Bun.env, STATEMENTS_FILE: file },
      stdio: ["ignore", "ignore", "ignore"],
    });
    await child.exited;
  }
  const seen: string[] = await Bun.file(file).json();
  const distinct = new Set(seen.map((text) => text.replace(/\s+/g, " ").trim()));
  return [...distinct].filter((text) => /^(?:select|with|insert|update|delete|replace)\b/i.test(text)).sort();
}

async function planAll(statements: readonly string[]): Promise<void> {
  const reasons = new Map<string, string[]>();
  let planned = 0;
  for (const statement of statements) {
    const error = await plan(statement);
    if (error === undefined) planned++;
    else {
      const reason = reasonOf(statement, error);
      reasons.set(reason, [...(reasons.get(reason) ?? []), `${error}: ${statement}`]);
    }
  }
  const share = Math.round((100 * planned) / statements.length);
  console.log(`${planned} of ${statements.length} statements plan unchanged (${share} %)`);
  for (const [reason, failed] of [...reasons].sort((a, b) => b[1].length - a[1].length)) {
    console.log(`  ${failed.length} ${reason}`);
    if (values.all) for (const each of failed) console.log(`      ${each.slice(0, 300)}`);
  }
}

/** Plans a statement. Returns why it cannot be planned. */
async function plan(statement: string): Promise<string | undefined> {
  const { text, count } = numbered(statement);
  try {
    await sql.unsafe(`PREPARE one AS ${text}`);
    const given = count > 0 ? `(${Array(count).fill("NULL").join(", ")})` : "";
    await sql.unsafe(`EXPLAIN EXECUTE one${given}`);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  } finally {
    await sql.unsafe("DEALLOCATE ALL");
  }
}
