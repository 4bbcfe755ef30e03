import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Role } from "../../db/schema.ts";
import { allowedTo, NEEDS, type Need, ROLES } from "../../src/kernel/roles.ts";
import { createTestApp, type Json, jsonOf, type TestApp } from "../support/app.ts";
import { addMember } from "../support/team.ts";

const PAGE = readFileSync(join(import.meta.dir, "../../docs/team.md"), "utf8");
/** What each need is for each role, by docs/team.md: `y`, `o`, `s`, `l` or `-`. */
const TABLE = new Map<Need, Record<Role, string>>(
  [...PAGE.matchAll(/^\| `([a-z]+:[a-z]+)` \| (\S+) \| (\S+) \| (\S+) \| (\S+) \| (\S+) \|/gm)].map(
    ([, need = "", ...cells]) => [
      need as Need,
      Object.fromEntries(ROLES.map((role, index) => [role, cells[index] ?? ""])) as Record<Role, string>,
    ],
  ),
);

type Member = { role: Role; splits: boolean; listening: boolean };
/** Every role without and with both switches. An owner has both. */
const MEMBERS: readonly Member[] = [
  { role: "owner", splits: true, listening: true },
  ...ROLES.slice(1).flatMap((role) => [
    { role, splits: false, listening: false },
    { role, splits: true, listening: true },
  ]),
];
const nameOf = ({ role, splits }: Member) =>
  `${role}${splits && role !== "owner" ? " with both switches" : ""}`;

function isAllowed(need: string, { role, splits, listening }: Member): boolean {
  const cell = TABLE.get(need as Need)?.[role];
  if (cell === undefined) throw new Error(`docs/team.md has no line for ${need}`);
  return cell === "y" || cell === "o" || (cell === "s" && splits) || (cell === "l" && listening);
}

let app: TestApp;
let accountId: string;
let document: Json;
const tokens = new Map<Member, string>();
type Door = { method: string; path: string; need: string };
let routes: Door[] = [];

/** Where a person reaches an operation, and what it needs there. */
function doorsOf(method: string, path: string, { "x-need": need, "x-scope": scope }: Json): Door[] {
  const isOwn = scope && !scope.startsWith("platform:");
  return [
    ...(need ? [{ method, path, need }] : []),
    ...(isOwn ? [{ method, path: path.replace("/api/v1", "/app/library"), need: scope }] : []),
  ];
}

beforeAll(async () => {
  app = await createTestApp();
  const owner = app.createAccount();
  accountId = owner.accountId;
  for (const member of MEMBERS) tokens.set(member, member.role === "owner" ? owner.token : joined(member));
  document = await jsonOf(await app.request("/openapi.json"));
  routes = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.entries<Json>(item).flatMap(([method, operation]) =>
      doorsOf(method.toUpperCase(), path, operation),
    ),
  );
});
afterAll(() => app.close());

const joined = (member: Member) => addMember(app, accountId, member).token;

/** Sends a request that no operation can act on. Returns whether the role was refused. */
async function isRefused(token: string, { method, path, need }: Door): Promise<boolean> {
  const ended = new AbortController();
  const response = await app.request(path.replace(/\{\w+\}/g, "none"), {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(method !== "GET" && { "content-type": "application/json" }),
    },
    signal: ended.signal,
  });
  if (response.status !== 403) {
    ended.abort();
    await response.body?.cancel();
    return false;
  }
  const { messageCode, data } = await jsonOf(response);
  expect([path, messageCode, data.required]).toEqual([path, "insufficient_scope", need]);
  return true;
}

describe("the roles of docs/team.md", () => {
  test("say something about every need, and nothing else", () => {
    expect([...TABLE.keys()].sort()).toEqual([...NEEDS].sort());
  });

  test.each(MEMBERS.map((member) => [nameOf(member), member] as const))(
    "%s may what the table says",
    (_, member) => {
      const { needs } = allowedTo(member.role, member.splits, member.listening);

      expect(NEEDS.filter((need) => needs.has(need))).toEqual(
        NEEDS.filter((need) => isAllowed(need, member)),
      );
    },
  );

  test("those with an o hold for one's own, and no others", () => {
    const own = ROLES.flatMap((role) =>
      [...allowedTo(role, true, true).own].map((need) => `${role} ${need}`),
    );
    const marked = ROLES.flatMap((role) =>
      [...TABLE].filter(([, cells]) => cells[role] === "o").map(([need]) => `${role} ${need}`),
    );

    expect(own.sort()).toEqual(marked.sort());
    expect(own).toHaveLength(2);
  });

  test("every route for people says what it needs", () => {
    const silent = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
      Object.entries<Json>(item)
        .filter(([, { security, "x-need": need }]) => security?.[0]?.session && !need)
        .map(([method]) => `${method} ${path}`),
    );

    expect(silent).toEqual([]);
    expect(routes.length).toBeGreaterThan(200);
  });

  test.each(MEMBERS.map((member) => [nameOf(member), member] as const))(
    "%s passes at each route exactly then",
    async (_, member) => {
      const token = tokens.get(member) ?? "";
      const wrong: string[] = [];
      for (const each of routes) {
        if (each.need === "self" || each.need === "member") continue;
        if ((await isRefused(token, each)) === isAllowed(each.need, member))
          wrong.push(`${each.method} ${each.path} (${each.need})`);
      }

      expect(wrong).toEqual([]);
    },
  );
});

describe("somebody who is not in the library", () => {
  const session = (token: string, library: string, path = "/app/tracks") =>
    app.request(path, { headers: { authorization: `Bearer ${token}`, "x-library": library } });

  test("is told so when a request names it, and reaches what is their own", async () => {
    const other = app.createAccount();

    const theirs = await session(other.token, accountId);
    const inside = await session(other.token, accountId, "/app/library/tracks");
    const own = await session(other.token, other.accountId);
    const sessions = await session(other.token, accountId, "/auth/sessions");

    expect([theirs.status, inside.status, own.status, sessions.status]).toEqual([403, 403, 200, 200]);
    expect((await jsonOf(theirs)).messageCode).toBe("not_a_member");
    expect((await jsonOf(await session(other.token, "usr_none"))).messageCode).toBe("not_a_member");
  });

  test("is out at the next request after being removed, and when the membership ends", async () => {
    const member: Member = { role: "producer", splits: false, listening: false };
    const [removed, ended] = [joined(member), joined(member)];
    const statusOf = async (token: string) =>
      (await app.request("/app/tracks", { headers: { authorization: `Bearer ${token}` } })).status;
    const before = [await statusOf(removed), await statusOf(ended)];
    const idOf = (at: number) =>
      app.deps.db.$client
        .query<{ id: string }, [number]>("SELECT id FROM members ORDER BY rowid DESC LIMIT 1 OFFSET ?")
        .get(at)?.id ?? "";
    const [endedId, removedId] = [idOf(0), idOf(1)];

    app.deps.db.$client.run("DELETE FROM members WHERE id = ?", [removedId]);
    app.deps.db.$client.run("UPDATE members SET ends_at = ? WHERE id = ?", [app.clock.now(), endedId]);

    expect([before, [await statusOf(removed), await statusOf(ended)]]).toEqual([
      [200, 200],
      [401, 401],
    ]);
  });
});
