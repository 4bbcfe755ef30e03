import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { oauthGrants, oauthTokens, type Role } from "../../db/schema.ts";
import { newId, newToken } from "../../src/kernel/ids.ts";
import { allowedTo, ROLES } from "../../src/kernel/roles.ts";
import { ASSIGNABLE_SCOPES } from "../../src/kernel/scopes.ts";
import { sha256 } from "../../src/kernel/secrets.ts";
import { createTestApp, type Json, jsonOf, type TestApp } from "../support/app.ts";
import { addMember } from "../support/team.ts";

/** Every route by key and by session, and every tool by key and by grant, for members and for those who are none. */

type Somebody = { token: string; key: string; grant: string; memberId: string; personId: string };

const MEMBERS = ROLES.flatMap((role) =>
  (role === "owner" ? [true] : [false, true]).map((sees) => ({
    name: sees && role !== "owner" ? `${role} with both switches` : role,
    role,
    allowed: new Set<string>(allowedTo(role, sees, sees).scopes),
    sees,
  })),
);

let app: TestApp;
let accountId: string;
let document: Json;
let tools: Json[];
const byName = new Map<string, Somebody>();

beforeAll(async () => {
  app = await createTestApp();
  const owner = app.createAccount();
  accountId = owner.accountId;
  document = await jsonOf(await app.request("/openapi.json"));
  ({ tools } = await jsonOf(await app.request("/tools")));
  for (const { name, role, sees } of MEMBERS) byName.set(name, await equipped(role, sees));
});
afterAll(() => app.close());

const run = (sql: string, ...values: (string | number)[]) => app.deps.db.$client.query(sql).run(...values);

/** Returns a member with a session, and with a key and a grant that have every scope there is. */
async function equipped(role: Role, sees: boolean): Promise<Somebody> {
  const { token, memberId, personId } =
    role === "owner" ? ownerSeat() : addMember(app, accountId, { role, splits: sees, listening: sees });
  const key = app.createKey(accountId);
  run("UPDATE api_keys SET made_by = ? WHERE id = ?", personId, key.split(".")[0] ?? "");
  return { token, memberId, personId, key, grant: grantTo(personId) };
}

function ownerSeat() {
  const seat = app.deps.db.$client
    .query<{ memberId: string; personId: string }, [string]>(
      "SELECT id AS memberId, person_id AS personId FROM members WHERE account_id = ? AND role = 'owner'",
    )
    .get(accountId);
  if (!seat) throw new Error("The library has no owner");
  return { ...seat, token: "" };
}

function grantTo(personId: string): string {
  const [id, token] = [newId("grt"), newToken(32)];
  const [at, expiresAt] = [app.deps.now(), app.deps.now() + 3_600_000];
  const scopes = [...ASSIGNABLE_SCOPES];
  app.deps.db
    .insert(oauthGrants)
    .values({
      id,
      accountId,
      clientId: "https://client.example/",
      clientName: "Client",
      redirectUri: "https://client.example/back",
      resource: "http://127.0.0.1:4747/mcp",
      scopes,
      createdAt: at,
      expiresAt,
      personId: personId as never,
    })
    .run();
  app.deps.db
    .insert(oauthTokens)
    .values({ tokenHash: sha256(token), grantId: id, kind: "access", scopes, expiresAt })
    .run();
  return token;
}

/** Every operation, with the scope of keys and the need of people. */
const operations = () =>
  Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.entries<Json>(item).map(([method, each]) => ({
      method: method.toUpperCase(),
      path: path.replace(/\{\w+\}/g, "none"),
      scope: each["x-scope"] as string | undefined,
      need: each["x-need"] as string | undefined,
    })),
  );
const forKeys = () => operations().filter(({ scope }) => scope && !scope.startsWith("platform:"));
const forPeople = () =>
  operations().flatMap(({ method, path, scope, need }) => [
    ...(need && need !== "self" ? [{ method, path }] : []),
    ...(scope && !scope.startsWith("platform:")
      ? [{ method, path: path.replace("/api/v1", "/app/library") }]
      : []),
  ]);

/** Sends a request that no operation can act on, and returns how it was answered. */
async function ask(method: string, path: string, headers: Record<string, string>) {
  const ended = new AbortController();
  const type = method === "GET" ? {} : { "content-type": "application/json" };
  const response = await app.request(path, {
    method,
    headers: { ...headers, ...type },
    signal: ended.signal,
  });
  if (![401, 403].includes(response.status)) {
    ended.abort();
    await response.body?.cancel();
    return `${response.status}`;
  }
  return `${response.status} ${(await jsonOf(response)).messageCode}`;
}

