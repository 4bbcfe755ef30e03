import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { openReadOnly } from "../../db/client.ts";
import { holdRemoval } from "../../src/blobs/removal.ts";
import { createProgram } from "../support/process.ts";
import { sine, wavBytes } from "../support/signals.ts";
import { call, createTenant, fillLibrary, type Tenant, tryDoors } from "../support/tenant.ts";

const program = createProgram({ RATE_LIMIT: "0", NETWORK_ALLOW: "127.0.0.1:9" });
let server: Awaited<ReturnType<typeof program.serve>>;
let address: string;
let other: Tenant;
beforeAll(async () => {
  server = await program.serve();
  ({ address } = server);
  other = await newTenant("other@example.com");
});
afterAll(() => program.close());

const newTenant = (email: string) =>
  createTenant(program, address, { email, hookUrl: "http://127.0.0.1:9/" });
const remove = (email: string, args: string[], input?: string) =>
  program.run(["account", "delete", "--email", email, ...args], input === undefined ? {} : { input });
const hashOf = (bytes: Uint8Array) => new Bun.CryptoHasher("sha256").update(bytes).digest("hex");

/** Gives a tenant a file that no other account has; returns its hash. */
async function uploadOwn({ byKey }: Tenant, hertz: number): Promise<string> {
  const wav = wavBytes([sine(8000, 1, hertz)], 8000, 16);
  const form = new FormData();
  form.append("files", new File([wav], `${hertz}.wav`));
  await call(address, "POST", "/api/v1/tracks/upload", form, byKey);
  return hashOf(wav);
}

const filesIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
    : [];
const placesOf = (name: string) =>
  filesIn(program.dataDir)
    .filter((path) => path.endsWith(name))
    .map((path) => path.slice(program.dataDir.length + 1).split("/")[0]);

/** Returns the tables, with their columns, in which a value occurs. */
function tablesWith(value: string): string[] {
  const { $client } = openReadOnly(join(program.dataDir, "dubplate.db"));
  const columns = $client
    .query<{ tbl: string; col: string }, []>(
      `SELECT m.name AS tbl, c.name AS col FROM sqlite_master m JOIN pragma_table_info(m.name) c
       WHERE m.type = 'table' AND m.name NOT LIKE 'track_text%' AND m.name NOT LIKE 'library_words%'`,
    )
    .all();
  const found = columns.filter(
    ({ tbl, col }) =>
      $client
        .query<{ n: number }, [string]>(`SELECT count(*) AS n FROM "${tbl}" WHERE instr("${col}", ?)`)
        .get(value)?.n !== 0,
  );
  $client.close();
  return [...new Set(found.map(({ tbl }) => tbl))].sort();
}

test("account delete asks for the address, and deletes nothing when another one is typed", async () => {
  const refused = await remove(other.email, [], "someone@example.com\n");

  expect([refused.code, refused.rows]).toEqual([1, []]);
  expect(refused.stderr).toContain(`This deletes the account ${other.email} and its library.`);
  expect(refused.stderr).toEndWith("The address is another one: nothing was deleted\n");
  expect((await tryDoors(address, other))["API key"]).toBe(200);
});

describe("account delete", () => {
  let tenant: Tenant;
  let own: string;
  let deleted: Awaited<ReturnType<typeof remove>>;
  beforeAll(async () => {
    tenant = await newTenant("leaving@example.com");
    await fillLibrary(address, tenant, other);
    await call(
      address,
      "POST",
      `/app/briefs/${other.brief.id}/submissions`,
      { trackId: tenant.trackId, message: "From one who left" },
      tenant.session,
    );
    own = await uploadOwn(tenant, 441);
    deleted = await remove(tenant.email, [], ` ${tenant.email.toUpperCase()}\n`);
  });

  test("reports what it deleted, and closes every door", async () => {
    const doors = await tryDoors(address, tenant);

    expect([deleted.code, deleted.rows]).toEqual([
      0,
      [{ id: tenant.accountId, email: tenant.email, tracks: 3, files: 2, purged: false }],
    ]);
    expect(new Set(Object.values(doors))).toEqual(new Set([401, 404]));
    expect((await program.run(["account", "list"])).rows.map(({ email }) => email)).not.toContain(
      tenant.email,
    );
  });

  test("puts originals into the quarantine, except those that another account has", () => {
    expect(placesOf(own)).toEqual(["quarantine"]);
    expect(placesOf(hashOf(readFileSync(join(import.meta.dir, "../fixtures/tone.mp3"))))).toEqual(["audio"]);
  });

  test("leaves the account's id only in the audit log, and in the list of changes that the search index reads", () => {
    expect(tablesWith(tenant.accountId)).toEqual(["audit_log", "search_changes"]);
    // An analysis that was running ends by itself.
    for (const trace of [tenant.trackId, tenant.playlistId, tenant.email, "Lights of the harbour"])
      expect([trace, tablesWith(trace).filter((table) => table !== "jobs")]).toEqual([trace, []]);
  });

  test("leaves what it sent with the receiver, without the sender", async () => {
    const inbox = await call(
      address,
      "GET",
      `/app/briefs/${other.brief.id}/submissions`,
      undefined,
      other.session,
    );

    expect(inbox.data).toMatchObject([{ message: "From one who left", track: null }]);
  });

  test("leaves other accounts as they were", async () => {
    const doors = await tryDoors(address, other);
    const { data } = await call(address, "GET", "/api/v1/tracks/count", undefined, other.byKey);

    expect(new Set(Object.values(doors))).toEqual(new Set([200]));
    expect(data).toEqual({ count: 2 });
  });
});

describe("account delete --purge", () => {
  test("is refused while a backup reads the files, before anything changes", async () => {
    const backup = holdRemoval({ dataDir: program.dataDir });
    const refused = await remove(other.email, ["--yes", "--purge"]);
    backup.release();

    expect([refused.code, refused.rows]).toEqual([1, []]);
    expect(refused.stderr).toBe("A backup is running: run this again when it has finished\n");
    expect(new Set(Object.values(await tryDoors(address, other)))).toEqual(new Set([200]));
  });

  test("deletes files at once, and leaves no trace in the data folder once the server has stopped", async () => {
    const tenant = await newTenant("forget-me@example.com");
    await fillLibrary(address, tenant, other);
    const own = await uploadOwn(tenant, 443);
    const pictures = filesIn(join(program.dataDir, "artwork")).length;

    const result = await remove(tenant.email, ["--yes", "--purge"]);
    server.child.kill("SIGTERM");
    await server.child.exited;

    const bytes = Buffer.concat(filesIn(program.dataDir).map((path) => readFileSync(path)));
    expect(result.rows).toMatchObject([{ tracks: 3, purged: true }]);
    expect(placesOf(own)).toEqual([]);
    expect(filesIn(join(program.dataDir, "artwork")).length).toBe(pictures - 2);
    for (const trace of [tenant.email, "Lights of the harbour", "harbour", "asked@example.com"])
      expect([trace, bytes.includes(trace)]).toEqual([trace, false]);
    expect(statSync(join(program.dataDir, "dubplate.db")).size).toBeGreaterThan(0);
    expect(await new Response(server.child.stdout as ReadableStream).text()).not.toContain('"level":"error"');
  });
});
