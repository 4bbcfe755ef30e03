import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MOVED_TABLES } from "../../db/account-rows.ts";
import { openDb, openReadOnly } from "../../db/client.ts";
import { readSecret } from "../../src/backup/verify-secrets.ts";
import { seal, secretsOf } from "../../src/kernel/secrets.ts";
import { copyOfLink, findMarkKey, listCopies } from "../../src/modules/sharing/marks/service.ts";
import type { Json } from "../support/app.ts";
import { plantMails } from "../support/planted-mails.ts";
import { createProgram } from "../support/process.ts";
import { PROGRAM } from "../support/program-command.ts";
import { call, createTenant, fillLibrary, type Tenant } from "../support/tenant.ts";

/** Programs that signed in are bound to the address of the tools, which both have behind a proxy. */
const SETTINGS = { RATE_LIMIT: "0", NETWORK_ALLOW: "127.0.0.1:9", MCP_BASE: "http://ana.example.com" };
const [one, two] = [createProgram(SETTINGS), createProgram(SETTINGS)];
const folder = join(one.dataDir, "export");
let [from, to] = ["", ""];
let ana: Tenant;
let bo: Tenant;
let cy: Tenant;
let binned: string;
let exported: Awaited<ReturnType<typeof one.run>>;
let imported: Awaited<ReturnType<typeof two.run>>;
let before: Json;

/** What stays where it was: it belongs to the server, is made again, or names what did not come along. */
const STAYS: readonly string[] = [
  "account_changes",
  "album_arrivals",
  "assistant_calls.undo_id",
  "email_changes",
  "events",
  "heard_places",
  "idempotency_keys",
  "identities",
  "jobs",
  "kinship_comparisons",
  "ledger_entries",
  "ledger_erasures",
  "ledger_heads",
  "ledger_logs",
  "ledger_nodes",
  "ledger_openings",
  "ledger_pending",
  "oauth_codes",
  "oauth_requests",
  "owner_uploads",
  "password_resets",
  "pocket_sent",
  "pockets",
  "recovery_codes",
  "search_changes",
  "search_snapshots",
  "sign_in_flows",
  "submission_uploads",
  "undo_steps",
  "undos",
  "webhook_attempts",
  "webhook_deliveries",
  "webhook_receivers",
];
/** Written by triggers from rows that come along. */
const DERIVED: readonly string[] = [
  "library_names",
  "library_tags",
  "library_totals",
  "recording_codes",
  "track_rows",
];
const OF_THE_SERVER: readonly string[] = [
  "account_changes_floor",
  "bucket_removals",
  "mail_stop_key",
  "removal_holds",
  "renditions",
  "store",
  "vector_fill",
  "vector_spaces",
  "webhook_cursor",
];

function read<Row>(dataDir: string, sql: string, ...values: string[]): Row[] {
  const db = openReadOnly(join(dataDir, "dubplate.db"));
  try {
    return db.$client.query<Row, string[]>(sql).all(...values);
  } finally {
    db.$client.close();
  }
}

/** What an export has, so that an import can say that it left it out. */
const LEFT_OUT: readonly string[] = ["operator", "webhook_active"];

/** Returns the tables in which a library without other accounts differs from the export's rows. */
function differences(dataDir: string): string[] {
  const rowsOf = (path: string, table: string) => {
    const db = openReadOnly(path);
    try {
      return db.$client
        .query(`SELECT * FROM "${table}"`)
        .all()
        .map((row) => JSON.stringify(row, (name, value) => (LEFT_OUT.includes(name) ? 0 : value)))
        .sort();
    } finally {
      db.$client.close();
    }
  };
  // Keys of marks are sealed in a library, and open in an export.
  const tables = [...MOVED_TABLES, ...DERIVED].filter(
    (table) => table !== "audit_log" && table !== "mark_keys",
  );
  return tables.filter(
    (table) =>
      !Bun.deepEquals(rowsOf(join(folder, "account.db"), table), rowsOf(join(dataDir, "dubplate.db"), table)),
  );
}

