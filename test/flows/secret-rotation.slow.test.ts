import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openReadOnly } from "../../db/client.ts";
import { holdRemoval } from "../../src/blobs/removal.ts";
import { findStore } from "../../src/store/identity.ts";
import { plantMails, stopPathIn } from "../support/planted-mails.ts";
import { createProgram } from "../support/process.ts";
import { call, createTenant, fillLibrary, type Tenant, tryDoors } from "../support/tenant.ts";

/** What a webhook's receiver got. */
type Received = { headers: Record<string, string>; body: string };

const received: Received[] = [];
const arrivals: (() => void)[] = [];
const receiver = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: async (request) => {
    received.push({ headers: Object.fromEntries(request.headers), body: await request.text() });
    for (const tell of arrivals.splice(0)) tell();
    return new Response();
  },
});
const program = createProgram({ RATE_LIMIT: "0", NETWORK_ALLOW: `127.0.0.1:${receiver.port}` });
let server: Awaited<ReturnType<typeof program.serve>>;
let address: string;
let tenant: Tenant;
let sender: Tenant;
beforeAll(async () => {
  server = await program.serve();
  ({ address } = server);
  const hookUrl = `http://127.0.0.1:${receiver.port}/`;
  tenant = await createTenant(program, address, { email: "owner@example.com", hookUrl });
  sender = await createTenant(program, address, { email: "sender@example.com", hookUrl });
  await fillLibrary(address, tenant, sender);
  const { accountId, otherId } = tenant;
  const shareId = readLibrary((db) =>
    db.$client.query<{ id: string }, [string]>("SELECT id FROM shares WHERE entity_id = ?").get(otherId),
  )?.id;
  plantMails(program.dataDir, { accountId, shareId: shareId ?? "", trackId: otherId });
});
afterAll(async () => {
  await program.close();
  await receiver.stop(true);
});

const rotate = () => program.run(["secret", "rotate"]);
const fileIn = (name: string) => join(program.dataDir, name);
const secretNow = () => readFileSync(fileIn("master-secret")).toString("hex");
const findings = async () => (await program.run(["verify", "--quick"])).rows.filter(({ kind }) => kind);
const revealed = async () =>
  (await call(address, "GET", "/integration/api-keys", undefined, tenant.session)).data.key;
const secretOfHook = async () =>
  (await call(address, "GET", `/integration/api-keys/${tenant.keyId}/webhook`, undefined, tenant.session))
    .data.webhookSecret;

function readLibrary<Result>(read: (db: ReturnType<typeof openReadOnly>) => Result): Result {
  const db = openReadOnly(fileIn("dubplate.db"));
  try {
    return read(db);
  } finally {
    db.$client.close();
  }
}

const submitterHashes = () =>
  readLibrary((db) =>
    db.$client.query<{ submitter_hash: string }, []>("SELECT submitter_hash FROM brief_submissions").all(),
  ).map((row) => row.submitter_hash);

const ledgers = () =>
  readLibrary(
    (db) =>
      db.$client.query<{ count: number }, []>("SELECT count(*) AS count FROM ledger_logs").get()?.count ?? 0,
  );

/** Waits for a delivery of a kind of event to the receiver. */
async function delivered(type: string): Promise<Received> {
  for (;;) {
    const found = received.findLast(({ body }) => JSON.parse(body).type === type);
    if (found) return found;
    await new Promise<void>((resolve) => arrivals.push(resolve));
  }
}

