import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { DAY_MS, MINUTE_MS } from "../../src/kernel/time.ts";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { addMember, joinToo } from "../support/team.ts";
import { invited, join } from "./inviting.ts";

let app: TestApp;
let owner: { accountId: string; token: string; email: string };
let accountId: string;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());
beforeEach(() => {
  owner = app.createAccount();
  accountId = owner.accountId;
});

const run = (sql: string, ...values: (string | number)[]) => app.deps.db.$client.query(sql).run(...values);
const member = (role: Parameters<typeof addMember>[2]["role"]) => addMember(app, accountId, { role });
const answerOf = ({ status, body }: { status: number; body: Json }) => [status, body.messageCode];
const fresh = () => `${crypto.randomUUID()}@example.com`;
const statusOf = async (token: string, path = "/app/tracks", headers = {}) =>
  (await app.signedIn(token)("GET", path, undefined, headers)).status;
const roles = async (token: string) =>
  (await app.signedIn(token)("GET", "/app/team")).body.data.members.map(
    ({ person, role }: { person: { id: string }; role: string }) => `${person.id} ${role}`,
  );

describe("PATCH /app/team/members/{id}", () => {
  const change = (token: string, id: string, body: object) =>
    app.signedIn(token)("PATCH", `/app/team/members/${id}`, body);

  test("gives a role, switches and an end, which count at the next request", async () => {
    const ben = member("producer");
    const before = await statusOf(ben.token, "/app/shares");

    const { status, body } = await change(owner.token, ben.memberId, {
      role: "listener",
      seesSplits: true,
      seesListening: true,
      until: "2026-02-01",
    });

    expect([before, status, await statusOf(ben.token, "/app/shares")]).toEqual([200, 200, 403]);
    expect(body.data).toMatchObject({
      id: ben.memberId,
      role: "listener",
      seesSplits: true,
      seesListening: true,
      until: "2026-02-01T23:59:59.999Z",
      isYou: false,
    });
    const freed = await change(owner.token, ben.memberId, { until: null });
    expect(freed.body.data).toMatchObject({ role: "listener", until: null });
  });

  test("is refused for the owner, for managers by managers, and for nobody", async () => {
    const [one, two] = [member("manager"), member("manager")];
    const ben = member("artist");
    const ownersId = (await app.signedIn(owner.token)("GET", "/app/team")).body.data.me.id;

    expect(answerOf(await change(one.token, ownersId, { seesSplits: false }))).toEqual([
      409,
      "invalid_transition",
    ]);
    expect(answerOf(await change(owner.token, ownersId, { role: "artist" }))).toEqual([
      409,
      "invalid_transition",
    ]);
    expect(answerOf(await change(one.token, two.memberId, { role: "artist" }))).toEqual([
      403,
      "insufficient_scope",
    ]);
    expect(answerOf(await change(one.token, ben.memberId, { role: "manager" }))).toEqual([
      400,
      "validation_failed",
    ]);
    expect(answerOf(await change(one.token, ben.memberId, { role: "owner" }))).toEqual([
      400,
      "validation_failed",
    ]);
    expect(answerOf(await change(one.token, ben.memberId, { until: "2026-01-01" }))).toEqual([
      400,
      "validation_failed",
    ]);
    expect(answerOf(await change(one.token, "mem_none", { role: "artist" }))).toEqual([
      404,
      "member_not_found",
    ]);
    expect((await change(owner.token, ben.memberId, { role: "manager" })).status).toBe(200);
    expect((await change(owner.token, two.memberId, { role: "artist" })).status).toBe(200);
  });

  test("of another library's member is member_not_found", async () => {
    const other = app.createAccount();
    const ben = addMember(app, other.accountId, { role: "artist" });

    expect(answerOf(await change(owner.token, ben.memberId, { role: "listener" }))).toEqual([
      404,
      "member_not_found",
    ]);
  });
});