/** What an account can read of itself, with each address as a path. */
async function lookAt(address: string, { byKey, session, trackId }: Tenant): Promise<Json> {
  const seen: Record<string, unknown> = {};
  for (const [path, headers] of [
    ["/api/v1/tracks?limit=100", byKey],
    [`/api/v1/tracks/single?id=${trackId}`, byKey],
    ["/api/v1/tracks/duplicates", byKey],
    ["/api/v1/playlists", byKey],
    ["/app/shares", session],
    ["/app/briefs", session],
    ["/app/tracks/deleted", session],
  ] as const)
    seen[path] = JSON.parse(
      JSON.stringify(await call(address, "GET", path, undefined, headers)).replaceAll(address, ""),
    );
  return seen;
}

/** The id of the link to the other track, which anyone may open. */
const shareOf = ({ otherId }: Tenant): string =>
  read<{ id: string }>(one.dataDir, "SELECT id FROM shares WHERE entity_id = ?", otherId)[0]?.id ?? "";

const MARK_KEY = Buffer.alloc(32, 7);
const markSecrets = (dataDir: string) => secretsOf(readSecret(dataDir) ?? Buffer.alloc(0));

/** Gives the other track a marked copy, as a link for somebody makes it. */
function plantMark(dataDir: string, { accountId, otherId }: Tenant): void {
  const db = openDb(join(dataDir, "dubplate.db"));
  const versionId = db.$client
    .query<{ id: string }, [string]>("SELECT active_version_id AS id FROM tracks WHERE id = ?")
    .get(otherId)?.id;
  if (!versionId) throw new Error("The track has a version");
  const key = seal(markSecrets(dataDir)("marks"), MARK_KEY.toString("base64"), `mark ${versionId}`);
  db.$client
    .query("INSERT INTO mark_keys (account_id, version_id, key) VALUES (?, ?, ?)")
    .run(accountId, versionId, key);
  const copy = { accountId, shareId: "lnk_gone", versionId, trackId: otherId, recipient: "Bo" };
  copyOfLink(db, { ...copy, kind: "download" }, 1);
  db.$client.close();
}

async function untilAnalysed(): Promise<void> {
  for (;;) {
    const waiting = read<{ n: number }>(
      one.dataDir,
      "SELECT count(*) AS n FROM jobs WHERE state <> 'dead' AND name IN ('analyze', 'learn-tags')",
    );
    if (waiting[0]?.n === 0) return;
    await Bun.sleep(50);
  }
}

beforeAll(async () => {
  [from, to] = await Promise.all([one.serve(), two.serve()]).then(([a, b]) => [a.address, b.address]);
  const hookUrl = "http://127.0.0.1:9/";
  ana = await createTenant(one, from, { email: "ana@example.com", hookUrl });
  bo = await createTenant(one, from, { email: "bo@example.com", hookUrl });
  cy = await createTenant(two, to, { email: "cy@example.com", hookUrl });
  await fillLibrary(from, ana, bo);
  const form = new FormData();
  form.append("files", new File([readFileSync(join(import.meta.dir, "../fixtures/tone.wav"))], "old.wav"));
  binned = (await call(from, "POST", "/api/v1/tracks/upload", form, ana.byKey)).data.uploaded[0].id;
  await call(from, "POST", "/api/v1/playlists", { name: "Both", trackIds: [ana.trackId, binned] }, ana.byKey);
  await call(from, "DELETE", `/app/tracks/${binned}`, undefined, ana.session);
  await untilAnalysed();
  plantMark(one.dataDir, ana);
  plantMails(one.dataDir, { accountId: ana.accountId, shareId: shareOf(ana), trackId: ana.otherId });
  before = await lookAt(from, ana);
  exported = await one.run(["account", "export", "--email", ana.email, folder, "--move"]);
  imported = await two.run(["import", "--export", folder]);
});
afterAll(() => Promise.all([one.close(), two.close()]));

