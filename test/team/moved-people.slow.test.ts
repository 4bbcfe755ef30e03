import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cpSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ACCOUNT_COLUMNS } from "../../db/account-columns.ts";
import { sha256 } from "../../src/kernel/secrets.ts";
import type { Json } from "../support/app.ts";
import { createProgram } from "../support/process.ts";
import { PROGRAM } from "../support/program-command.ts";
import { call, createTenant, fillLibrary, type Tenant } from "../support/tenant.ts";

/** Commands are run from another folder than the program's. */
const WAY_IN = { command: PROGRAM, cwd: tmpdir() };
const SETTINGS = { RATE_LIMIT: "0", NETWORK_ALLOW: "127.0.0.1:9" };
const [one, two, three] = [
  createProgram(SETTINGS, WAY_IN),
  createProgram(SETTINGS, WAY_IN),
  createProgram(SETTINGS, WAY_IN),
];
const folder = join(one.dataDir, "export");
const MEMBERS = 10;
const ROLES = ["manager", "producer", "artist", "listener"] as const;

const numbered = (prefix: string, n: number) => `${prefix}_${n.toString(16).padStart(32, "0")}`;
const personOf = (n: number) => numbered("usr", n);
const addressOf = (n: number) => `member${n}@example.com`;
/** Members 3 and 4 are somebody on the second server: by the address, and by the id. Member 9 is a guest of a room. */
const [BY_ADDRESS, BY_ID, GUEST] = [3, 4, 9];
const tokenOf = (n: number) => `session-of-member-${n}`;

let ana: Tenant;
let to: string;
let exported: Awaited<ReturnType<typeof one.run>>;
let imported: Awaited<ReturnType<typeof two.run>>;
let library: Json;
/** Who was on the second server before. */
let known: string[];
let namedBefore: Record<string, number>;

function withDatabase<Result>(path: string, work: (client: Database) => Result): Result {
  const client = new Database(path);
  try {
    client.run("PRAGMA busy_timeout = 10000");
    return work(client);
  } finally {
    client.close();
  }
}

const databaseOf = ({ dataDir }: { dataDir: string }) => join(dataDir, "dubplate.db");

const rowsIn = <Row>(program: { dataDir: string }, sql: string, ...values: string[]): Row[] =>
  withDatabase(databaseOf(program), (client) => client.query<Row, string[]>(sql).all(...values));

