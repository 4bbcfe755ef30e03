import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { attributesOf, createVisitor } from "../pages/visitor.ts";
import { createTestApp, jsonOf, type TestApp } from "../support/app.ts";
import { addMember, joinToo } from "../support/team.ts";
import { addTrackRows } from "../support/track-rows.ts";

const PASSWORD = "correct horse battery";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const run = (sql: string, ...values: (string | number)[]) => app.deps.db.$client.run(sql, values);

/** Mara's label, and Ben, who owns a studio and is a member of the label: the session that he has is in the studio. */
async function createBen(role: "producer" | "listener" = "producer") {
  const label = app.createAccount();
  const studio = app.createAccount();
  run("UPDATE people SET name = 'Ben' WHERE id = ?", studio.accountId);
  app.clock.advance(1000);
  const memberId = joinToo(app, label.accountId, studio.accountId, { role });
  const track = addTrackRows(app.deps.db, label.accountId, { title: "Night Ferry" });
  const mara = app.signedIn(label.token);
  const made = await mara("POST", "/app/library/playlists", { name: "Roughs", trackIds: [track.id] });
  const playlistId: string = made.body.data.playlist.id;
  const settings = { playlistId, allowComments: true, password: "sesame" };
  const shared = (await mara("POST", "/app/shares", settings)).body.data;
  const browser = createVisitor(app);
  await browser.post("/signin", { email: studio.email, password: PASSWORD });
  return {
    label: label.accountId,
    studio: studio.accountId,
    personId: studio.accountId,
    email: studio.email,
    memberId,
    trackId: track.id,
    playlistId,
    shareId: shared.id as string,
    linkPath: new URL(shared.url).pathname,
    browser,
  };
}

describe("the console", () => {
  test("opens in the library that its address names, with that library's data", async () => {
    const { browser, label, studio, trackId } = await createBen();

    const own = await browser.open(`/library/tracks/${trackId}`);
    const named = await browser.open(`/library/tracks/${trackId}?in=${label}`);

    expect([own.status, named.status]).toEqual([404, 200]);
    expect(named.text).toContain("<h1>Night Ferry</h1>");
    const [, data = "{}"] = /<script id="first-data"[^>]*>(.*?)<\/script>/.exec(named.text) ?? [];
    const { library, libraries } = JSON.parse(data);
    expect(library).toMatchObject({ id: label, role: "producer" });
    expect(libraries.map(({ id }: { id: string }) => id)).toEqual([studio, label]);
  });

  test("says so when the address names a library in which the person is not, and leads to theirs", async () => {
    const { browser, studio } = await createBen();
    const other = app.createAccount().accountId;

    const { status, text } = await browser.open(`/library?in=${other}`);

    expect(status).toBe(403);
    expect(text).toContain("<h1>You are not in this library</h1>");
    expect(attributesOf(text, "href")).toContain(`/library?in=${studio}`);
  });

  test("opens another library of the person when the one that the session chose is closed", async () => {
    const { browser, studio, label } = await createBen();
    run("UPDATE accounts SET active = 0 WHERE id = ?", studio);

    const { status, location } = await browser.open("/library/links?x=1");

    expect([status, location]).toEqual([303, `/library/links?x=1&in=${label}`]);
    expect((await browser.open(location ?? "")).status).toBe(200);
  });

  test("tells somebody whose last membership is over that they are in no library now", async () => {
    const { accountId } = app.createAccount();
    const { memberId, token } = addMember(app, accountId, { role: "artist" });
    run("UPDATE members SET ends_at = ? WHERE id = ?", app.clock.now(), memberId);
    const browser = createVisitor(app);
    browser.setCookie("dubplate_session", token, "/");

    const { status, text } = await browser.open("/library/tracks/trk_1");

    expect(status).toBe(403);
    expect(text).toContain("<h1>You are in no library now</h1>");
    expect((await app.signedIn(token)("GET", "/auth/session")).status).toBe(401);
  });
});