describe("an account moves to another Dubplate, beside both servers", () => {
  test("is exported with its rows, and taken in with all its files", () => {
    const cancelled = "Cancelled a mail that was waiting: send it again from the new server\n";
    expect([exported.code, exported.stderr]).toEqual([0, cancelled]);
    expect([imported.code, imported.stderr]).toEqual([
      0,
      "Left out: the rights of the operator\n" +
        `Left out: the signing secret of the webhook of the key “all” (${ana.keyId}): it is off until it is set again\n` +
        cancelled,
    ]);
    expect(imported.rows).toEqual([
      {
        accountId: ana.accountId,
        email: ana.email,
        isNew: true,
        tracks: 3,
        files: 4, // the others have the bytes of one that is there already
        bytes: expect.any(Number),
      },
    ]);
    expect(statSync(join(folder, "account.db")).mode & 0o777).toBe(0o600);
  });

  test("arrives whole: tracks, versions, tags, links, playlists, comments, briefs, the bin", async () => {
    expect(await lookAt(to, ana)).toEqual(before);
  });

  test("plays the same bytes", async () => {
    const hashes = async (address: string) => {
      const { data } = await call(
        address,
        "GET",
        `/api/v1/tracks/${ana.trackId}/versions`,
        undefined,
        ana.byKey,
      );
      const files = data.versions.map(async ({ downloadUrl }: Json) => {
        const { pathname, search } = new URL(downloadUrl);
        const bytes = await (await fetch(`${address}${pathname}${search}`)).arrayBuffer();
        return new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
      });
      return Promise.all(files);
    };

    expect(await hashes(to)).toEqual(await hashes(from));
  });

  test("shows the same covers, and has the files that they were drawn from", () => {
    const names = readdirSync(join(two.dataDir, "artwork-originals"));
    const bytesIn = (dataDir: string) =>
      names.map((name) => readFileSync(join(dataDir, "artwork-originals", name)).toString("base64"));

    expect(names).toHaveLength(1);
    expect(bytesIn(two.dataDir)).toEqual(bytesIn(one.dataDir));
  });

  test("says what was answered, what became of its mails, and who wants none: nothing goes twice", () => {
    const sql = `SELECT kind, dedupe, state, answer, body FROM mails WHERE account_id = ? ORDER BY seq`;
    const stops = "SELECT email, account_id AS accountId FROM mail_stops ORDER BY email";
    const share = shareOf(ana);
    const moved = "The library moved to another server";
    const reminder = {
      kind: "reminder",
      dedupe: `reminder ${share}`,
      state: "sent",
      answer: null,
      body: null,
    };

    expect(read<Json>(two.dataDir, sql, ana.accountId)).toEqual([
      {
        kind: "link",
        dedupe: expect.stringMatching(/^moved mail_/),
        state: "cancelled",
        answer: moved,
        body: null,
      },
      reminder,
    ]);
    expect(read<Json>(one.dataDir, sql, ana.accountId)).toEqual([
      {
        kind: "link",
        dedupe: expect.stringContaining(`link ${share} mail_`),
        state: "cancelled",
        answer: moved,
        body: null,
      },
      reminder,
    ]);
    // Whoever stopped all mail of the first server wants none of this library either.
    expect(read<Json>(two.dataDir, stops)).toEqual([
      { email: `other.${ana.otherId}@example.com`, accountId: ana.accountId },
      { email: "stopped@example.com", accountId: ana.accountId },
    ]);
    expect(read<Json>(two.dataDir, "SELECT share_id AS shareId, answer, text FROM share_answers")).toEqual([
      { shareId: share, answer: "interested", text: "Send stems?" },
    ]);
    expect(read<Json>(two.dataDir, "SELECT person_id AS id, every, kinds FROM mail_wishes")).toEqual([
      { id: ana.accountId, every: "weekly", kinds: '["answers"]' },
    ]);
  });

  test("reads leaks of what it gave away before: the other master secret opens its keys", () => {
    const db = openReadOnly(join(two.dataDir, "dubplate.db"));
    const [copy] = listCopies(db, ana.accountId);
    if (!copy) throw new Error("The copy has moved");

    expect(copy).toMatchObject({ trackId: ana.otherId, recipient: "Bo", shareId: "lnk_gone" });
    expect(copy.code).toHaveLength(16);
    expect(findMarkKey({ db, secrets: markSecrets(two.dataDir) }, copy)).toEqual(MARK_KEY);
    db.$client.close();
  });

  test("still lets its people in: by password, session, key and program", async () => {
    const { email, password, accessToken } = ana;
    const signedIn = await call(to, "POST", "/auth/login", { email, password });
    const refreshed = await fetch(`${to}/oauth/token`, {
      method: "POST",
      body: new URLSearchParams({
        grant_type: "refresh_token",
        client_id: ana.clientId,
        refresh_token: ana.refreshToken,
      }),
    });

    expect(signedIn.data.user.id).toBe(ana.accountId);
    expect([refreshed.status, typeof accessToken]).toEqual([200, "string"]);
  });

  test("opens its public links, also those with a password, and no others", async () => {
    const statusOf = async (url: string) => (await fetch(`${to}${new URL(url).pathname}`)).status;
    const { shareUrl, openShareUrl, publicLink, brief } = ana;

    expect(await Promise.all([shareUrl, openShareUrl, publicLink, brief.publicUrl].map(statusOf))).toEqual([
      200, 200, 200, 200,
    ]);
    expect(await statusOf(bo.openShareUrl)).toBe(404);
  });

  test("is searched by the words on its tracks and by their sound", async () => {
    const found = async (query: string) =>
      (await call(to, "POST", "/api/v1/tracks/search", { query }, ana.byKey)).data.results.map(
        ({ id }: Json) => id,
      );

    expect(await found("harbour")).toContain(ana.trackId);
    const copies = await call(to, "GET", "/api/v1/tracks/duplicates", undefined, ana.byKey);
    expect(copies.data).toEqual(before["/api/v1/tracks/duplicates"].data);
  });

  test("brings a track out of the bin, into its playlist too", async () => {
    await call(to, "POST", `/app/tracks/${binned}/restore`, undefined, ana.session);
    const places = read<{ n: number }>(
      two.dataDir,
      "SELECT count(*) AS n FROM playlist_tracks WHERE track_id = ?",
      binned,
    );

    expect(places[0]?.n).toBe(1);

    expect((await call(to, "GET", "/api/v1/tracks/count", undefined, ana.byKey)).data.count).toBe(3);
  });

  test("leaves behind what only the first server can open, and no privilege", () => {
    const [key] = read(
      two.dataDir,
      "SELECT secret_copy AS copy, webhook_secret AS secret, webhook_active AS active FROM api_keys WHERE id = ?",
      ana.keyId,
    );

    expect(key).toEqual({ copy: new Uint8Array(), secret: null, active: 0 });
    expect(read(two.dataDir, "SELECT operator FROM people WHERE id = ?", ana.accountId)).toEqual([
      { operator: 0 },
    ]);
  });

  test("leaves both libraries sound, and the other accounts alone", async () => {
    const checked = await Promise.all([one.run(["verify"]), two.run(["verify"])]);

    expect(checked.map(({ code }) => code)).toEqual([0, 0]);
    expect((await call(to, "GET", "/api/v1/tracks/count", undefined, cy.byKey)).data.count).toBe(2);
    expect((await call(from, "GET", "/api/v1/tracks/count", undefined, bo.byKey)).data.count).toBe(2);
  });

  test("takes nothing twice when it is repeated", async () => {
    const again = await two.run(["import", "--export", folder]);

    expect([again.code, again.rows[0]]).toMatchObject([0, { isNew: false, files: 0, bytes: 0 }]);
    expect(again.stderr).toBe(`${ana.email} is here already: its rows stay as they are\n`);
  });
});

