import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { and, eq } from "drizzle-orm";
import { events, shareAnswers, tracks, versions } from "../../db/schema.ts";
import { DAY_MS, HOUR_MS } from "../../src/kernel/time.ts";
import { mayReceive } from "../../src/modules/outward/webhooks/receivers.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import { addMember } from "../support/team.ts";
import { addTrackRows, addVersionRow } from "../support/track-rows.ts";
import { createVisitor, textOf } from "./visitor.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

type Visitor = ReturnType<typeof createVisitor>;
type Fields = Record<string, string>;

/** Makes a library with two tracks in a playlist, and links that ask for an answer. */
async function library() {
  const { accountId, token } = app.createAccount();
  const add = (name: string, title: string) =>
    addTrackRows(app.deps.db, accountId, { name, title, durationSec: 187.25, measured: {} });
  const [first, second] = [add("a.wav", "Night Ferry"), add("b.wav", "Harbour")];
  const key = app.as(app.createKey(accountId));
  const made = await key("POST", "/playlists", { name: "EP", trackIds: [first.id, second.id] });
  const playlistId: string = made.body.data.playlist.id;
  const signedIn = app.signedIn(token);
  const share = async (settings: object): Promise<{ id: string; path: string }> => {
    const { body } = await signedIn("POST", "/app/shares", settings);
    return { id: body.data.id, path: new URL(body.data.url).pathname };
  };
  const asking = { recipient: "Bo Berg", askAnswer: true };
  return {
    accountId,
    token,
    first,
    second,
    playlistId,
    key,
    signedIn,
    shareTrack: (settings: object = {}) => share({ trackId: first.id, ...asking, ...settings }),
    sharePlaylist: (settings: object = {}) => share({ playlistId, ...asking, ...settings }),
    linkOf: async (id: string) => (await signedIn("GET", `/app/shares/${id}`)).body.data,
    answers: async (query = "") => (await signedIn("GET", `/app/answers${query}`)).body,
    told: async () =>
      (await signedIn("GET", "/app/notifications")).body.data
        .filter(({ kind }: Fields) => kind === "share.answered")
        .map(({ title, entityKey, entityId }: Fields) => [title, entityKey, entityId]),
    announced: () =>
      app.deps.db
        .select({ data: events.data })
        .from(events)
        .where(and(eq(events.ownerId, accountId), eq(events.type, "share.answered")))
        .all()
        .map(({ data }) => data),
  };
}

/** The forms for an answer on a page, with what a browser without a script would send. */
const formsOf = (html: string) =>
  [...html.matchAll(/<form[^>]* action="([^"]*)" class="pitch-form">([\s\S]*?)<\/form>/g)].map(
    ([, action = "", inner = ""]) => ({
      action: action.replaceAll("&amp;", "&"),
      fields: Object.fromEntries(
        [...inner.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(
          ([, name = "", value = ""]) => [name, value],
        ),
      ) as Fields,
      buttons: new Map(
        [...inner.matchAll(/<button[^>]* name="answer" value="([^"]*)"[^>]*>([^<]*)<\/button>/g)].map(
          ([, value = "", words = ""]) => [words, value],
        ),
      ),
    }),
  );

/** Presses a button about the nth track of a page, after writing a note. */
function press(visitor: Visitor, html: string, button: string, { note = "", nth = 0, ...headers } = {}) {
  const form = formsOf(html)[nth];
  const answer = form?.buttons.get(button);
  if (!form || answer === undefined) throw new Error(`The page has no button "${button}"`);
  return visitor.post(form.action, { ...form.fields, note, answer }, headers as unknown as Fields);
}

const rowsOf = (shareId: string) =>
  app.deps.db.select().from(shareAnswers).where(eq(shareAnswers.shareId, shareId)).all();

