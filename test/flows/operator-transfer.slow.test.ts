import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDb, openReadOnly, transact } from "../../db/client.ts";
import type { LibraryId } from "../../db/schema.ts";
import { readSecret } from "../../src/backup/verify-secrets.ts";
import { secretsOf } from "../../src/kernel/secrets.ts";
import { join as joinFamily } from "../../src/modules/library/families/service.ts";
import { markKeyOf } from "../../src/modules/sharing/marks/service.ts";
import { plantMails } from "../support/planted-mails.ts";
import { createProgram } from "../support/process.ts";
import { sine, wavBytes } from "../support/signals.ts";
import { call, createTenant, fillLibrary, type Tenant } from "../support/tenant.ts";

const program = createProgram({ RATE_LIMIT: "0", NETWORK_ALLOW: "127.0.0.1:9" });
let address: string;
let ana: Tenant;
let bo: Tenant;
/** How many rows of each column name an account, before the transfer and after it. */
let before: Rows;
let after: Rows;
let searchable: { ana: string[]; bo: string[] };
let transferred: Awaited<ReturnType<typeof transfer>>;

const transfer = (email: string, to: string) =>
  program.run(["account", "transfer", "--email", email, "--to", to]);
const api = async ({ byKey }: Tenant, method: string, path: string, body?: unknown) =>
  (await call(address, method, `/api/v1${path}`, body, byKey)).data;
const app = async ({ session }: Tenant, method: string, path: string, body?: unknown) =>
  (await call(address, method, `/app${path}`, body, session)).data;

function read<Row>(sql: string, ...values: (string | number)[]): Row[] {
  const db = openReadOnly(join(program.dataDir, "dubplate.db"));
  try {
    return db.$client.query<Row, (string | number)[]>(sql).all(...values);
  } finally {
    db.$client.close();
  }
}

/** Every column of text in the database. */
function columns(): { name: string; column: string }[] {
  return read(
    `SELECT t.name, c.name AS "column" FROM pragma_table_list t JOIN pragma_table_info(t.name) c
     WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite%' AND t.name NOT LIKE 'track_text%'
       AND t.name NOT LIKE 'library_words%' AND c.type = 'TEXT'`,
  );
}

type Rows = Map<string, { ana: number; bo: number }>;

/** Counts the rows of every column that names one of the two accounts, or has the name of a column that would. */
function countRows(): Rows {
  const rows: Rows = new Map();
  for (const { name, column } of columns()) {
    const count = (id: string) =>
      read<{ n: number }>(`SELECT count(*) AS n FROM "${name}" WHERE "${column}" = ?`, id)[0]?.n ?? 0;
    const counted = { ana: count(ana.accountId), bo: count(bo.accountId) };
    if (/(owner|account|author)_id$/.test(column) || counted.ana + counted.bo > 0)
      rows.set(`${name}.${column}`, counted);
  }
  return rows;
}

/** Resolves when every track is analysed and the account's tags are learnt. */
async function untilSettled(): Promise<void> {
  for (;;) {
    const [waiting] = read<{ n: number }>(
      "SELECT count(*) AS n FROM jobs WHERE state <> 'dead' AND name IN ('analyze', 'learn-tags')",
    );
    const [open] = read<{ n: number }>(
      "SELECT count(*) AS n FROM tracks WHERE analysis_status NOT IN ('completed', 'failed')",
    );
    if (waiting?.n === 0 && open?.n === 0) return;
    await Bun.sleep(50);
  }
}

/** Makes a set of the first and the last track of a library, and a delivery, and has its owner hear a track. */
function plantSetAndDelivery(accountId: string): void {
  const db = openDb(join(program.dataDir, "dubplate.db"));
  const ids = db.$client
    .query<{ id: string }, [string]>(
      "SELECT id FROM tracks WHERE owner_id = ? AND deleted_at IS NULL ORDER BY id",
    )
    .all(accountId);
  const [trackId = "", withId = ""] = [ids.at(-1)?.id, ids[0]?.id];
  const ownerId = accountId as LibraryId;
  db.$client
    .query(
      `INSERT INTO delivery_packages (id, owner_id, profile, name, settings, manifest, bytes, sha256, made_at)
       VALUES (?1, ?2, 'store', 'N', '{"where":{"ids":[]},"options":{},"way":"zip","versions":[]}', '{}', 1, '', 1)`,
    )
    .run(`pkg_${crypto.randomUUID()}`, accountId);
  db.$client
    .query(
      "INSERT INTO listens SELECT 'heard ' || id, ?1, ?1, id, active_version_id, 1, 2.5, 'player', 'plr_1' FROM tracks WHERE id = ?2",
    )
    .run(accountId, trackId);
  transact(db, (tx) =>
    joinFamily(tx, { ownerId, trackId, withId, kind: "instrumental", joinedBy: "owner", at: 1 }),
  );
  db.$client.close();
}

