import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { COMMAND_NAMES } from "../../src/command-line/commands.ts";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { addMember } from "../support/team.ts";

const PAGE = readFileSync(join(import.meta.dir, "../../docs/team.md"), "utf8");
const SECTION = /^## Operator, owner, member$(.*?)^## /ms.exec(PAGE)?.[1] ?? "";
type Line = { what: string; may: Record<"operator" | "owner" | "member", boolean>; by: string[] };

/** The lines of the table: what is allowed to whom, by which routes or commands. */
const LINES: Line[] = SECTION.split("\n")
  .map((line) => line.split("|").map((cell) => cell.trim()))
  .filter((cells) => cells.length === 7 && /^[y-]$/.test(cells[2] ?? ""))
  .map(([, what = "", operator, owner, member, by = ""]) => ({
    what,
    may: { operator: operator === "y", owner: owner === "y", member: member === "y" },
    by: [...by.matchAll(/`([^`]+)`/g)].map(([, each = ""]) => each),
  }));
const ROUTES = LINES.filter(({ by: [first = ""] }) => !first.startsWith("dubplate "));

/** What is sent with a request: bodies must be right, since a wrong one is refused before the person is asked for. */
const BODIES: Readonly<Record<string, object>> = {
  "POST /app/accounts": { name: "New", email: "new@example.com" },
  "PATCH /app/accounts/{id}": { active: true },
  "DELETE /app/accounts/{id}": { email: "nobody@example.com" },
  "POST /app/accounts/{id}/owner": { email: "nobody@example.com" },
  "PATCH /app/people/{id}": { active: true },
  "POST /app/team/invitations": { email: "asked@example.com", role: "artist" },
  "PATCH /app/team/members/{id}": { role: "artist" },
  "DELETE /app/team/members/{id}": {},
  "POST /app/team/owner": { memberId: "mem_none" },
  "PATCH /app/library": { name: "Label" },
  "PATCH /app/account/brand": { name: "Brand" },
  "POST /app/libraries": { name: "Another" },
  "DELETE /app/account": {},
};
/** How somebody is told that this is not for them. What they may do can still fail, for things that are not there. */
const REFUSED = ["insufficient_scope", "not_a_member", "registration_closed", "invalid_transition"];

let app: TestApp;
let document: Json;
let operator: ReturnType<TestApp["createAccount"]>;
beforeAll(async () => {
  app = await createTestApp({ settings: { registrationOpen: false } });
  operator = app.createAccount();
  document = await (await app.request("/openapi.json")).json();
});
afterAll(() => app.close());

const needOf = (route: string): string => {
  const [method = "", path = ""] = route.split(" ");
  // The console's door to the REST API asks for its scope.
  if (path.startsWith("/app/library/")) return "read:tracks";
  return document.paths[path]?.[method.toLowerCase()]?.["x-need"] ?? "";
};

/** Tries a route as each of the three, in a library of its own. */
async function walk(route: string): Promise<Record<string, boolean>> {
  const { accountId, token: owner } = app.createAccount();
  const member = addMember(app, accountId, { role: "listener" }).token;
  const need = needOf(route);
  if (need === "") throw new Error(`The document has no ${route}`);
  const [method = "", path = ""] = route.split(" ");
  const named = path.replace("{id}", path.startsWith("/app/people") ? operator.accountId : "none_1");
  // What concerns a person alone is asked in no library.
  const headers: Record<string, string> = need === "self" ? {} : { "x-library": accountId };
  const allowed: Record<string, boolean> = {};
  for (const [who, token] of Object.entries({ operator: operator.token, owner, member })) {
    const { status, body } = await app.signedIn(token)(method, named, BODIES[route], headers);
    allowed[who] = status !== 401 && !REFUSED.includes(body?.messageCode);
  }
  return allowed;
}

describe("operator beside owner beside member, as docs/team.md has it", () => {
  test("has lines for routes and for commands", () => {
    expect([ROUTES.length > 20, LINES.length > ROUTES.length]).toEqual([true, true]);
  });

  test.each(ROUTES)("$what: $by", async ({ by, may }) => {
    for (const route of by) expect({ route, ...(await walk(route)) }).toEqual({ route, ...may });
  });

  test.each(LINES.filter((line) => !ROUTES.includes(line)))(
    "$what: only by the operator's commands",
    ({ by, may }) => {
      const names: readonly string[] = COMMAND_NAMES;

      expect(by.filter((command) => !names.includes(command.replace("dubplate ", "")))).toEqual([]);
      expect(may).toEqual({ operator: true, owner: false, member: false });
    },
  );
});
