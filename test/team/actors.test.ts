import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Role } from "../../db/schema.ts";
import { type KeyActor, mayDo } from "../../src/kernel/actor.ts";
import { principalOfKey } from "../../src/modules/people/keys/service.ts";
import { notify } from "../../src/modules/people/notifications/service.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import { addMember } from "../support/team.ts";

let app: TestApp;
let owner: ReturnType<TestApp["createAccount"]>;
beforeAll(async () => {
  app = await createTestApp();
  owner = app.createAccount();
});
afterAll(() => app.close());

/** Who requests with a key act as that somebody made. */
async function actorOfKeyOf(role: Role): Promise<{ actor: KeyActor; memberId: string; personId: string }> {
  const member = addMember(app, owner.accountId, { role: "manager" });
  const made = await app.signedIn(member.token)("POST", "/integration/api-keys", { name: "mine" });
  app.deps.db.$client.query("UPDATE members SET role = ? WHERE id = ?").run(role, member.memberId);
  return { ...member, actor: principalOfKey(app.deps, made.body.data.key, null).actor };
}

describe("whoever acts", () => {
  test("with a key of a listener: may what the listener may", async () => {
    const { actor, memberId, personId } = await actorOfKeyOf("listener");

    expect(actor).toMatchObject({ memberId, personId: personId as never });
    expect([mayDo(actor, "read:tracks"), mayDo(actor, "download:originals")]).toEqual([true, false]);
  });

  test("with a key of the owner, or of the operator: is limited by nobody's role", async () => {
    const made = await app.signedIn(owner.token)("POST", "/integration/api-keys", { name: "mine" });
    const [own, operators] = [made.body.data.key, app.createKey(owner.accountId)].map(
      (key) => principalOfKey(app.deps, key, null).actor,
    );

    expect(own).toMatchObject({ personId: owner.accountId as never, memberId: expect.any(String) });
    expect([own?.allowed, operators?.allowed, operators?.personId]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(own && mayDo(own, "own:library")).toBe(true);
  });

  test("through the session's door to the library: is the person, not the library", async () => {
    const member = addMember(app, owner.accountId, { role: "manager" });
    const as = app.signedIn(member.token);
    const unread = async (call: typeof as, path: string) => (await call("GET", path)).body.unreadCount;
    notify(
      app.deps.db,
      {
        accountId: owner.accountId,
        kind: "track.audio_replaced",
        title: "News",
        entityKey: "track",
        entityId: "trk_x",
      },
      app.clock.now(),
    );

    await as("POST", "/app/library/notifications/read");

    expect(await unread(as, "/app/library/notifications")).toBe(0);
    expect(await unread(app.signedIn(owner.token), "/app/library/notifications")).toBe(1);
  });
});
