import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { tidyHourly } from "../../src/upkeep.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import { sine, wavBytes } from "../support/signals.ts";
import { addMember } from "../support/team.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const sql = (text: string, ...values: (string | number)[]) => app.deps.db.$client.query(text).run(...values);

/** A library with an owner and Ben, and one of everything that Ben made. */
async function withBen() {
  const { accountId, token } = app.createAccount();
  const ben = addMember(app, accountId, { role: "producer" });
  sql("UPDATE people SET name = 'Ben' WHERE id = ?", ben.personId);
  const web = app.signedIn(ben.token);
  const form = new FormData();
  form.append("files", new File([wavBytes([sine(8000, 0.2, 440)], 8000, 16)], "Night Ferry.wav"));
  const uploaded = await web("POST", "/app/library/tracks/upload", form);
  const trackId: string = uploaded.body.data.uploaded[0].id;
  await web("POST", "/app/playlists", { name: "Roughs", trackIds: [trackId] });
  await web("POST", "/app/shares", { trackId });
  await web("POST", "/app/briefs", { name: "Songs" });
  const owner = app.signedIn(token);
  /** Of a version, a playlist, its link and the track's, and a brief. */
  const makers = async () => {
    const paths = [`/app/tracks/${trackId}/versions`, "/app/playlists", "/app/links", "/app/briefs"];
    const answers = await Promise.all(paths.map((path) => owner("GET", path)));
    return answers.flatMap(({ body }) => body.data.map(({ madeBy }: { madeBy: unknown }) => madeBy));
  };
  return { accountId, ben, owner, web, trackId, makers };
}

describe("what somebody made carries their name", () => {
  test("as they are called now, also one by one", async () => {
    const { ben, owner, makers } = await withBen();
    const called = { id: ben.personId, name: "Ben" };

    expect(await makers()).toEqual(Array(5).fill(called));
    sql("UPDATE people SET name = 'Benjamin' WHERE id = ?", ben.personId);
    expect(await makers()).toEqual(Array(5).fill({ ...called, name: "Benjamin" }));
    const [playlist] = (await owner("GET", "/app/playlists")).body.data;
    const [brief] = (await owner("GET", "/app/briefs")).body.data;
    const [link] = (await owner("GET", "/app/links")).body.data;
    for (const path of [`playlists/${playlist.id}`, `briefs/${brief.id}`, `links/${link.id}`])
      expect((await owner("GET", `/app/${path}`)).body.data.madeBy.name).toBe("Benjamin");
  });

  test.each([
    ["were removed", "DELETE FROM members WHERE id = ?"],
    ["have come to the end of the membership", "UPDATE members SET ends_at = 1 WHERE id = ?"],
    ["are no more", "DELETE FROM people WHERE id = (SELECT person_id FROM members WHERE id = ?)"],
  ])("as a former member once they %s", async (_, end) => {
    const { ben, makers } = await withBen();

    sql(end, ben.memberId);

    expect(await makers()).toEqual(Array(5).fill({ id: ben.personId, name: "Former member" }));
  });

  test("also when a job finishes for them what they had sent", async () => {
    const { accountId, token } = app.createAccount();
    const ben = addMember(app, accountId, { role: "producer" });
    const bytes = wavBytes([sine(8000, 0.2, 660)], 8000, 16);
    const begun = await app.request("/app/uploads", {
      method: "POST",
      headers: {
        authorization: `Bearer ${ben.token}`,
        "tus-resumable": "1.0.0",
        "content-type": "application/offset+octet-stream",
        "upload-length": String(bytes.length),
        "upload-metadata": `filename ${btoa("Dawn.wav")}`,
      },
      body: bytes,
    });
    expect(begun.status).toBe(201);

    app.clock.advance(8 * 86_400_000);
    await tidyHourly(app.deps);

    const { id } = app.deps.db.$client.query("SELECT id FROM tracks WHERE owner_id = ?").get(accountId) as {
      id: string;
    };
    const [version] = (await app.signedIn(token)("GET", `/app/tracks/${id}/versions`)).body.data;
    expect(version.madeBy).toEqual({ id: ben.personId, name: "The producer" });
  });

  test("nobody's when the operator's key made it", async () => {
    const { accountId, token } = app.createAccount();
    const key = app.as(app.createKey(accountId));
    await key("POST", "/playlists", { name: "Nobody's", trackIds: [] });
    await app.signedIn(token)("POST", "/app/playlists", { name: "Mine" });

    const listed = (await app.signedIn(token)("GET", "/app/playlists")).body.data;

    expect(listed.find(({ name }: { name: string }) => name === "Mine").madeBy.name).toBe("Someone");
    for (const { name, madeBy } of listed) if (name !== "Mine") expect(madeBy).toBeNull();
  });
});