/** Asks a composer of a library for what is missing, sets who sends its registrations, and marks a copy. */
function plantRights(accountId: string): void {
  const db = openDb(join(program.dataDir, "dubplate.db"));
  db.$client
    .query(
      `INSERT INTO supply_requests (id, owner_id, composer_id, created_at, expires_at)
       SELECT 'sup_' || id, owner_id, id, 1, 2 FROM composers WHERE owner_id = ? AND deleted_at IS NULL`,
    )
    .run(accountId);
  db.$client
    .query("INSERT INTO rights_sender (owner_id, name, updated_at) VALUES (?, 'Field Music', 1)")
    .run(accountId);
  db.$client.query("INSERT INTO readiness_limits VALUES (?, 'store', 'true_peak', -1.5)").run(accountId);
  const secrets = secretsOf(readSecret(program.dataDir) ?? Buffer.alloc(0));
  transact(db, (tx) => markKeyOf({ db: tx, secrets }, { accountId, versionId: `ver_${accountId}` }));
  db.$client
    .query(
      `INSERT INTO marked_copies (id, account_id, version_id, track_id, kind, code, created_at)
       VALUES ('mark_' || ?1, ?1, 'ver_' || ?1, 'trk_1', 'listen', randomblob(16), 1)`,
    )
    .run(accountId);
  db.$client.close();
}

async function uploadSine(tenant: Tenant, hertz: number): Promise<string> {
  const form = new FormData();
  form.append("files", new File([wavBytes([sine(8000, 5, hertz)], 8000, 16)], `${hertz}.wav`));
  return (await api(tenant, "POST", "/tracks/upload", form)).uploaded[0].id;
}

const found = async (tenant: Tenant, query: string): Promise<string[]> => {
  const { results } = await api(tenant, "POST", "/tracks/search", { query, limit: 50 });
  return results.map(({ id }: { id: string }) => id);
};

/** Goes with the library. `same`: rows of both accounts may become one. */
const GOES: Readonly<Record<string, "each" | "same">> = {
  "activity_entities.owner_id": "each",
  "activity_series.owner_id": "same",
  "brief_submissions.submitter_account_id": "each",
  "briefs.owner_id": "each",
  "composers.owner_id": "each",
  "delivery_packages.owner_id": "each",
  "families.owner_id": "each",
  "intakes.account_id": "each",
  "album_arrivals.account_id": "each",
  "library_names.owner_id": "same",
  "library_tags.owner_id": "same",
  "library_totals.owner_id": "same",
  "mails.account_id": "each",
  "mark_keys.account_id": "each",
  "marked_copies.account_id": "each",
  "mix_offers.owner_id": "each",
  "notifications.account_id": "each",
  "playlists.owner_id": "each",
  "readiness_limits.owner_id": "same",
  "recordings.owner_id": "same",
  "rights_sender.owner_id": "same",
  "listens.account_id": "each",
  "listens.person_id": "each",
  "saves.account_id": "each",
  "saves.person_id": "each",
  "searches.account_id": "each",
  "searches.person_id": "each",
  "shares.owner_id": "each",
  "supply_requests.owner_id": "each",
  "tag_decisions.owner_id": "each",
  "tag_feedback.owner_id": "each",
  "tag_learners.owner_id": "same",
  "tag_models.owner_id": "same",
  "tag_revisions.owner_id": "same",
  "track_rows.owner_id": "each",
  "track_tags.owner_id": "each",
  "tracks.owner_id": "each",
  "undos.account_id": "each",
  "undos.made_by": "each",
};
/** Stays: who may come in, and what was done by whom. */
const STAYS: readonly string[] = [
  "account_visits.account_id",
  "account_visits.person_id",
  "assistant_calls.account_id",
  "accounts.id",
  "api_keys.account_id",
  "api_keys.made_by",
  "audit_log.account_id",
  "audit_log.actor",
  "audit_log.person_id",
  "audit_log.subject",
  "brands.account_id",
  "briefs.made_by",
  "notifications.made_by",
  "comments.author_id",
  "events.owner_id",
  "idempotency_keys.principal",
  "invitations.account_id",
  "mail_stops.account_id",
  "mail_wishes.account_id",
  "mail_wishes.person_id",
  "mails.made_by",
  "oauth_grants.account_id",
  "oauth_grants.person_id",
  "owner_uploads.account_id",
  "owner_uploads.made_by",
  "members.account_id",
  "members.person_id",
  "password_resets.person_id",
  "passkeys.person_id",
  "players.account_id",
  "pocket_sent.account_id",
  "pockets.account_id",
  "pockets.person_id",
  "players.person_id",
  "identities.person_id",
  "people.id",
  "playlists.made_by",
  "sessions.account_id",
  "sessions.person_id",
  "shares.made_by",
  "track_edits.person_id",
  "versions.made_by",
  "sign_in_flows.person_id",
  "supply_requests.made_by",
  "usage_records.account_id",
];
const NONE = { ana: 0, bo: 0 };
/** Counted by triggers, or learned again by the running server: a row may stay that says nothing. */
const COUNTS = ["library_tags.owner_id", "library_totals.owner_id", "tag_learners.owner_id"];
/**
 * Feeds tell each account what changed for it: browsers that are open, and search indexes, by the numbers that tracks had.
 * The file of an index is made again, and a job that finds nothing to do for its account ends.
 */