describe("secret rotate beside a running server", () => {
  const again = () =>
    fetch(`${address}/integration/api-keys`, {
      method: "POST",
      headers: { ...sender.session, "content-type": "application/json", "idempotency-key": "rotated" },
      body: JSON.stringify({ name: "once" }),
    });
  let before: {
    secret: string;
    key: string;
    answer: string;
    hashes: string[];
    doors: Record<string, number>;
    stopPath: string;
  };
  let rotated: Awaited<ReturnType<typeof rotate>>;
  beforeAll(async () => {
    before = {
      secret: secretNow(),
      key: await revealed(),
      answer: await (await again()).text(),
      hashes: submitterHashes(),
      doors: await tryDoors(address, tenant),
      stopPath: stopPathIn(program.dataDir, tenant.accountId),
    };
    // The program looks for deeds to record every few seconds.
    while (ledgers() < 2) await Bun.sleep(100);
    rotated = await rotate();
  });

  test("reports what it sealed again, and what no longer works", () => {
    expect([rotated.code, rotated.rows]).toEqual([
      0,
      [
        {
          rotated: true,
          keys: 3,
          webhooks: 2,
          mails: 1,
          answers: 1,
          submitters: 1,
          ledgers: 2,
          marks: 0,
          players: 0,
        },
      ],
    ]);
    expect(rotated.stderr).toContain("Addresses of files that were signed before no longer work");
  });

  test("puts a new secret in place, for its owner alone, and keeps the old one until the next backup", async () => {
    const modes = ["master-secret", "master-secret.old"].map((name) => statSync(fileIn(name)).mode & 0o777);

    expect(secretNow()).not.toBe(before.secret);
    expect(readFileSync(fileIn("master-secret.old")).toString("hex")).toBe(before.secret);
    expect(modes).toEqual([0o600, 0o600]);
    expect(existsSync(fileIn("master-secret.new"))).toBe(false);
  });

  test("closes no door but that of files signed before, on the next request", async () => {
    const doors = await tryDoors(address, tenant);

    expect(doors).toEqual({ ...before.doors, "signed file": 403 });
    const { data } = await call(
      address,
      "GET",
      `/api/v1/tracks/${tenant.trackId}/versions`,
      undefined,
      tenant.byKey,
    );
    const [version] = data.versions ?? data;
    expect((await fetch(version.downloadUrl)).status).toBe(200);
  });

  test("shows the same key and the same webhook secret", async () => {
    expect([await revealed(), await secretOfHook()]).toEqual([before.key, tenant.webhookSecret]);
  });

  test("keeps the links that stop mail, which lie in mails that went before", async () => {
    const { status } = await fetch(`${address}${before.stopPath}`);

    expect(status).toBe(200);
  });

  test("gives a repeated request its first answer", async () => {
    const answer = await again();

    expect([answer.status, answer.headers.get("idempotency-replayed")]).toEqual([200, "true"]);
    expect(await answer.text()).toBe(before.answer);
  });

  test("recognises an earlier submitter", async () => {
    await call(
      address,
      "POST",
      `/app/briefs/${tenant.brief.id}/submissions`,
      { trackId: sender.trackId, message: "Again" },
      sender.session,
    );

    const [one, two, ...more] = submitterHashes();
    expect(more).toEqual([]);
    expect(one).toBe(String(two));
    expect(before.hashes).not.toContain(String(one));
  });

  test("goes on signing webhooks with their own secret", async () => {
    await call(address, "POST", `/integration/api-keys/${tenant.keyId}/webhook/test`, {}, tenant.session);

    const { headers, body } = await delivered("webhook.test");
    const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
    const key = Buffer.from(tenant.webhookSecret.slice("whsec_".length), "base64");
    const mac = new Bun.CryptoHasher("sha256", key).update(signed).digest("base64");
    expect(headers["webhook-signature"]).toBe(`v1,${mac}`);
  });

  test("leaves nothing that does not open, and is in the audit log", async () => {
    expect(await findings()).toEqual([]);
    const audited = readLibrary((db) =>
      db.$client
        .query<{ actor: string; detail: string }, []>(
          "SELECT actor, detail FROM audit_log WHERE action = 'secret.rotate'",
        )
        .all()
        .map(({ actor, detail }) => ({ actor, detail: JSON.parse(detail) })),
    );
    expect(audited).toEqual([
      {
        actor: "operator",
        detail: {
          keys: 3,
          webhooks: 2,
          mails: 1,
          answers: 1,
          submitters: 1,
          ledgers: 2,
          marks: 0,
          players: 0,
        },
      },
    ]);
  });

  test("is refused while a backup runs, which must have one secret", async () => {
    const now = secretNow();
    const backup = holdRemoval({ dataDir: program.dataDir });
    const refused = await rotate();
    backup.release();

    expect([refused.code, refused.rows, secretNow()]).toEqual([1, [], now]);
    expect(refused.stderr).toBe("A backup is running: try again when it has finished\n");
  });

  test("ends with a backup, which holds the new secret and deletes the old one", async () => {
    const file = join(program.dataDir, "..", `${crypto.randomUUID()}.tar`);
    const made = await program.run(["backup", file]);
    const checked = await program.run(["verify", file]);
    await Bun.file(file).delete();

    expect([made.code, checked.code]).toEqual([0, 0]);
    expect(existsSync(fileIn("master-secret.old"))).toBe(false);
  });

  test("loses nothing that is sealed during the rotation", async () => {
    let isOver = false;
    const made: string[] = [];
    const working = (async () => {
      while (!isOver) {
        const { data } = await call(
          address,
          "POST",
          "/integration/api-keys",
          { name: "busy" },
          tenant.session,
        );
        made.push(data.key);
        expect(await revealed()).toBe(data.key);
        await secretOfHook();
        const id = data.key.split(".")[0];
        await call(address, "POST", `/integration/api-keys/${id}/revoke`, {}, tenant.session);
      }
    })();
    for (let round = 0; round < 4; round++) expect((await rotate()).code).toBe(0);
    isOver = true;
    await working;

    expect(made.length).toBeGreaterThan(4);
    expect(await findings()).toEqual([]);
  });
});