describe("signing in", () => {
  test("tells somebody who has left their last library, once the password is right", async () => {
    const { email, personId } = await createBen();
    run("UPDATE members SET ends_at = ? WHERE person_id = ?", app.clock.now(), personId);
    const login = (password: string) =>
      app.request("/auth/login", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ email, password }),
      });

    const [right, wrong] = [await login(PASSWORD), await login("wrong horse")];

    expect([right.status, wrong.status]).toEqual([401, 401]);
    expect((await jsonOf(right)).message).toBe("You are in no library now. Ask for an invitation");
    expect((await jsonOf(wrong)).message).toBe("The e-mail address or the password is wrong");
  });

  test("lets in the operator who is in no library, who then opens no library", async () => {
    const inner = await createTestApp();
    const { email, accountId } = inner.createAccount();
    inner.createAccount();
    inner.deps.db.$client.run("UPDATE members SET ends_at = ? WHERE account_id = ?", [
      inner.clock.now(),
      accountId,
    ]);
    const browser = createVisitor(inner);

    await browser.post("/signin", { email, password: PASSWORD });
    const page = await browser.open("/library");
    const session = await browser.open("/auth/session");
    const tracks = await browser.open("/app/tracks", { accept: "application/json" });

    expect([page.status, page.text.includes("<h1>You are in no library now</h1>")]).toEqual([403, true]);
    expect(JSON.parse(session.text).data).toMatchObject({ library: null, libraries: [] });
    expect([tracks.status, JSON.parse(tracks.text).messageCode]).toEqual([403, "not_a_member"]);
    await inner.close();
  });
});

describe("a member's visit to a link of one of their libraries", () => {
  test("needs no password and counts nowhere, whatever library the session is in", async () => {
    const { browser, linkPath, shareId } = await createBen();

    const { status, text } = await browser.open(linkPath);
    app.app.counting.flush();

    expect([status, text.includes("<h1>Roughs</h1>")]).toEqual([200, true]);
    const { $client } = app.deps.db;
    const last = "SELECT left_out FROM activity WHERE share_id = ? ORDER BY seq DESC LIMIT 1";
    expect($client.query(last).get(shareId)).toEqual({ left_out: "owner" });
  });

  test("that leaves a comment has the member as its author, and notifies nobody of a visitor", async () => {
    const { browser, linkPath, trackId, personId } = await createBen();
    const { text } = await browser.open(linkPath);
    const proof = {
      e: /name="e" value="([^"]*)"/.exec(text)?.[1] ?? "",
      s: /name="s" value="([^"]*)"/.exec(text)?.[1] ?? "",
    };

    const comment = { ...proof, name: "Ben", text: "Louder", at: "", track: trackId };
    await browser.post(`${linkPath}/comments`, comment);

    const { $client } = app.deps.db;
    expect($client.query("SELECT author_id FROM comments WHERE track_id = ?").all(trackId)).toEqual([
      { author_id: personId },
    ]);
    expect($client.query("SELECT kind FROM notifications WHERE entity_id = ?").all(trackId)).toEqual([]);
    const noted = $client
      .query("SELECT actor_type, actor_name FROM activity WHERE actor_name = 'Ben' ORDER BY seq DESC LIMIT 1")
      .get();
    expect(noted).toEqual({ actor_type: "user", actor_name: "Ben" });
  });

  test("is a stranger's from the moment when they are removed", async () => {
    const { browser, linkPath, memberId } = await createBen();
    run("DELETE FROM members WHERE id = ?", memberId);

    expect((await browser.open(linkPath)).text).toContain("A private link");
  });
});

describe("the plain page of a playlist", () => {
  test("opens for every member of its library, and for nobody else", async () => {
    const { browser, playlistId } = await createBen();
    const stranger = app.createAccount();
    const other = createVisitor(app);
    await other.post("/signin", { email: stranger.email, password: PASSWORD });
    const path = `/library/playlists/${playlistId}/plain`;

    const [own, foreign] = [await browser.open(path), await other.open(path)];

    expect([own.status, own.text.includes("<h1>Roughs</h1>"), foreign.status]).toEqual([200, true, 404]);
  });

  test("gives a listener no originals", async () => {
    const { browser, playlistId } = await createBen("listener");
    const path = `/library/playlists/${playlistId}/plain`;

    const [page, archive] = [await browser.open(path), await browser.open(`${path}/download`)];

    expect([page.status, page.text.includes(`${path}/download`), archive.status]).toEqual([200, false, 403]);
  });
});