describe("a link that asks for an answer", () => {
  test("asks in a group with four buttons and a note, and other links ask nothing", async () => {
    const owner = await library();
    const [asking, silent] = [await owner.shareTrack(), await owner.shareTrack({ askAnswer: false })];

    const { text } = await createVisitor(app).open(asking.path);

    expect(textOf({ text })).toContain("Someone asks for your answer.");
    expect(text).toMatch(/<fieldset><legend>Your answer<\/legend>/);
    expect([...(formsOf(text)[0]?.buttons ?? [])]).toEqual([
      ["Interested", "interested"],
      ["Pass", "pass"],
      ["Need instrumental", "instrumental"],
      ["Ask for terms", "terms"],
    ]);
    expect(text).toMatch(/<span>Note<\/span><textarea name="note"[^>]* maxlength="1000"/);
    expect((await createVisitor(app).open(silent.path)).text).not.toMatch(/pitch|Your answer/);
  });

  test("takes an answer without a script, tells it, and lets the recipient change it", async () => {
    const owner = await library();
    const { path, id } = await owner.shareTrack();
    const visitor = createVisitor(app);
    expect(await owner.linkOf(id)).toMatchObject({ answer: null, opened: false });

    const sent = await press(visitor, (await visitor.open(path)).text, "Interested", {
      note: "Stems & <price>?",
    });

    expect([sent.status, sent.location]).toEqual([303, `${path}#pitch-${owner.first.id}`]);
    const after = (await visitor.open(path)).text;
    expect(textOf({ text: after })).toContain("Someone has your answer: Interested.");
    expect(after).toContain("“Stems &amp; &lt;price>?”");
    expect(after).toContain("<summary>Change</summary>");
    expect(await owner.linkOf(id)).toMatchObject({
      opened: true,
      answer: { trackId: owner.first.id, answer: "interested", text: "Stems & <price>?", done: false },
    });
    app.clock.advance(1000);

    await press(visitor, after, "Pass");

    expect(textOf(await visitor.open(path))).toContain("Someone has your answer: Pass.");
    expect(rowsOf(id)).toMatchObject([{ answer: "pass", text: null, versionId: owner.first.versionId }]);
    expect(owner.announced()).toEqual([
      { shareId: id, trackId: owner.first.id, answer: "interested" },
      { shareId: id, trackId: owner.first.id, answer: "pass" },
    ]);
    expect(await owner.told()).toEqual([
      ["The recipient of a link passes on a.wav", "track", owner.first.id],
    ]);
  });

  test("says the same again without telling anybody", async () => {
    const owner = await library();
    const { path, id } = await owner.shareTrack();
    const visitor = createVisitor(app);
    const { text } = await visitor.open(path);
    await press(visitor, text, "Ask for terms", { note: "For a film" });
    const [before] = rowsOf(id);
    app.clock.advance(HOUR_MS);

    await press(visitor, text, "Ask for terms", { note: " For a film\r\n" });

    expect(rowsOf(id)).toEqual(before ? [before] : []);
    expect(owner.announced()).toHaveLength(1);
    expect(await owner.told()).toHaveLength(1);
  });

  test("answers a script with the part of the page that changed", async () => {
    const owner = await library();
    const { path } = await owner.shareTrack();
    const visitor = createVisitor(app);

    const accept = "application/json";
    const sent = await press(visitor, (await visitor.open(path)).text, "Need instrumental", {
      accept,
    } as object);

    const json = JSON.parse(sent.text);
    expect(json).toMatchObject({ trackId: owner.first.id, answer: "instrumental", text: null });
    expect(textOf({ text: json.html })).toContain("Someone has your answer: Need instrumental.");
    expect(json.html).toContain(`id="pitch-${owner.first.id}"`);
  });

  test("asks about each track of a playlist, and counts them", async () => {
    const owner = await library();
    const { path, id } = await owner.sharePlaylist();
    const visitor = createVisitor(app);
    const { text } = await visitor.open(path);
    expect(textOf({ text })).toContain("Someone asks for your answer to each of these 2 tracks.");
    expect(formsOf(text)).toHaveLength(2);

    await press(visitor, text, "Interested", { nth: 1 });
    app.clock.advance(1000);
    await press(visitor, text, "Pass", { nth: 0, note: "Too slow" });
    expect((await visitor.open(path)).text).toContain(">Too slow</textarea>");

    const page = textOf(await visitor.open(path));
    expect(page).toContain("Someone has your answer to 2 of 2 tracks.");
    expect(page).toMatch(
      /Night Ferry .*has your answer: Pass\. “Too slow”.* Harbour .*has your answer: Interested\./,
    );
    expect(await owner.linkOf(id)).toMatchObject({ answer: { trackId: owner.first.id, answer: "pass" } });
    expect(await owner.told()).toEqual([
      ["The recipient of a link answered about 2 tracks", "playlist", owner.playlistId],
    ]);
    expect((await visitor.open(`${path}/tracks?e=1&s=2`)).status).toBe(403);
  });

  test("keeps the version that was on its page, though another one is active meanwhile, or it is deleted", async () => {
    const owner = await library();
    const { path, id } = await owner.shareTrack();
    const visitor = createVisitor(app);
    const { text } = await visitor.open(path);
    const later = addVersionRow(app.deps.db, owner.first.id, { versionOrder: 1, label: "v2" });
    await owner.key("POST", `/tracks/${owner.first.id}/versions/${later}/activate`);

    await press(visitor, text, "Interested");
    const heard = await owner.answers();
    app.deps.db.delete(versions).where(eq(versions.id, owner.first.versionId)).run();

    expect(heard.data).toMatchObject([{ versionId: owner.first.versionId, versionLabel: "Original" }]);
    expect((await owner.answers()).data).toMatchObject([
      { versionId: null, versionLabel: null, answer: "interested" },
    ]);
    expect(rowsOf(id)).toHaveLength(1);
  });
});