test("every table of the database goes along, is derived, or stays, and this test knows which", () => {
  const tables = read<{ name: string }>(
    one.dataDir,
    `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite%'`,
  ).map(({ name }) => name);

  expect(
    [...MOVED_TABLES, ...DERIVED, ...STAYS.filter((each) => !each.includes(".")), ...OF_THE_SERVER].sort(),
  ).toEqual(
    tables.filter((name) => !/^(track_text|library_words|sound_vectors|passage_vectors)/.test(name)).sort(),
  );
});

/** Starts an import, and kills it as soon as something is to be seen in its data folder. */
async function importAndKill(dataDir: string, isSeen: () => boolean): Promise<void> {
  const child = Bun.spawn([...PROGRAM, "import", "--export", folder], {
    env: { PATH: process.env.PATH ?? "", HOME: dataDir, DATA_DIR: dataDir },
    stdio: ["ignore", "ignore", "ignore"],
  });
  while (child.exitCode === null && !isSeen()) await Bun.sleep(1);
  child.kill("SIGKILL");
  await child.exited;
}

describe("an import of an account that is killed", () => {
  test("is completed by the next one, nothing lost or doubled", async () => {
    const three = createProgram(SETTINGS);
    const { dataDir } = three;
    const count = (path: string) => readdirSync(join(dataDir, path), { recursive: true }).length;
    try {
      await three.run(["account", "list"]);
      for (const place of ["tmp", "audio", "artwork"])
        await importAndKill(dataDir, () => existsSync(join(dataDir, place)) && count(place) > 0);
      await importAndKill(dataDir, () => read(dataDir, "SELECT id FROM tracks").length > 0);
      const last = await three.run(["import", "--export", folder]);
      const checked = await three.run(["verify"]);

      expect([last.code, last.rows[0]?.tracks]).toEqual([0, 3]);
      expect([checked.code, checked.rows.filter(({ kind }) => kind)]).toEqual([0, []]);
      expect(differences(dataDir)).toEqual([]);
    } finally {
      await three.close();
    }
  });
});

