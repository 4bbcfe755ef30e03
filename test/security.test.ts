import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createProgram } from "./support/process.ts";
import {
  call,
  createTenant,
  exchange,
  fillLibrary,
  openStdio,
  type Tenant,
  tryDoors,
} from "./support/tenant.ts";

const ROOT = join(import.meta.dir, "..");

test("every test that docs/security.md names exists, and every door has one", async () => {
  const text = await Bun.file(join(ROOT, "docs/security.md")).text();
  const doors = text.slice(text.indexOf("## Doors"), text.indexOf("## Secrets"));
  const rows = doors.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| door"));

  for (const row of rows) {
    const [, path = "", name = ""] = /\]\(\.\.\/(test\/[\w/.-]+)\): "(.+)" \|$/.exec(row) ?? [];
    const source = path === "" ? "" : await Bun.file(join(ROOT, path)).text();
    expect([row, source.includes(JSON.stringify(name))]).toEqual([row, true]);
  }
  expect(rows.length).toBeGreaterThan(30);
});

describe("a server with everything that an account can have", () => {
  const program = createProgram({ LOG_LEVEL: "debug", RATE_LIMIT: "0", NETWORK_ALLOW: "127.0.0.1:9" });
  let log: string;
  let words: string;
  let tenant: Tenant;
  let setupCode: string;
  /** Every secret that was made, by what it is. */
  const secrets: Record<string, string> = {};
  /** Where backups go. */
  const outside = mkdtempSync(join(tmpdir(), "dubplate-backups-"));

  beforeAll(async () => {
    const server = await program.serve();
    const logged = new Response(server.child.stdout as ReadableStream).text();
    const { address } = server;
    [, setupCode = ""] = await server.says(/Set-up code for the first account: (\S+)/);
    const registered = await call(address, "POST", "/auth/register", {
      email: "first@example.com",
      password: "the first password of all",
      name: "First",
      setupCode,
    });
    const hookUrl = "http://127.0.0.1:9/";
    tenant = await createTenant(program, address, { email: "tenant@example.com", hookUrl });
    const sender = await createTenant(program, address, { email: "sender@example.com", hookUrl });
    await fillLibrary(address, tenant, sender);
    const headers = { ...tenant.session, "idempotency-key": "once" };
    const kept = await call(address, "POST", "/integration/api-keys", { name: "kept" }, headers);
    const rotated = await call(
      address,
      "POST",
      `/integration/api-keys/${kept.data.key.split(".")[0]}/rotate`,
      {},
      tenant.session,
    );
    const renewed = await exchange(address, {
      grant_type: "refresh_token",
      client_id: tenant.clientId,
      refresh_token: tenant.refreshToken,
    });
    const reset = await program.run(["account", "reset-link", "--email", tenant.email]);
    const resetToken = new URL(String(reset.rows[0]?.url)).searchParams.get("token") ?? "";
    await (await fetch(`${address}/reset?token=${resetToken}`)).text();
    const unused = await program.run(["account", "reset-link", "--email", sender.email]);
    const platform = await program.run([
      "platform-key",
      "create",
      "--name",
      "P",
      "--scopes",
      "platform:read:accounts",
      "--days",
      "5",
    ]);
    const session = await program.run(["session", "create", "--email", tenant.email]);
    const unlocked = await fetch(tenant.shareUrl, {
      method: "POST",
      redirect: "manual",
      headers: { origin: address },
      body: new URLSearchParams({ password: tenant.sharePassword }),
    });
    const stdio = await openStdio(program.dataDir, tenant.key);
    await stdio.countTracks();
    await stdio.close();
    // Wrong secrets too: what a person mistypes is often another secret of theirs.
    await fetch(`${address}/api/v1/tracks/count`, { headers: { "x-api-key": "not-a-key-but-my-password" } });
    await fetch(`${address}/auth/login`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: tenant.email, password: "the password of my bank" }),
    });
    await tryDoors(address, tenant);
    await program.run(["account", "password", "--email", sender.email], { input: "a piped new password\n" });
    Object.assign(secrets, {
      "set-up code": setupCode,
      password: tenant.password,
      "first password": "the first password of all",
      "new password": "a piped new password",
      "mistyped key": "not-a-key-but-my-password",
      "mistyped password": "the password of my bank",
      "API key": tenant.key.split(".")[1],
      "key of a kept answer": kept.data.key.split(".")[1],
      "rotated key": rotated.data.key.split(".")[1],
      "platform key": String(platform.rows[0]?.key).split(".")[1],
      "session of the first account": registered.data.token,
      session: tenant.sessionToken,
      "session cookie": tenant.cookie,
      "operator's session": String(session.rows[0]?.token),
      "link's password": tenant.sharePassword,
      "pass of the link": /dubplate_pass=([^;]+)/.exec(unlocked.headers.get("set-cookie") ?? "")?.[1],
      "webhook secret": tenant.webhookSecret,
      "OAuth code": tenant.oauthCode,
      "access token": tenant.accessToken,
      "refresh token": tenant.refreshToken,
      "renewed access token": renewed.body.access_token,
      "renewed refresh token": renewed.body.refresh_token,
      "reset link": resetToken,
      "unused reset link": new URL(String(unused.rows[0]?.url)).searchParams.get("token") ?? "",
    });
    words = (await server.says(/[\s\S]*/))[0];
    server.child.kill("SIGTERM");
    await server.child.exited;
    log = await logged;
  });
  afterAll(async () => {
    await program.close();
    rmSync(outside, { recursive: true, force: true });
  });

  const expectNone = (bytes: Buffer) => {
    for (const [name, secret] of Object.entries(secrets))
      for (const form of formsOf(secret)) expect([name, bytes.includes(form)]).toEqual([name, false]);
  };

  test("made every kind of secret", () => {
    for (const [name, secret] of Object.entries(secrets))
      expect([name, secret]).toEqual([name, expect.any(String)]);
    for (const secret of Object.values(secrets)) expect(secret.length).toBeGreaterThan(8);
  });

  test("keeps no secret in its log; the set-up code is printed once, for its owner", () => {
    expect(log).toContain('"level":"info"');
    for (const [name, secret] of Object.entries(secrets)) {
      expect([name, log.includes(secret)]).toEqual([name, false]);
      if (secret !== setupCode) expect([name, words.includes(secret)]).toEqual([name, false]);
    }
  });

  test("keeps no secret in its data folder, unless sealed or hashed", () => {
    const bytes = Buffer.concat(filesIn(program.dataDir).map((path) => readFileSync(path)));
    expect(bytes.includes(tenant.keyId)).toBe(true);
    expectNone(bytes);
  });

  test.each([
    ["of one file", () => join(outside, "library.tar")],
    ["of snapshots in a folder", () => join(outside, "snapshots/")],
  ])(
    "keeps no secret in a backup %s, unless sealed or hashed; and the master secret once",
    async (_, place) => {
      const made = await program.run(["backup", place()]);
      const files = filesIn(outside).filter((path) => path.startsWith(place()));
      const bytes = Buffer.concat(files.map((path) => readFileSync(path)));
      const master = readFileSync(join(program.dataDir, "master-secret"));

      expect(made.code).toBe(0);
      expect(bytes.includes(tenant.keyId)).toBe(true);
      expectNone(bytes);
      expect(bytes.indexOf(master)).toBeGreaterThan(0);
      expect(bytes.indexOf(master)).toBe(bytes.lastIndexOf(master));
    },
  );

  test("keeps the former master secret out of a backup that is made after a rotation", async () => {
    const former = readFileSync(join(program.dataDir, "master-secret"));
    await program.run(["secret", "rotate"]);
    const file = join(outside, "rotated.tar");
    const made = await program.run(["backup", file]);
    const bytes = readFileSync(file);

    expect([made.code, bytes.includes(former)]).toEqual([0, false]);
    expect(bytes.includes(readFileSync(join(program.dataDir, "master-secret")))).toBe(true);
    expectNone(bytes);
  });

  test("keeps its master secret in one file, for its owner alone", () => {
    const path = join(program.dataDir, "master-secret");
    const secret = readFileSync(path);

    expect(secret.length).toBe(32);
    for (const name of ["dubplate.db", "dubplate.db-wal"].map((each) => join(program.dataDir, each)))
      if (existsSync(name)) expect(readFileSync(name).includes(secret)).toBe(false);
  });
});

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/** A secret as text, and as the bytes that it stands for. */
function formsOf(secret: string): Buffer[] {
  const forms = [Buffer.from(secret)];
  const raw = /^(?:whsec_|dpa_|dpr_)?([A-Za-z0-9+/_-]{40,}=*)$/.exec(secret)?.[1];
  if (raw !== undefined) forms.push(Buffer.from(raw.replaceAll("-", "+").replaceAll("_", "/"), "base64"));
  return forms;
}