describe("an answer is refused", () => {
  test.each([
    ["that is none", { answer: "maybe" }, 400],
    ["without one", { answer: "" }, 400],
    ["with a note of 1001 characters", { note: "x".repeat(1001) }, 400],
    ["about another track", { track: "trk_0none" }, 404],
    ["with a forged proof", { s: "AAAAAAAAAAAAAAAAAAAAAA" }, 403],
    ["with the proof of another version", { version: "ver_other" }, 403],
    ["with a field that the form does not have", { colour: "blue" }, 400],
  ])("%s, and nothing is kept", async (_, change, status) => {
    const owner = await library();
    const { path, id } = await owner.shareTrack();
    const visitor = createVisitor(app);
    const form = formsOf((await visitor.open(path)).text)[0];
    const fields: Fields = { ...form?.fields, answer: "interested", note: "Hello", ...change };

    const sent = await visitor.post(`${path}/answer`, fields);

    expect(sent.status).toBe(status);
    expect(rowsOf(id)).toEqual([]);
    // What was typed into the page is still there.
    if ("note" in change) expect(sent.text).toContain(`${"x".repeat(1000)}`);
  });

  test.each([
    ["the proof of another link", {}, 403],
    ["a link that asks nothing", { askAnswer: false }, 409],
    ["a link that lost its recipient", { recipient: null }, 409],
    ["a link that was turned off", { shared: false }, 404],
    ["a link that opens tomorrow", { notBefore: "tomorrow" }, 404],
    ["a link that was revoked", undefined, 403],
  ])("through %s", async (name, change, status) => {
    const owner = await library();
    const [one, other] = [await owner.shareTrack(), await owner.shareTrack()];
    const visitor = createVisitor(app);
    const form = formsOf((await visitor.open(one.path)).text)[0];
    const tomorrow = new Date(app.clock.now() + DAY_MS).toISOString();
    const settings = change && ("notBefore" in change ? { notBefore: tomorrow } : change);
    const path = name === "the proof of another link" ? other.path : one.path;
    if (settings) await owner.signedIn("PATCH", `/app/shares/${one.id}`, settings);
    else await owner.signedIn("DELETE", `/app/shares/${one.id}`);

    const sent = await visitor.post(`${path}/answer`, { ...form?.fields, answer: "interested", note: "" });

    expect(sent.status).toBe(status);
    expect([...rowsOf(one.id), ...rowsOf(other.id)]).toEqual([]);
  });

  test("from a member of the library, who does not speak for the recipient", async () => {
    const owner = await library();
    const { path, id } = await owner.shareTrack();
    const member = createVisitor(app);
    member.setCookie("dubplate_session", owner.token);

    const { text } = await member.open(path);
    const sent = await press(member, text, "Interested");

    expect(textOf({ text })).toContain("Bo Berg answers here.");
    expect(text).toContain("<fieldset disabled");
    expect([sent.status, rowsOf(id)]).toEqual([409, []]);
    expect(await owner.linkOf(id)).toMatchObject({ opened: false });
  });
});

