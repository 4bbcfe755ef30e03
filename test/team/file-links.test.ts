import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createTestApp, type Json, jsonOf, type TestApp } from "../support/app.ts";
import { sine, wavBytes } from "../support/signals.ts";
import { addMember, joinToo } from "../support/team.ts";

let app: TestApp;
let owner: ReturnType<TestApp["createAccount"]>;
let trackId: string;
beforeAll(async () => {
  app = await createTestApp();
  owner = app.createAccount();
  const form = new FormData();
  form.append("files", new File([wavBytes([sine(8000, 0.2, 440)], 8000, 16)], "Night Ferry.wav"));
  const uploaded = await app.as(app.createKey(owner.accountId))("POST", "/tracks/upload", form);
  trackId = uploaded.body.data.uploaded[0].id;
  await app.drainJobs();
});
afterAll(() => app.close());

const run = (sql: string, ...values: (string | number)[]) => app.deps.db.$client.run(sql, values);

/** A producer, with the links to an original and to what is played that the console gives them. */
async function createBen() {
  const ben = addMember(app, owner.accountId, { role: "producer" });
  const web = app.signedIn(ben.token);
  const listed: Json = (await web("GET", `/app/library/tracks/${trackId}/versions`)).body.data;
  const sheet: Json = (await web("GET", `/app/tracks/${trackId}/versions`)).body.data;
  const original: string = listed.versions[0].downloadUrl;
  const played: string = sheet[0].playbackUrl;
  return { ...ben, original, played };
}

const part = (link: string) =>
  app.request(`${new URL(link).pathname}${new URL(link).search}`, { headers: { range: "bytes=0-9" } });

describe("a link to a file that somebody gets in the console", () => {
  test.each([
    ["are removed", "DELETE FROM members WHERE id = ?"],
    ["are blocked", "UPDATE people SET active = 0 WHERE id = (SELECT person_id FROM members WHERE id = ?)"],
    ["reach the end of the membership", "UPDATE members SET ends_at = 1 WHERE id = ?"],
  ])("serves no further part once they %s, whoever has it", async (_, sql) => {
    const { memberId, original, played } = await createBen();
    const before = [await part(original), await part(played)];

    run(sql, memberId);
    const after = [await part(original), await part(played)];

    expect(before.map(({ status }) => status)).toEqual([206, 206]);
    expect(after.map(({ status }) => status)).toEqual([403, 403]);
    for (const refused of after) expect((await jsonOf(refused)).messageCode).toBe("invalid_link");
  });

  test("serves no original once they are listeners", async () => {
    const { memberId, original } = await createBen();
    run("UPDATE members SET role = 'listener' WHERE id = ?", memberId);

    const refused = await part(original);

    expect([refused.status, (await jsonOf(refused)).messageCode]).toEqual([403, "invalid_link"]);
  });

  test("says to a listener that nothing is there to be played yet", async () => {
    const lena = addMember(app, owner.accountId, { role: "listener" });
    const sheet: Json = (await app.signedIn(lena.token)("GET", `/app/tracks/${trackId}/versions`)).body.data;

    const refused = await part(sheet[0].playbackUrl);

    expect([refused.status, (await jsonOf(refused)).messageCode]).toEqual([404, "not_found"]);
  });

  test("stays dead when they join again", async () => {
    const { memberId, personId, original } = await createBen();
    run("DELETE FROM members WHERE id = ?", memberId);
    joinToo(app, owner.accountId, personId, { role: "producer" });

    expect((await part(original)).status).toBe(403);
  });

  test("names its member inside the signature: without the name, or with another, it opens nothing", async () => {
    const { original, memberId } = await createBen();
    const other = addMember(app, owner.accountId, { role: "producer" });

    expect(new URL(original).searchParams.get("m")).toBe(memberId);
    expect((await part(original.replace(`&m=${memberId}`, ""))).status).toBe(403);
    expect((await part(original.replace(memberId, other.memberId))).status).toBe(403);
  });
});

test("a link that a key gets works for whoever has it, as ever, also when its maker is gone", async () => {
  const ben = addMember(app, owner.accountId, { role: "manager" });
  const made = await app.signedIn(ben.token)("POST", "/integration/api-keys", { name: "mine" });
  const { body } = await app.as(made.body.data.key)("GET", `/tracks/${trackId}/versions`);
  const link: string = body.data.versions[0].downloadUrl;

  run("DELETE FROM members WHERE id = ?", ben.memberId);

  expect(new URL(link).searchParams.has("m")).toBe(false);
  expect((await part(link)).status).toBe(206);
});