describe("DELETE /app/team/members/{id}", () => {
  const remove = (token: string, id: string, body?: object) =>
    app.signedIn(token)("DELETE", `/app/team/members/${id}`, body);

  test("ends everything in that person's name, and says how much it was", async () => {
    const ben = member("manager");
    await app.signedIn(ben.token)("POST", "/integration/api-keys", { name: "NAS" });
    await invited(app, ben.token, { email: fresh() });
    const access = await app.signedIn(owner.token)("GET", `/app/team/members/${ben.memberId}/access`);

    const removed = await remove(owner.token, ben.memberId);

    expect(access.body.data).toEqual({
      keys: [{ id: expect.stringMatching(/^key_/), name: "NAS", lastUsedAt: null, canKeep: true }],
      programs: 0,
      players: 0,
      uploads: 0,
      invitations: 1,
    });
    const ended = { sessions: 1, keys: 1, programs: 0, players: 0, uploads: 0, invitations: 1 };
    expect([removed.status, removed.body.data]).toEqual([200, { ended }]);
    expect(await statusOf(ben.token)).toBe(401);
    expect(answerOf(await remove(owner.token, ben.memberId))).toEqual([404, "member_not_found"]);
  });

  test("keeps a key under the name of whoever keeps it, with their scopes", async () => {
    const ben = member("producer");
    const made = await app.signedIn(owner.token)("POST", "/integration/api-keys", { name: "NAS" });
    run("UPDATE api_keys SET made_by = ? WHERE id = ?", ben.personId, made.body.data.id);
    const call = app.as(made.body.data.key);
    const before = [(await call("GET", "/tracks")).status, (await call("GET", "/webhook")).status];

    const foreign = await remove(owner.token, ben.memberId, { keepKeys: ["key_none"] });
    const removed = await remove(owner.token, ben.memberId, { keepKeys: [made.body.data.id] });

    expect(answerOf(foreign)).toEqual([404, "key_not_found"]);
    expect([before, removed.body.data.ended.keys]).toEqual([[200, 403], 0]);
    expect([(await call("GET", "/tracks")).status, (await call("GET", "/webhook")).status]).not.toContain(
      401,
    );
    run("UPDATE people SET active = 0 WHERE id = ?", owner.accountId);
    expect((await call("GET", "/tracks")).status).toBe(401);
  });

  test("keeps a session in another library, where that person goes on", async () => {
    const other = app.createAccount();
    const ben = member("producer");
    joinToo(app, other.accountId, ben.personId, { role: "artist" });
    const login = app.createAccount(); // somebody else, who must not notice
    app.deps.db.$client.run("UPDATE sessions SET account_id = ? WHERE person_id = ?", [
      other.accountId,
      ben.personId,
    ]);

    const removed = await remove(owner.token, ben.memberId);

    expect(removed.body.data.ended.sessions).toBe(0);
    expect(await statusOf(ben.token, "/app/tracks", { "x-library": accountId })).toBe(403);
    expect([await statusOf(ben.token), await statusOf(login.token)]).toEqual([200, 200]);
  });

  test("is refused for the owner, and for managers but by the owner", async () => {
    const [one, two] = [member("manager"), member("manager")];
    const ownersId = (await app.signedIn(owner.token)("GET", "/app/team")).body.data.me.id;

    expect(answerOf(await remove(one.token, ownersId))).toEqual([409, "invalid_transition"]);
    expect(answerOf(await remove(owner.token, ownersId))).toEqual([409, "invalid_transition"]);
    const both = await Promise.all([remove(one.token, two.memberId), remove(two.token, one.memberId)]);
    expect(both.map(answerOf)).toEqual([
      [403, "insufficient_scope"],
      [403, "insufficient_scope"],
    ]);
    expect((await remove(owner.token, one.memberId)).status).toBe(200);
  });

  test("by somebody who was removed or made smaller while the request came in: refused", async () => {
    const [one, two] = [member("manager"), member("manager")];
    const [ben, eva] = [member("artist"), member("artist")];
    /** A request whose body comes to its end only when `finish` is called. */
    const begun = (token: string, id: string) => {
      let finish = () => {};
      const stream = new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode('{"keepKeys":'));
          finish = () => {
            controller.enqueue(new TextEncoder().encode("[]}"));
            controller.close();
          };
        },
      });
      const answer = app.request(`/app/team/members/${id}`, {
        method: "DELETE",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: stream,
      });
      return async () => {
        finish();
        return ((await (await answer).json()) as Json).messageCode;
      };
    };
    const finishOne = begun(one.token, ben.memberId);
    const finishTwo = begun(two.token, eva.memberId);
    await Bun.sleep(0);

    await remove(owner.token, one.memberId);
    await app.signedIn(owner.token)("PATCH", `/app/team/members/${two.memberId}`, { role: "artist" });

    expect([await finishOne(), await finishTwo()]).toEqual(["not_a_member", "insufficient_scope"]);
    expect([await statusOf(ben.token), await statusOf(eva.token)]).toEqual([200, 200]);
  });
});

describe("POST /app/team/leave", () => {
  test("ends the membership, and everything with it", async () => {
    const ben = member("producer");

    const left = await app.signedIn(ben.token)("POST", "/app/team/leave");

    expect([left.status, left.body.data, await statusOf(ben.token)]).toEqual([200, { ok: true }, 401]);
    expect(await roles(owner.token)).toEqual([`${accountId} owner`]);
  });

  test("is refused for the owner", async () => {
    expect(answerOf(await app.signedIn(owner.token)("POST", "/app/team/leave"))).toEqual([
      409,
      "invalid_transition",
    ]);
  });
});