describe("GET /app/answers", () => {
  test("lists what recipients answered, newest first, page by page, and how many are open", async () => {
    const owner = await library();
    const bo = await owner.sharePlaylist({ recipient: "Bo <bo@example.com>" });
    const cy = await owner.shareTrack({ recipient: "Cy" });
    const visitor = createVisitor(app);
    const page = (await visitor.open(bo.path)).text;
    await press(visitor, page, "Interested", { note: "Send stems?" });
    app.clock.advance(1000);
    await press(visitor, page, "Pass", { nth: 1 });
    app.clock.advance(1000);
    await press(visitor, (await visitor.open(cy.path)).text, "Ask for terms");

    const { data, paging, openCount } = await owner.answers("?limit=2");
    const rest = await owner.answers(`?limit=2&cursor=${paging.next_cursor}`);

    expect(data.map(({ recipient, answer }: Fields) => [recipient, answer])).toEqual([
      ["Cy", "terms"],
      ["Bo <bo@example.com>", "pass"],
    ]);
    expect(openCount).toBe(3);
    expect(rest.data).toEqual([
      {
        id: expect.stringMatching(/^ans_/),
        shareId: bo.id,
        recipient: "Bo <bo@example.com>",
        recipientEmail: rest.data[0].recipientEmail,
        entity: "playlist",
        entityId: owner.playlistId,
        playlistName: "EP",
        trackId: owner.first.id,
        title: "Night Ferry",
        artist: null,
        versionId: owner.first.versionId,
        versionLabel: "Original",
        answer: "interested",
        text: "Send stems?",
        at: expect.any(String),
        done: false,
        doneAt: null,
      },
    ]);
    expect(rest.paging.next_cursor).toBeNull();
    const ofTrack = await owner.answers(`?trackId=${owner.first.id}`);
    expect(ofTrack.data.map(({ answer }: Fields) => answer)).toEqual(["terms", "interested"]);
    expect((await owner.answers(`?shareId=${bo.id}`)).data).toHaveLength(2);
    expect((await owner.signedIn("GET", `/app/answers?trackId=x&cursor=${paging.next_cursor}`)).status).toBe(
      400,
    );
  });

  test("is done with an answer, opens it again, and a new answer is open", async () => {
    const owner = await library();
    const { path, id: shareId } = await owner.shareTrack();
    const visitor = createVisitor(app);
    const { text } = await visitor.open(path);
    await press(visitor, text, "Interested");
    const [{ id }] = (await owner.answers()).data;
    const settle = (done: boolean) => owner.signedIn("PATCH", `/app/answers/${id}`, { done });

    const done = await settle(true);
    app.clock.advance(1000);
    const again = await settle(true);

    expect(done.body.data).toMatchObject({ done: true, doneAt: expect.any(String) });
    expect(again.body.data).toEqual(done.body.data);
    expect(await owner.answers("?done=false")).toMatchObject({ data: [], openCount: 0 });
    expect((await owner.answers("?done=true")).data).toMatchObject([{ id }]);
    expect((await owner.linkOf(shareId)).answer.done).toBe(true);
    expect((await settle(false)).body.data).toMatchObject({ done: false, doneAt: null });
    await settle(true);
    await press(visitor, text, "Pass");
    expect((await owner.answers("?done=false")).data).toMatchObject([{ id, answer: "pass", done: false }]);
  });

  test("leaves out a track in the bin, and another library's answers do not exist", async () => {
    const [owner, stranger] = [await library(), await library()];
    const { path, id: shareId } = await owner.shareTrack();
    const visitor = createVisitor(app);
    await press(visitor, (await visitor.open(path)).text, "Interested");
    const [{ id }] = (await owner.answers()).data;

    const foreign = await stranger.signedIn("PATCH", `/app/answers/${id}`, { done: true });
    app.deps.db.update(tracks).set({ deletedAt: 1 }).where(eq(tracks.id, owner.first.id)).run();

    expect([foreign.status, foreign.body.messageCode]).toEqual([404, "answer_not_found"]);
    expect((await stranger.answers()).data).toEqual([]);
    expect(await owner.answers()).toMatchObject({ data: [], openCount: 0 });
    expect((await owner.signedIn("PATCH", `/app/answers/${id}`, { done: true })).status).toBe(404);
    expect((await owner.linkOf(shareId)).answer).toBeNull();
  });
});