/** Everything that names a person, once for each member. */
const OF_A_MEMBER: readonly string[] = [
  `INSERT INTO people (id, email, name, password_hash, created_at)
     SELECT $person, $email, 'Member ' || $n, password_hash, 1 FROM people WHERE id = $account`,
  `INSERT INTO members (id, account_id, person_id, role, reach, added_by, joined_at, seen_at)
     VALUES ($member, $account, $person, $role, $reach, $other, $n, 1)`,
  `INSERT INTO passkeys VALUES ('cred' || $n, $person, x'00', 1, '["internal"]', 'Laptop', 1, 1, 1)`,
  "INSERT INTO account_visits VALUES ($account, $person, 1, 2)",
  "INSERT INTO players VALUES (replace($key, 'key', 'plr'), $account, $person, 'Car', 'car-' || $n, $token, x'', 'small', NULL, 1, NULL, NULL)",
  `INSERT INTO sessions (id, person_id, account_id, token_hash, created_at, last_used_at, absolute_expires_at)
     VALUES ('ses_' || $n, $person, $account, $token, $now, $now, $now + 1000000)`,
  `INSERT INTO api_keys (id, account_id, name, secret_hash, secret_copy, created_at, made_by)
     VALUES ($key, $account, 'Key ' || $n, $token, x'', 1, $person)`,
  `INSERT INTO oauth_grants (id, account_id, client_id, client_name, redirect_uri, resource, scopes, created_at,
     last_used_at, expires_at, person_id)
     SELECT 'grt_m' || $n, account_id, client_id, 'Program ' || $n, redirect_uri, resource, scopes, created_at,
       last_used_at, expires_at, $person FROM oauth_grants WHERE id NOT LIKE 'grt_m%' LIMIT 1`,
  "UPDATE playlists SET made_by = $person",
  `INSERT INTO room_members SELECT id, $member, 'artist', 1, 0, $other, 1 FROM playlists
     WHERE $reach = 'rooms' AND owner_id = $account ORDER BY id LIMIT 1`,
  `INSERT INTO invitations (id, account_id, email, role, made_by, token_hash, created_at, expires_at)
     VALUES ($invitation, $account, 'asked' || $n || '@example.com', 'artist', $person, $token, 1, $now + 1000000)`,
  "UPDATE versions SET made_by = $person",
  "INSERT OR REPLACE INTO track_edits SELECT id, 'title', $person, NULL, 1 FROM tracks WHERE owner_id = $account",
  "UPDATE shares SET made_by = $person",
  `INSERT INTO comments (id, track_id, author_id, author_name, text, created_at, resolved_at, resolved_by, resolved_name)
     SELECT 'cmt_m' || $n, id, $person, 'Member ' || $n, 'Mine', 1, 2, $person, 'Member ' || $n FROM tracks
     WHERE owner_id = $account LIMIT 1`,
  `INSERT INTO reviews (id, track_id, version_id, person_id, name, state, at)
     SELECT 'rev_m' || $n, id, active_version_id, $person, 'Member ' || $n, 'approved', 1 FROM tracks
     WHERE owner_id = $account LIMIT 1`,
  "UPDATE briefs SET made_by = $person",
  `INSERT INTO listens SELECT 'heard' || $n, $account, $person, id, active_version_id, 1, NULL, 'player', 'plr_1' FROM tracks
     WHERE owner_id = $account LIMIT 1`,
  `INSERT INTO saves SELECT $person, 'track', id, $account, 1 FROM tracks WHERE owner_id = $account LIMIT 1`,
  `INSERT INTO searches SELECT 'srch_m' || $n, account_id, key_id, query, request, interpretation, result_ids, 0, 1, $person
     FROM searches WHERE id NOT LIKE 'srch_m%' LIMIT 1`,
  `INSERT INTO notifications (id, account_id, kind, title, entity_key, entity_id, created_at, made_by, person_id)
     SELECT 'ntf_m' || $n, $account, 'brief.submission', 'For one', 'brief', id, 1, $person, $person FROM briefs LIMIT 1`,
  "INSERT INTO notification_reads SELECT $person, id, 1 FROM notifications WHERE account_id = $account AND person_id IS NULL",
  `INSERT INTO mails (id, account_id, kind, dedupe, to_email, subject, made_by, state, created_at, ended_at)
     VALUES ('mail_' || printf('%032d', $n), $account, 'digest', 'digest ' || $person, $email, 'Yours', $person, 'sent', 1, 2)`,
  `INSERT INTO supply_requests (id, owner_id, composer_id, made_by, created_at, expires_at)
     SELECT 'sup_m' || $n, $account, id, $person, 1, $now + 1000000 FROM composers WHERE owner_id = $account LIMIT 1`,
  `INSERT INTO delivery_packages (id, owner_id, profile, name, settings, manifest, bytes, sha256, made_by, made_at)
     VALUES ('pkg_' || printf('%032d', $n), $account, 'store', 'N',
       '{"where":{"ids":["trk_1"]},"options":{},"way":"zip","versions":[["trk_1","ver_1"]]}', '{}', 1, '${"0".repeat(64)}', $person, 1)`,
  `INSERT INTO mail_wishes VALUES ($person, $account, 'daily', '["answers"]', 1)`,
  `INSERT INTO assistant_calls (id, account_id, key_id, client, tool, arguments, outcome, is_rehearsal, changes, duration_ms,
     at, person_id) VALUES ('call_m' || $n, $account, $key, 'c', 't', '{}', 'ok', 0, '[]', 1, 1, $person)`,
  `INSERT INTO audit_log (id, at, actor, action, subject, account_id, person_id)
     VALUES ('aud_m' || $n, 1, $person, 'member.change', $person, $account, $person)`,
];