describe("POST /app/team/owner", () => {
  const handOver = (token: string, body: object) => app.signedIn(token)("POST", "/app/team/owner", body);

  test("makes a member the owner, keeps the owner as manager, and tells everybody", async () => {
    const ben = addMember(app, accountId, { role: "artist" });
    run("UPDATE members SET ends_at = ? WHERE id = ?", app.clock.now() + DAY_MS, ben.memberId);

    const handed = await handOver(owner.token, { memberId: ben.memberId });
    const again = await handOver(owner.token, { memberId: ben.memberId });

    expect([handed.status, handed.body.data]).toEqual([200, { ok: true }]);
    expect(answerOf(again)).toEqual([403, "insufficient_scope"]);
    expect(await roles(owner.token)).toEqual([`${ben.personId} owner`, `${accountId} manager`]);
    for (const token of [owner.token, ben.token]) {
      const { body } = await app.signedIn(token)("GET", "/app/notifications");
      expect(body.data[0].title).toBe("The artist is the owner of this library now");
    }
    const me = (await app.signedIn(ben.token)("GET", "/app/team")).body.data.me;
    expect(me).toMatchObject({ role: "owner", seesSplits: true, seesListening: true, until: null });
    expect((await app.signedIn(owner.token)("POST", "/app/team/leave")).status).toBe(200);
  });

  test("needs a proof: a fresh session, or the password", async () => {
    const ben = member("artist");
    app.clock.advance(11 * MINUTE_MS);

    const stale = await handOver(owner.token, { memberId: ben.memberId });
    const wrong = await handOver(owner.token, { memberId: ben.memberId, currentPassword: "guess" });
    const right = await handOver(owner.token, {
      memberId: ben.memberId,
      currentPassword: "correct horse battery",
    });

    expect([answerOf(stale), answerOf(wrong), right.status]).toEqual([
      [403, "proof_needed"],
      [400, "validation_failed"],
      200,
    ]);
    app.clock.advance(-11 * MINUTE_MS);
  });

  test("is refused for oneself, a stranger, somebody whose membership is over, and by a manager", async () => {
    const [ended, manager] = [member("artist"), member("manager")];
    run("UPDATE members SET ends_at = 1 WHERE id = ?", ended.memberId);
    const ownersId = (await app.signedIn(owner.token)("GET", "/app/team")).body.data.me.id;

    expect(answerOf(await handOver(owner.token, { memberId: ownersId }))).toEqual([
      409,
      "invalid_transition",
    ]);
    expect(answerOf(await handOver(owner.token, { memberId: "mem_none" }))).toEqual([
      404,
      "member_not_found",
    ]);
    expect(answerOf(await handOver(owner.token, { memberId: ended.memberId }))).toEqual([
      404,
      "member_not_found",
    ]);
    expect(answerOf(await handOver(manager.token, { memberId: manager.memberId }))).toEqual([
      403,
      "insufficient_scope",
    ]);
  });

  test("at once to two: one gets it", async () => {
    const [ben, eva] = [member("artist"), member("producer")];
    const password = { currentPassword: "correct horse battery" };

    const both = await Promise.all([
      handOver(owner.token, { memberId: ben.memberId, ...password }),
      handOver(owner.token, { memberId: eva.memberId, ...password }),
    ]);

    expect(both.map(({ status }) => status).sort()).toEqual([200, 403]);
    expect((await roles(owner.token)).filter((each: string) => each.endsWith("owner")).length).toBe(1);
  });
});

describe("GET /app/team/log", () => {
  test("says in sentences who did what, newest first, page by page", async () => {
    const ben = member("producer");
    run("UPDATE people SET name = 'Ben' WHERE id = ?", ben.personId);
    const call = app.signedIn(owner.token);
    const email = fresh();
    const link = await invited(app, owner.token, { email, role: "artist" });
    await join(app, { token: link.token, name: "Eva", password: "long enough" });
    await call("PATCH", `/app/team/members/${ben.memberId}`, { role: "artist", seesSplits: true });
    const { id } = (await call("POST", "/integration/api-keys", { name: "NAS" })).body.data;
    await call("POST", `/integration/api-keys/${id}/revoke`);
    await call("DELETE", `/app/team/members/${ben.memberId}`);
    await call("PATCH", "/app/library", { name: "Night Label" });

    const first = await call("GET", "/app/team/log?limit=4");
    const rest = await call("GET", `/app/team/log?limit=10&cursor=${first.body.paging.next_cursor}`);

    const entries = [...first.body.data, ...rest.body.data];
    expect(first.body.data.length).toBe(4);
    expect(entries.map(({ sentence }) => sentence).sort()).toEqual(
      [
        "Someone called the library “Night Label”",
        "Someone removed Ben",
        "Someone revoked the API key “NAS”",
        "Someone made the API key “NAS”",
        "Someone made Ben an artist and let them see splits",
        "Eva joined as artist",
        `Someone invited ${email} as artist`,
      ].sort(),
    );
    const joined = entries.find(({ action }) => action === "team.join");
    expect(joined.by).toEqual({ id: expect.stringMatching(/^usr_/), name: "Eva" });
    expect(new Set(entries.map((each) => each.id)).size).toBe(7);
  });

  test("is for those who manage the team, of their own library", async () => {
    const other = app.createAccount();
    await invited(app, other.token, { email: fresh() });

    expect((await app.signedIn(owner.token)("GET", "/app/team/log")).body.data).toEqual([]);
    expect(answerOf(await app.signedIn(member("producer").token)("GET", "/app/team/log"))).toEqual([
      403,
      "insufficient_scope",
    ]);
  });
});