describe("of an answer hears", () => {
  test.each([
    ["manager", 1, ["shares", "notifications"]],
    ["producer", 1, ["shares", "notifications"]],
    ["artist", 0, ["notifications"]],
    ["listener", 0, ["notifications"]],
  ] as const)("a %s: %p notification", async (role, count, topics) => {
    const owner = await library();
    const member = app.signedIn(addMember(app, owner.accountId, { role }).token);
    const { path } = await owner.shareTrack();
    const visitor = createVisitor(app);
    const { text } = await visitor.open(path);
    const { seq } = (await member("GET", "/app/changes")).body.data;

    await press(visitor, text, "Interested");

    const told = (await member("GET", "/app/notifications")).body;
    expect([told.data.length, told.unreadCount]).toEqual([count, count]);
    const { changes } = (await member("GET", `/app/changes?after=${seq}`)).body.data;
    expect(changes.map(({ topic }: Fields) => topic).toSorted()).toEqual([...topics].toSorted());
    expect((await member("GET", "/app/answers")).status).toBe(count === 1 ? 200 : 403);
  });

  test.each([
    [["read:shares"], true],
    [["read:tracks", "read:comments"], false],
    [null, true],
  ])("a webhook of a key with %p: %p", (scopes, isTold) => {
    expect(mayReceive({ scopes }, "share.answered")).toBe(isTold);
  });
});

describe("the Insights", () => {
  test("say what became of asking people, each of them once", async () => {
    const owner = await library();
    const visitor = createVisitor(app);
    const ask = async (recipient: string, settings: object = {}) =>
      owner.shareTrack({ recipient, ...settings });
    const answer = async (recipient: string, button: string) =>
      press(visitor, (await visitor.open((await ask(recipient)).path)).text, button);
    for (const name of ["Ana", "Ben", "Cy"]) await answer(name, "Interested");
    await answer("ana", "Pass");
    await answer("Dee", "Need instrumental");
    for (const name of ["Eve", "Fay"]) await answer(name, "Pass");
    for (const name of ["Gil", "Hal", "Ira"]) await ask(name);
    const opened = await ask("Jo");
    await visitor.open(opened.path);
    await visitor.post(`${opened.path}/seen`, {});
    const gone = await ask("Kim");
    await owner.signedIn("DELETE", `/app/shares/${gone.id}`);
    await ask("Lee", { notBefore: new Date(app.clock.now() + DAY_MS).toISOString() });
    await owner.shareTrack({ recipient: "Moe", askAnswer: false });

    const { body } = await owner.signedIn("GET", "/app/insights?days=7");

    expect(body.data.answers).toEqual({
      people: 10,
      interested: 3,
      instrumental: 1,
      pass: 2,
      terms: 0,
      silent: 1,
      notOpened: 3,
    });
    app.clock.advance(8 * DAY_MS);
    const later = await owner.signedIn("GET", "/app/insights?days=7");
    expect(later.body.data.answers).toMatchObject({ people: 0, interested: 0 });
  });
});