function addMember(client: Database, accountId: string, n: number): void {
  const values = {
    $n: n,
    $account: accountId,
    $person: personOf(n),
    $other: personOf((n % MEMBERS) + 1),
    $email: addressOf(n),
    $member: numbered("mem", n),
    $key: numbered("key", n),
    $invitation: numbered("inv", n),
    $role: ROLES[n % ROLES.length] ?? "artist",
    $reach: n === GUEST ? "rooms" : "library",
    $token: sha256(tokenOf(n)),
    $now: Date.now(),
  };
  for (const sql of OF_A_MEMBER) {
    const names = Object.entries(values).filter(([name]) => new RegExp(`\\${name}\\b`).test(sql));
    client.query(sql).run(Object.fromEntries(names));
  }
}

/** Returns how often each column of a database holds one of the ids, in text too: whatever is about those people. */
function naming(program: { dataDir: string }, ids: readonly string[]): Record<string, number> {
  return withDatabase(databaseOf(program), (client) => {
    const columns = client
      .query<{ table: string; name: string }, []>(
        `SELECT t.name AS "table", c.name FROM sqlite_schema t, pragma_table_info(t.name) c
         WHERE t.type = 'table' AND t.sql NOT LIKE 'CREATE VIRTUAL%' AND c.type = 'TEXT'`,
      )
      .all();
    const found: Record<string, number> = {};
    for (const { table, name } of columns)
      for (const id of ids) {
        const n = client
          .query<{ n: number }, [string]>(
            `SELECT count(*) AS n FROM "${table}" WHERE instr("${name}", ?1) > 0`,
          )
          .get(id)?.n;
        if (n) found[`${table}.${name} ${id}`] = n;
      }
    return found;
  });
}

const PERSON = "^usr_[\\w-]{1,100}$";
/** Columns of an export that name a person. */
const PERSON_COLUMNS = [
  ...Object.entries(ACCOUNT_COLUMNS).flatMap(([table, rules]) =>
    Object.entries(rules)
      .filter(([, rule]) => rule.is === "text" && rule.pattern?.source === PERSON)
      .map(([column]) => [table, column] as const),
  ),
  ["audit_log", "actor"] as const,
  ["audit_log", "subject"] as const,
];

/** A person who is on the other server already, in a library of their own. */
async function settle(program: typeof two, email: string): Promise<string> {
  const made = await program.run([
    ...["account", "create", "--email", email, "--name", "Here", "--password", "my own password"],
  ]);
  return String(made.rows[0]?.id);
}

beforeAll(async () => {
  const from = (await one.serve()).address;
  ana = await createTenant(one, from, { email: "ana@example.com", hookUrl: "http://127.0.0.1:9/" });
  const bo = await createTenant(one, from, { email: "bo@example.com", hookUrl: "http://127.0.0.1:9/" });
  await fillLibrary(from, ana, bo);
  withDatabase(databaseOf(one), (client) =>
    client.transaction(() => {
      for (let n = 1; n <= MEMBERS; n++) addMember(client, ana.accountId, n);
    })(),
  );
  to = (await two.serve()).address;
  await settle(two, "operator@example.com");
  known = [await settle(two, addressOf(BY_ADDRESS)), personOf(BY_ID)];
  const here = await settle(two, "other@example.com");
  withDatabase(databaseOf(two), (client) => {
    client.run("PRAGMA foreign_keys = OFF");
    client.run("UPDATE people SET id = ? WHERE id = ?", [personOf(BY_ID), here]);
    client.run("UPDATE members SET person_id = ? WHERE person_id = ?", [personOf(BY_ID), here]);
  });
  namedBefore = naming(two, known);
  exported = await one.run(["account", "export", "--email", ana.email, folder, "--move"]);
  library = JSON.parse(readFileSync(join(folder, "library.json"), "utf8"));
  imported = await two.run(["import", "--export", folder]);
});
afterAll(() => Promise.all([one.close(), two.close(), three.close()]));