const NEITHER = [
  "account_changes.account_id",
  "account_changes.id",
  "search_changes.owner_id",
  "search_snapshots.owner_id",
  "jobs.unique_key",
  // The running server gives deeds their places meanwhile; test/proof has what a transfer does to ledgers.
  "ledger_erasures.owner_id",
  "ledger_logs.owner_id",
  "ledger_pending.owner_id",
];

beforeAll(async () => {
  ({ address } = await program.serve());
  const hookUrl = "http://127.0.0.1:9/";
  ana = await createTenant(program, address, { email: "ana@example.com", hookUrl });
  bo = await createTenant(program, address, { email: "bo@example.com", hookUrl });
  const { composerId } = await fillLibrary(address, ana, bo);
  await fillLibrary(address, bo, ana);
  await api(ana, "PATCH", "/composers", {
    id: composerId,
    publisher: "Harbour Music",
    ipi: "00123456789",
  }).catch(() => undefined);
  await api(ana, "PATCH", `/tracks/tags?id=${ana.otherId}`, { genres: ["Techno"], moods: ["Dark"] });
  const binned = await uploadSine(ana, 300);
  await uploadSine(ana, 500);
  await app(ana, "DELETE", `/tracks/${binned}`);
  await app(ana, "POST", "/tracks/bulk", { where: { ids: [ana.trackId] }, do: { addTags: ["Dub"] } });
  const folder = mkdtempSync(join(tmpdir(), "dubplate-transfer-"));
  writeFileSync(join(folder, "900.wav"), wavBytes([sine(8000, 5, 900)], 8000, 16));
  await program.run(["import", folder, "--email", ana.email]);
  rmSync(folder, { recursive: true });
  await program.run(["account", "reset-link", "--email", ana.email]);
  await untilSettled();
  await api(ana, "POST", `/tracks/${ana.trackId}/keep-apart`, { trackId: ana.otherId });
  await app(ana, "POST", "/tracks/bulk", { where: { ids: [ana.otherId] }, do: { visible: false } });
  for (const { accountId, otherId } of [ana, bo]) {
    const [share] = read<{ id: string }>("SELECT id FROM shares WHERE entity_id = ?", otherId);
    plantSetAndDelivery(accountId);
    plantRights(accountId);
    plantMails(program.dataDir, { accountId, shareId: share?.id ?? "", trackId: otherId });
  }
  searchable = { ana: await found(ana, "anything"), bo: await found(bo, "anything") };
  before = countRows();
  transferred = await transfer(ana.email, ` ${bo.email.toUpperCase()}`);
  after = countRows();
});
afterAll(() => program.close());