describe("import --export refuses", () => {
  /** Runs an import of a changed copy of the export into a new library. */
  async function refusalOf(change: (dir: string) => void, into = createProgram(SETTINGS)) {
    const dir = join(into.dataDir, "../", `changed-${crypto.randomUUID()}`);
    cpSync(folder, dir, { recursive: true });
    change(dir);
    const result = await into.run(["import", "--export", dir]);
    rmSync(dir, { recursive: true });
    const accounts = await into.run(["account", "list"]);
    return { ...result, accounts: accounts.rows.map(({ email }) => email), dir, close: into.close };
  }

  test("an export for people is refused", async () => {
    const refused = await refusalOf((dir) => rmSync(join(dir, "account.db")));
    await refused.close();

    expect([refused.code, refused.accounts, refused.stderr]).toEqual([
      1,
      [],
      `${refused.dir} is an export for people: make one for another Dubplate with account export --move\n`,
    ]);
  });

  test("damaged and missing files are refused, and no row is taken in", async () => {
    const refused = await refusalOf((dir) => {
      rmSync(join(dir, "tracks/Dawn.mp3"));
      const folders = readdirSync(join(dir, "tracks")).filter((name) => !name.includes(".wav"));
      const path = join(dir, "tracks", folders[0] ?? "", "v1 tone.flac");
      writeFileSync(path, Buffer.from(readFileSync(path).map((byte) => byte ^ 1)));
    });
    await refused.close();

    expect([refused.code, refused.accounts]).toEqual([1, []]);
    expect(refused.stderr).toStartWith("Files of the export are missing or damaged (2, such as tracks/");
  });

  test("an address, or an id, that another account has is refused", async () => {
    const three = createProgram(SETTINGS);
    const create = ["account", "create", "--email", ana.email, "--name", "N", "--password", "long enough"];
    await three.run(create);
    const sameAddress = await refusalOf(() => undefined, three);
    await one.run(["account", "transfer", "--email", ana.email, "--to", bo.email]);
    // The operator would stay, and so would their address.
    await one.run(["account", "operator", "--email", bo.email]);
    const sameIds = await one
      .run(["account", "delete", "--email", ana.email, "--yes"])
      .then(() => one.run(["import", "--export", folder]));
    await three.close();

    expect([sameAddress.code, sameAddress.stderr]).toEqual([
      1,
      `Another account here has the address ${ana.email}: change it in one of the two places\n`,
    ]);
    expect([sameIds.code, sameIds.rows]).toEqual([1, []]);
    expect(sameIds.stderr).toMatch(/^Another account here has trk_\w+ already: nothing was taken in\n$/);
  });

  test("a command line that mixes both kinds of import is refused", async () => {
    const mixed = await two.run(["import", "--export", folder, "--email", cy.email]);

    expect([mixed.code, mixed.stderr]).toEqual([
      2,
      "usage: dubplate import PATH... --email E [--library ID] [--playlists]\n       dubplate import --export DIR\n",
    ]);
  });
});