describe("secret rotate, killed", () => {
  const kill = (step: string) =>
    Bun.spawn([process.execPath, join(import.meta.dir, "rotation-killed.ts"), step], {
      env: { PATH: process.env.PATH ?? "", DATA_DIR: program.dataDir, LOG_LEVEL: "warn" },
      stdin: "ignore",
      stdout: "ignore",
      stderr: "inherit",
    }).exited;
  const checkInForce = () =>
    readLibrary((db) => Buffer.from(findStore(db)?.secretCheck ?? []).toString("hex"));

  test.each([
    ["after the new secret was written", "written", false],
    ["after everything was sealed, before the commit", "resealed", false],
    ["after the commit", "committed", true],
    ["after the old secret was put aside", "kept", true],
    ["at its end", "renamed", true],
  ] as const)("%s, is undone or finished, and every key still opens", async (_, step, isOver) => {
    const [secret, check, key] = [secretNow(), checkInForce(), await revealed()];
    expect(await kill(step)).not.toBe(0);

    // The server goes on at once, before any other command looks after the files.
    expect(await revealed()).toBe(key);
    expect((await program.run(["account", "list"])).code).toBe(0);
    const names = readdirSync(program.dataDir).filter((name) => name.startsWith("master-secret"));
    expect(names).not.toContain("master-secret.new");
    expect([checkInForce() !== check, secretNow() !== secret]).toEqual([isOver, isOver]);
    expect(await revealed()).toBe(key);
    expect(await findings()).toEqual([]);
  });

  test("leaves a library that a server starts with, and an unknown secret is still refused", async () => {
    await kill("committed");
    server.child.kill("SIGKILL");
    await server.child.exited;
    ({ address } = await program.serve());
    expect(await revealed()).toBeString();

    const right = readFileSync(fileIn("master-secret"));
    writeFileSync(fileIn("master-secret"), Buffer.alloc(32));
    writeFileSync(fileIn("master-secret.new"), Buffer.alloc(32, 1));
    const refused = await program.run(["account", "list"]);
    writeFileSync(fileIn("master-secret"), right);
    const mended = await program.run(["account", "list"]);

    expect([refused.code, mended.code]).toEqual([1, 0]);
    expect(refused.stderr).toContain("master-secret does not belong to dubplate.db");
    expect(existsSync(fileIn("master-secret.new"))).toBe(false);
  });
});