describe("account transfer beside a running server", () => {
  test("reports what was transferred", () => {
    expect([transferred.code, transferred.rows]).toEqual([
      0,
      [
        {
          email: ana.email,
          to: bo.email,
          tracks: 5,
          playlists: 1,
          briefs: 1,
          composers: 1,
          composersMerged: 1,
        },
      ],
    ]);
  });

  test("leaves no table out: every column that names an account is known to this test", () => {
    const known = [...Object.keys(GOES), ...STAYS, ...NEITHER];

    expect([...before.keys()].filter((column) => !known.includes(column))).toEqual([]);
  });

  test.each(Object.entries(GOES))("takes %s along (%s row)", (column, how) => {
    const [was, is] = [before.get(column) ?? NONE, after.get(column) ?? NONE];

    expect(was.ana).toBeGreaterThan(0);
    if (!COUNTS.includes(column)) expect(is.ana).toBe(0);
    if (how === "each") expect(is.bo).toBe(was.ana + was.bo);
    else expect(is.bo).toBeGreaterThanOrEqual(was.bo);
  });

  test("leaves each account its sign-ins and its history", () => {
    const columns = STAYS.filter((column) => before.has(column) && !column.startsWith("audit_log"));

    // Records of use are written a moment later, so there may be more.
    for (const column of columns)
      for (const who of ["ana", "bo"] as const)
        expect([column, (after.get(column) ?? NONE)[who] >= (before.get(column) ?? NONE)[who]]).toEqual([
          column,
          true,
        ]);
    for (const column of ["api_keys.account_id", "sessions.account_id", "oauth_grants.account_id"])
      expect([column, after.get(column)?.ana]).not.toEqual([column, 0]);
  });

  test("lets nobody be written to by the receiver who wanted no mail of the giver", () => {
    const stops = "SELECT email FROM mail_stops WHERE account_id = ? ORDER BY email";
    const own = (tenant: Tenant) => ({ email: `other.${tenant.otherId}@example.com` });

    expect(read<{ email: string }>(stops, ana.accountId)).toEqual([own(ana)]);
    expect(read<{ email: string }>(stops, bo.accountId)).toEqual(
      [own(ana), own(bo)].sort((a, b) => (a.email < b.email ? -1 : 1)),
    );
  });

  test("gives the tracks to the receiver, and lets them be found there and no longer by the giver", async () => {
    const [none, all] = [await found(ana, "anything"), await found(bo, "anything")];

    expect(none).toEqual([]);
    expect(all.toSorted()).toEqual([...searchable.ana, ...searchable.bo].toSorted());
    expect(await found(bo, "harbour")).toContain(ana.trackId);
    expect((await found(bo, "roughts")).slice(0, 2)).toContain(ana.trackId);
    expect((await found(bo, "louder hear")).slice(0, 2)).toContain(ana.trackId);
    expect((await api(ana, "GET", "/tracks/count")).count).toBe(0);
    expect((await api(bo, "GET", "/tracks/count")).count).toBe(6);
  });

  test("keeps totals and tags right for both", () => {
    const totals = (id: string) =>
      read<{ tracks: number; duration_ms: number }>(
        "SELECT tracks, duration_ms FROM library_totals WHERE owner_id = ?",
        id,
      );
    const counted = read<{ tracks: number; duration_ms: number }>(
      `SELECT count(*) AS tracks, sum(CAST(round(ifnull(duration_sec, 0) * 1000) AS INTEGER)) AS duration_ms
       FROM tracks WHERE owner_id = ? AND deleted_at IS NULL`,
      bo.accountId,
    );
    const tags = (sql: string, id: string) => read(`${sql} ORDER BY 1, 2`, id);

    expect(totals(ana.accountId)).toEqual([{ tracks: 0, duration_ms: 0 }]);
    expect(totals(bo.accountId)).toEqual(counted);
    expect(
      tags("SELECT tag_id, tracks FROM library_tags WHERE owner_id = ? AND tracks > 0", ana.accountId),
    ).toEqual([]);
    expect(
      tags("SELECT tag_id, tracks FROM library_tags WHERE owner_id = ? AND tracks > 0", bo.accountId),
    ).toEqual(
      tags(
        `SELECT g.tag_id, count(*) AS tracks FROM track_tags g JOIN tracks t ON t.id = g.track_id
         WHERE t.owner_id = ? AND t.deleted_at IS NULL AND g.category IN ('genres', 'moods') GROUP BY 1`,
        bo.accountId,
      ),
    );
  });

  test("keeps every public link, and what it leads to", async () => {
    const statuses = [];
    for (const url of [ana.openShareUrl, ana.publicLink, ana.shareUrl, ana.brief.publicUrl, ana.downloadUrl])
      statuses.push((await fetch(url)).status);

    expect(statuses).toEqual([200, 200, 200, 200, 200]);
    expect((await app(bo, "GET", "/shares")).length).toBeGreaterThan(3);
    expect(await app(ana, "GET", "/shares")).toEqual([]);
  });

  test("makes one composer of the two with the same address, and says what differed", async () => {
    const [ada, ...others] = await api(bo, "GET", "/composers");

    expect([ada.email, others]).toEqual(["ada@example.com", []]);
    expect(transferred.stderr).toContain(
      "ada@example.com is one composer now: publisher is Songs, and no longer Harbour Music",
    );
    const shares = read("SELECT track_id FROM track_shareholders WHERE composer_id = ?", ada.id);
    expect(shares.length).toBe(2);
  });

  test("keeps both copies of a song that both had, and knows that they are the same", async () => {
    const { groups } = await api(bo, "GET", "/tracks/duplicates");
    const pairs = read<{ n: number }>(
      "SELECT count(*) AS n FROM recordings WHERE owner_id = ?",
      bo.accountId,
    );

    expect(JSON.stringify(groups)).toContain(ana.trackId);
    expect(JSON.stringify(groups)).toContain(bo.trackId);
    expect(pairs[0]?.n).toBeLessThan((before.get("recordings.owner_id")?.ana ?? 0) * 2);
  });

  test("counts no play twice, and loses none", () => {
    const broken = read(
      `SELECT s.ref FROM activity_series s
       WHERE (SELECT count(*) FROM activity a WHERE a.series_ref = s.ref AND a.left_out IS NULL) <>
         (SELECT ifnull(sum(count), 0) FROM activity_days d WHERE d.series_ref = s.ref)`,
    );
    const strays = read(
      `SELECT a.seq FROM activity a JOIN activity_series s ON s.ref = a.series_ref
       JOIN activity_entities e ON e.ref = a.entity_ref WHERE s.owner_id <> e.owner_id`,
    );

    expect([broken, strays]).toEqual([[], []]);
  });

  test("brings a track out of the bin to its new owner", async () => {
    const [binned] = await app(bo, "GET", "/tracks/deleted");
    await app(bo, "POST", `/tracks/${binned.id}/restore`);

    expect((await api(bo, "GET", "/tracks/count")).count).toBe(7);
    expect(await app(ana, "GET", "/tracks/deleted")).toEqual([]);
  });

  test("still lets both sign in, with their own keys", async () => {
    expect((await app(ana, "GET", "/shares")).length).toBe(0);
    expect((await program.run(["key", "list", "--email", ana.email])).rows.length).toBe(1);
    expect((await program.run(["key", "list", "--email", bo.email])).rows.length).toBe(1);
  });

  test("leaves a sound library, and is in the audit log", async () => {
    const checked = await program.run(["verify"]);
    const audited = read<{ subject: string; detail: string }>(
      "SELECT subject, detail FROM audit_log WHERE action = 'account.transfer'",
    );

    expect([checked.code, checked.rows.filter(({ kind }) => kind)]).toEqual([0, []]);
    expect(audited.map(({ subject }) => subject)).toEqual([ana.accountId]);
    expect(JSON.parse(audited[0]?.detail ?? "")).toMatchObject({ to: bo.accountId, tracks: 5 });
  });

  test("can be repeated for newer tracks, and reversed", async () => {
    await uploadSine(ana, 700);
    const again = await transfer(ana.email, bo.email);
    const back = await transfer(bo.email, ana.email);

    expect([again.rows[0]?.tracks, back.rows[0]?.tracks]).toEqual([1, 8]);
    await untilSettled();
    expect((await found(ana, "anything")).length).toBe(8);
    expect(await found(bo, "anything")).toEqual([]);
  });
});