/** Returns those of the routes that do not answer with a refusal, and how they answer. */
async function openTo(
  routes: readonly { method: string; path: string }[],
  headers: Record<string, string>,
  refusal: string | RegExp,
): Promise<string[]> {
  const open: string[] = [];
  for (const { method, path } of routes) {
    const answer = await ask(method, path, headers);
    if (!answer.match(refusal)) open.push(`${method} ${path}: ${answer}`);
  }
  return open;
}

/** The least that a schema accepts. */
function leastOf(schema: Json, field = ""): Json {
  const plain: Record<string, () => Json> = {
    array: () => (schema.minItems ? [leastOf(schema.items)] : []),
    object: () =>
      Object.fromEntries(
        (schema.required ?? []).map((name: string) => [name, leastOf(schema.properties[name], name)]),
      ),
    number: () => schema.minimum ?? 1,
    integer: () => schema.minimum ?? 1,
    boolean: () => true,
    string: () => TEXTS.find(([name]) => name.test(field))?.[1] ?? "none",
  };
  const [first] = schema.anyOf ?? [];
  return schema.const ?? schema.enum?.[0] ?? (first ? leastOf(first) : plain[schema.type]?.());
}

/** Texts of a form, by the name of their field. */
const TEXTS: readonly (readonly [RegExp, string])[] = [
  [/Url$/, "https://files.example/song.wav"],
  [/^email$/, "ada@example.com"],
];

/** Calls a tool. Returns the status, and the text of a refusal. */
async function call(name: string, input: Json, headers: Record<string, string>) {
  const response = await app.request("/mcp", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2025-11-25",
      ...headers,
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name, arguments: input },
    }),
  });
  const { result } = await jsonOf(response);
  const text = result?.content?.[0]?.text as string | undefined;
  return { status: response.status, refused: result?.isError ? (text ?? "") : "" };
}

const byKey = (key: string) => ({ "x-api-key": key });
const byGrant = (token: string) => ({ authorization: `Bearer ${token}` });

describe.each(MEMBERS)("$name", ({ name, allowed }) => {
  test("reaches exactly their own routes with a key of every scope", async () => {
    const { key } = byName.get(name) as Somebody;
    const wrong: string[] = [];
    for (const { method, path, scope = "" } of forKeys()) {
      const answer = await ask(method, path, byKey(key));
      const isRefused = answer === "403 insufficient_scope";
      if (isRefused === allowed.has(scope) || answer.startsWith("401"))
        wrong.push(`${method} ${path} (${scope}): ${answer}`);
    }

    expect(wrong).toEqual([]);
  });

  test.each(["key", "grant"] as const)(
    "calls exactly the tools of their role with a %s of every scope",
    async (kind) => {
      const { key, grant } = byName.get(name) as Somebody;
      const headers = kind === "key" ? byKey(key) : byGrant(grant);
      const wrong: string[] = [];
      for (const { name: tool, scopes, inputSchema } of tools) {
        const { status, refused } = await call(tool, leastOf(inputSchema), headers);
        const isRefused = refused.startsWith("insufficient_scope");
        // It needs the second scope only to begin an analysis.
        const needed = tool === "wait_for_auto_tag" ? ["read:tracks"] : scopes;
        const isAllowed = needed.every((scope: string) => allowed.has(scope));
        // A role is nothing that consent could add: never the 403 that asks for it.
        if (status !== 200 || isRefused === isAllowed)
          wrong.push(`${tool} (${scopes}): ${status} ${refused}`);
      }

      expect(wrong).toEqual([]);
      expect(tools.length).toBeGreaterThan(38);
    },
  );
});

describe("whoever is not, or no longer, in the library", () => {
  const GONE = [
    ["removed", "DELETE FROM members WHERE id = ?"],
    ["at the end of the membership", "UPDATE members SET ends_at = 1 WHERE id = ?"],
    ["blocked", "UPDATE people SET active = 0 WHERE id = (SELECT person_id FROM members WHERE id = ?)"],
  ] as const;

  test.each(GONE)("%s: no route, no tool, by session, key and grant", async (_, sql) => {
    const { token, key, grant, memberId } = await equipped("manager", true);
    run(sql, memberId);
    const bySession = await openTo(forPeople(), byGrant(token), "401 invalid_session_token");
    const withKey = await openTo(forKeys(), byKey(key), "401 invalid_key");
    const calls = [];
    for (const headers of [byKey(key), byGrant(grant)])
      calls.push((await call("get_track_count", {}, headers)).status);

    expect([bySession, withKey, calls]).toEqual([[], [], [401, 401]]);
  });

  test("somebody of another library: no route that names this one", async () => {
    const { token } = app.createAccount();
    const headers = { ...byGrant(token), "x-library": accountId };

    expect(await openTo(forPeople(), headers, "403 not_a_member")).toEqual([]);
  });

  test("nobody: no route at all", async () => {
    expect(await openTo([...forPeople(), ...forKeys()], {}, /^401 missing_/)).toEqual([]);
  });
});