describe("an export of a library with ten members beside its owner", () => {
  test("lists who is in it and who was invited, without a secret", () => {
    expect(exported.code).toBe(0);
    expect(library.members).toHaveLength(MEMBERS + 1);
    expect(library.members.find(({ name }: Json) => name === "Member 1")).toMatchObject({
      personId: personOf(1),
      email: addressOf(1),
      role: "producer",
    });
    expect(library.invitations).toHaveLength(MEMBERS);
    expect(library.invitations[0]).toMatchObject({ madeBy: { id: personOf(1), name: "Member 1" } });
    expect(JSON.stringify(library)).not.toMatch(/argon2|tokenHash|"token"/);
  });

  test.each(["keys", "programs", "links", "audit"])("says who made each of its %s", (list) => {
    const makers = library[list].map(({ madeBy }: Json) => madeBy);

    expect(makers).toContainEqual({ id: personOf(MEMBERS), name: `Member ${MEMBERS}` });
  });

  test("says that passkeys are bound to the host name, also when it is taken in", () => {
    for (const { stderr } of [exported, imported])
      expect(stderr).toContain("Passkeys work there only if PUBLIC_URL has the same host name");
  });
});

describe("a library with ten members, two of whom are somebody on the other server", () => {
  const count = (program: typeof one, sql: string) =>
    rowsIn<{ n: number }>(program, `SELECT count(*) AS n FROM ${sql}`, ana.accountId)[0]?.n ?? -1;

  test("arrives with as many people and open seats as there were people and invitations", () => {
    expect([imported.code, imported.rows[0]?.email]).toEqual([0, ana.email]);
    const members = "members WHERE account_id = ?";
    const invitations = "invitations WHERE account_id = ?";

    expect([count(one, members), count(two, members)]).toEqual([MEMBERS + 1, MEMBERS - 1]);
    expect([count(one, invitations), count(two, invitations)]).toEqual([MEMBERS, MEMBERS + 2]);
    const people = "passkeys WHERE person_id IN (SELECT person_id FROM members WHERE account_id = ?)";
    expect([count(one, people), count(two, people)]).toEqual([MEMBERS, MEMBERS - 2]);
    for (const n of [BY_ADDRESS, BY_ID])
      expect(imported.stderr).toContain(
        `Left out: “Member ${n}” (${addressOf(n)}) as a member: somebody here has that address or id. ` +
          "Their seat is open: invite them again\n",
      );
  });

  test("leaves a seat with the role, which no link opens", () => {
    const seats = rowsIn<Json>(
      two,
      "SELECT role, made_by, token_hash FROM invitations WHERE account_id = ? AND email IN (?, ?) ORDER BY email",
      ...[ana.accountId, addressOf(BY_ADDRESS), addressOf(BY_ID)],
    );

    expect(seats).toEqual([
      { role: ROLES[BY_ADDRESS % ROLES.length], made_by: null, token_hash: null },
      { role: ROLES[BY_ID % ROLES.length], made_by: null, token_hash: null },
    ]);
    const open = rowsIn(two, "SELECT id FROM invitations WHERE token_hash IS NOT NULL");
    expect(open).toEqual([]);
  });

  test("names nobody who was there before, in any column of any table", () => {
    expect(naming(two, known)).toEqual(namedBefore);
  });

  test("gives nobody a library: neither by the password of the export, nor by its session", async () => {
    const login = (email: string, password: string) =>
      fetch(`${to}/auth/login`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ email, password }),
      });
    const foreign = await login(addressOf(BY_ADDRESS), ana.password);
    const own: Json = await (await login(addressOf(BY_ADDRESS), "my own password")).json();
    const libraries: Json = await call(to, "GET", "/auth/session", undefined, {
      authorization: `Bearer ${own.data.token}`,
    });
    const sessions = await Promise.all(
      [BY_ADDRESS, BY_ID, 1].map(async (n) => {
        const headers = { authorization: `Bearer ${tokenOf(n)}` };
        return (await fetch(`${to}/auth/session`, { headers })).status;
      }),
    );

    expect(foreign.status).toBe(401);
    expect(libraries.data.libraries ?? []).not.toContainEqual(expect.objectContaining({ id: ana.accountId }));
    expect(sessions).toEqual([401, 401, 200]);
  });

  test("has no key or program whose maker did not come along, and the others of every member", () => {
    const made = rowsIn<{ by: string }>(
      two,
      "SELECT made_by AS by FROM api_keys WHERE name LIKE 'Key %' UNION ALL SELECT person_id FROM oauth_grants WHERE id LIKE 'grt_m%'",
    );

    expect(made).toHaveLength(2 * (MEMBERS - 2));
    expect(imported.stderr).toContain(
      `Left out: the key “Key ${BY_ID}” (${numbered("key", BY_ID)}): whoever made it is not a member here`,
    );
  });

  test("keeps what was for one person from everybody else", () => {
    const forOne = rowsIn<{ id: string }>(two, "SELECT id FROM notifications WHERE id LIKE 'ntf_m%'");

    expect(forOne).toHaveLength(MEMBERS - 2);
  });

  test("leaves the server sound", async () => {
    expect((await two.run(["verify"])).code).toBe(0);
  });
});