describe("account transfer refuses", () => {
  test.each([
    ["an account and itself", () => [ana.email, ana.email], "An account cannot be transferred to itself"],
    [
      "an unknown giver",
      () => ["x@example.com", bo.email],
      "There is no account with the e-mail address x@example.com",
    ],
    [
      "an unknown receiver",
      () => [ana.email, "y@example.com"],
      "There is no account with the e-mail address y@example.com",
    ],
  ] as const)("a transfer is refused for %s", async (_, accounts, sentence) => {
    const [from = "", to = ""] = accounts();
    const refused = await transfer(from, to);

    expect([refused.code, refused.rows, refused.stderr]).toEqual([1, [], `${sentence}\n`]);
  });

  test("a disabled account can give its library, but not receive one", async () => {
    await program.run(["account", "disable", "--email", bo.email]);
    const refused = await transfer(ana.email, bo.email);
    const taken = await transfer(bo.email, ana.email);
    await program.run(["account", "enable", "--email", bo.email]);

    expect([refused.code, taken.code]).toEqual([1, 0]);
    expect(refused.stderr).toBe(`The account ${bo.email} is disabled: run account enable first\n`);
  });

  test("a command line without a receiver is refused", async () => {
    const refused = await program.run(["account", "transfer", "--email", ana.email]);

    expect([refused.code, refused.stderr]).toEqual([
      2,
      "usage: dubplate account transfer --email E --to E2 [--library ID] [--to-library ID2]\n",
    ]);
  });
});