test("an export in which a member calls themselves somebody of the other server, wherever it names people, attaches nothing", async () => {
  const victim = await settle(three, "victim@example.com");
  const dir = join(three.dataDir, "hostile");
  cpSync(folder, dir, { recursive: true });
  withDatabase(join(dir, "account.db"), (client) => {
    client.run("PRAGMA foreign_keys = OFF");
    for (const { name } of client
      .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'trigger'")
      .all())
      client.run(`DROP TRIGGER "${name}"`);
    for (const [table, column] of PERSON_COLUMNS) {
      const { changes } = client
        .query(`UPDATE ${table} SET ${column} = ?1 WHERE ${column} = ?2`)
        .run(victim, personOf(MEMBERS));
      if (changes === 0 && `${table}.${column}` !== "invitations.accepted_by")
        throw new Error(`The export has nobody in ${table}.${column}`);
    }
    // Addresses differ by their letters alone.
    client.run("UPDATE people SET email = 'victim@example.com' WHERE id = ?", [personOf(1)]);
    client.run(`UPDATE audit_log SET detail = '{"name":"N","endsAt":1e300}', action = 'team.change'`);
    client.run("UPDATE members SET reach = 'rooms', ends_at = 1 WHERE role = 'owner'");
  });
  const before = naming(three, [victim]);

  const taken = await three.run(["import", "--export", dir]);

  expect([taken.code, taken.stderr.match(/as a member/g)?.length]).toEqual([0, 2]);
  expect(naming(three, [victim])).toEqual(before);
  expect(
    rowsIn(
      three,
      "SELECT reach, ends_at AS endsAt FROM members WHERE role = 'owner' AND account_id = ?",
      ana.accountId,
    ),
  ).toEqual([{ reach: "library", endsAt: null }]);
});

describe("import --export refuses, and takes nothing in,", () => {
  const edited = async (sql: string, ...values: string[]) => {
    const dir = join(three.dataDir, `changed-${crypto.randomUUID()}`);
    cpSync(folder, dir, { recursive: true });
    withDatabase(join(dir, "account.db"), (client) => {
      client.run("PRAGMA foreign_keys = OFF");
      client.query(sql).run(...values);
    });
    const target = createProgram(SETTINGS, WAY_IN);
    try {
      await settle(target, "here@example.com");
      const { code, stderr } = await target.run(["import", "--export", dir]);
      return { code, stderr, people: rowsIn(target, "SELECT id FROM people").length };
    } finally {
      await target.close();
    }
  };

  test.each([
    [
      "an address in capital letters",
      "UPDATE people SET email = 'HERE@example.com' WHERE email LIKE 'member1@%'",
    ],
    ["an address with a blank", "UPDATE people SET email = 'here@example.com ' WHERE email LIKE 'member1@%'"],
  ])("%s, which would be another one than somebody's here", async (_, sql) => {
    const { code, stderr, people } = await edited(sql);

    expect([code, people]).toEqual([1, 1]);
    expect(stderr).toContain("people.email is not of its form");
  });
});
