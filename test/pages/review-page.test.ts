import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { brotliCompressSync, constants } from "node:zlib";
import { eq } from "drizzle-orm";
import { activity, commentPlaces, comments, jobs, reviews, versions } from "../../db/schema.ts";
import { DAY_MS } from "../../src/kernel/time.ts";
import { requestRendition } from "../../src/modules/library/renditions/service.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import { addMeasuredRow, addTrackRows, addVersionRow } from "../support/track-rows.ts";
import { attributesOf, createVisitor, textOf } from "./visitor.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

type Fields = Record<string, string>;

/** The day on the app's clock: `15 January`. */
const today = () => {
  const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", timeZone: "UTC" });
  return day.format(app.clock.now());
};

/** Makes a library with two tracks in a playlist, of which more versions can be added. */
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
  const asking = { recipient: "Bo Berg", allowReview: true };
  return {
    accountId,
    token,
    first,
    second,
    key,
    signedIn,
    shareTrack: (settings: object = asking) => share({ trackId: first.id, ...settings }),
    sharePlaylist: (settings: object = asking) => share({ playlistId, ...settings }),
    /** Adds a version to a track and makes it the one that plays. Returns its id. */
    replace: async (versionOrder: number, trackId = first.id) => {
      const id = addVersionRow(app.deps.db, trackId, { versionOrder, label: `v${versionOrder + 1}` });
      await key("POST", `/tracks/${trackId}/versions/${id}/activate`);
      return id;
    },
  };
}

/** The forms of a page, with what a browser without a script would send. */
function formsOf(html: string): { action: string; fields: Fields; buttons: string[] }[] {
  return [...html.matchAll(/<form[^>]* action="([^"]*)"[^>]*>([\s\S]*?)<\/form>/g)].map(
    ([, action = "", inner = ""]) => ({
      action: action.replaceAll("&amp;", "&"),
      fields: Object.fromEntries(
        [...inner.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(
          ([, name = "", value = ""]) => [name, value],
        ),
      ),
      buttons: [...inner.matchAll(/<button[^>]*>([^<]*)<\/button>/g)].map(([, words = ""]) => words),
    }),
  );
}

/** Presses a button of the page, after writing into its form. */
async function press(
  visitor: ReturnType<typeof createVisitor>,
  html: string,
  button: string,
  typed: Fields = {},
  nth = 0,
) {
  const form = formsOf(html).filter(({ buttons }) => buttons.includes(button))[nth];
  if (!form) throw new Error(`The page has no button "${button}"`);
  const answered = { "This is right": "true", "Still not right": "false" }[button];
  const pressed: Fields = answered === undefined ? {} : { answered };
  return visitor.post(form.action, { ...form.fields, ...typed, ...pressed });
}

const verdictsOf = (shareId: string) =>
  app.deps.db.select().from(reviews).where(eq(reviews.shareId, shareId)).all();
const notesOf = (shareId: string) =>
  app.deps.db.select().from(comments).where(eq(comments.shareId, shareId)).all();

describe("a link that asks for approval", () => {
  test("asks its recipient about the version that plays, and other links ask nothing", async () => {
    const owner = await library();
    await owner.replace(1);
    const [asking, silent] = [await owner.shareTrack(), await owner.shareTrack({ recipient: "Bo" })];

    const { text } = await createVisitor(app).open(asking.path);

    expect(textOf({ text })).toContain("Someone asks for your approval of v2.");
    expect(text).toMatch(/<section class="approval" id="approval" aria-label="Approval">/);
    expect(formsOf(text).flatMap(({ buttons }) => buttons)).toEqual(
      expect.arrayContaining(["Approve", "Ask for changes"]),
    );
    expect(text).toContain('name="name" value="Bo Berg"');
    const other = (await createVisitor(app).open(silent.path)).text;
    expect(other).not.toMatch(/approval|Approve/);
  });

  test("takes an approval without a script, tells it, and lets the recipient change their mind", async () => {
    const owner = await library();
    const versionId = await owner.replace(1);
    const { path, id } = await owner.shareTrack();
    const visitor = createVisitor(app);

    const answer = await press(visitor, (await visitor.open(path)).text, "Approve");

    expect([answer.status, answer.location]).toEqual([303, `${path}#approval-${owner.first.id}`]);
    const after = (await visitor.open(path)).text;
    expect(textOf({ text: after })).toContain(`You approved v2 on ${today()}. Someone has been told.`);
    expect(after).toContain("<summary>Change your answer</summary>");
    expect(verdictsOf(id)).toMatchObject([{ versionId, state: "approved", name: "Bo Berg", personId: null }]);

    await press(visitor, after, "Ask for changes", { text: "A bit less <bass>" });

    const changed = (await visitor.open(path)).text;
    expect(textOf({ text: changed })).toContain(`You asked for changes to v2 on ${today()}.`);
    expect(changed).toContain("A bit less &lt;bass>");
    expect(verdictsOf(id)).toMatchObject([{ state: "changes", text: "A bit less <bass>" }]);
    const told = await owner.signedIn("GET", "/app/notifications");
    expect(told.body.data.map(({ kind }: { kind: string }) => kind)).toContain("version.changes");
  });

  test("is about the version of its page, though the owner makes another one active meanwhile", async () => {
    const owner = await library();
    const second = await owner.replace(1);
    const { path, id } = await owner.shareTrack();
    const visitor = createVisitor(app);
    const { text } = await visitor.open(path);
    await owner.replace(2);

    await press(visitor, text, "Approve");
    await press(visitor, text, "Send comment", { text: "Lovely", name: "Bo", at: "0:42", end: "0:51" });

    expect(verdictsOf(id)).toMatchObject([{ versionId: second }]);
    expect(notesOf(id)).toMatchObject([{ versionId: second, positionSec: 42, endSec: 51 }]);
    const page = textOf(await visitor.open(path));
    expect(page).toContain("Someone asks for your approval of v3.");
  });

  test("a version that is gone takes no verdict, and what was written is about the active one", async () => {
    const owner = await library();
    const second = await owner.replace(1);
    const { path, id } = await owner.shareTrack();
    const visitor = createVisitor(app);
    const { text } = await visitor.open(path);
    const third = await owner.replace(2);
    await owner.key("DELETE", `/tracks/${owner.first.id}/versions/${second}`);

    const refused = await press(visitor, text, "Ask for changes", { text: "kept words" });
    await press(visitor, text, "Send comment", { text: "Lovely", name: "Bo", at: "0:42" });

    expect(refused.status).toBe(404);
    expect(verdictsOf(id)).toEqual([]);
    expect(notesOf(id)).toMatchObject([{ versionId: third, positionSec: 42 }]);
  });

  test("returns JSON to the page's script: what is stored, and how it looks", async () => {
    const owner = await library();
    const { path } = await owner.shareTrack();
    const visitor = createVisitor(app);
    const form = formsOf((await visitor.open(path)).text).find(({ buttons }) => buttons.includes("Approve"));

    const answer = await visitor.post(form?.action ?? "", form?.fields ?? {}, { accept: "application/json" });

    const { html, ...said } = JSON.parse(answer.text);
    expect(said).toEqual({
      trackId: owner.first.id,
      versionId: owner.first.versionId,
      state: "approved",
      text: null,
      at: new Date(app.clock.now()).toISOString(),
    });
    expect(html).toContain(`You approved Original on ${today()}. Someone has been told.`);
  });

  test.each([
    ["a forged proof", { s: "x" }, 403],
    ["no proof", { e: "", s: "" }, 403],
    ["another version of the track", { version: "other" }, 403],
    ["another track", { track: "second" }, 404],
    ["an unknown state", { state: "maybe" }, 400],
    ["a long text", { text: "x".repeat(2001) }, 400],
    ["a field that it does not have", { nonsense: "1" }, 400],
  ])("refuses %s, and nothing is written", async (_, change: Fields, status) => {
    const owner = await library();
    const [, { path, id }] = [await owner.replace(1), await owner.shareTrack()];
    const visitor = createVisitor(app);
    const [form] = formsOf((await visitor.open(path)).text);
    const fields = {
      ...form?.fields,
      ...change,
      ...(change.version && { version: owner.first.versionId }),
      ...(change.track && { track: owner.second.id }),
    };

    const answer = await visitor.post(form?.action ?? "", fields);

    expect(answer.status).toBe(status);
    expect(verdictsOf(id)).toEqual([]);
  });

  test("refuses the proof of another link, of before a new password, of yesterday, and of a link that has ended", async () => {
    const owner = await library();
    const links = await Promise.all([0, 1, 2, 3].map(() => owner.shareTrack()));
    const [one, other, ended, silent] = links;
    const visitor = createVisitor(app);
    const formOf = async (path = "") => formsOf((await visitor.open(path)).text)[0]?.fields ?? {};
    const [proof, ofEnded, ofSilent] = await Promise.all(
      [one, ended, silent].map((link) => formOf(link?.path)),
    );
    await owner.signedIn("DELETE", `/app/shares/${ended?.id}`);
    await owner.signedIn("PATCH", `/app/shares/${silent?.id}`, { allowReview: false });
    const send = async (path = "", fields: Fields = {}) =>
      (await visitor.post(`${path}/review`, fields, { accept: "application/json" })).status;

    const ofOther = await send(other?.path, proof);
    const statuses = [await send(ended?.path, ofEnded), await send(silent?.path, ofSilent)];
    await owner.signedIn("PATCH", `/app/shares/${one?.id}`, { password: "sesame" });
    const ofBefore = await send(one?.path, proof);
    await owner.signedIn("PATCH", `/app/shares/${one?.id}`, { password: null });
    app.clock.advance(2 * DAY_MS);
    const late = await send(one?.path, proof);

    expect([ofOther, ...statuses, ofBefore, late]).toEqual([403, 403, 409, 403, 403]);
    expect(links.flatMap(({ id }) => verdictsOf(id))).toEqual([]);
  });

  test("counts verdicts, answers and comments of an address together, and shows the words again", async () => {
    const owner = await library();
    const { path } = await owner.shareTrack();
    const visitor = createVisitor(app, "203.0.113.99");
    const { text } = await visitor.open(path);
    for (let each = 0; each < 5; each++) {
      expect((await press(visitor, text, "Approve")).status).toBe(303);
      expect((await press(visitor, text, "Send comment", { name: "B", text: "x" })).status).toBe(303);
    }

    const refused = await press(visitor, text, "Ask for changes", { text: "kept words" });

    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).not.toBeNull();
    expect(refused.text).toContain('value="kept words"');
  });

  test("a member of the library who presses speaks for themselves, not for the recipient", async () => {
    const owner = await library();
    const { path, id } = await owner.shareTrack();
    const host = createVisitor(app);
    host.setCookie("dubplate_session", owner.token);

    await press(host, (await host.open(path)).text, "Approve");

    expect(verdictsOf(id)).toEqual([]);
    expect(app.deps.db.select().from(reviews).where(eq(reviews.trackId, owner.first.id)).all()).toMatchObject(
      [{ personId: owner.accountId, shareId: null }],
    );
    expect(textOf(await host.open(path))).toContain("You approved Original on");
    expect(textOf(await createVisitor(app).open(path))).toContain("asks for your approval of Original.");
  });
});

describe("the notes on earlier versions", () => {
  /** Makes a link with two notes on the first version, of which the second version answers one. */
  async function answeredOnce() {
    const owner = await library();
    const link = await owner.shareTrack();
    const visitor = createVisitor(app);
    const { text } = await visitor.open(link.path);
    await press(visitor, text, "Send comment", { name: "Bo", text: "Vocal up", at: "1:05" });
    await press(visitor, text, "Send comment", { name: "Bo", text: "Cut this", at: "0:42", end: "0:51" });
    const [early = "", late = ""] = ["Cut this", "Vocal up"].map(
      (words) => notesOf(link.id).find((note) => note.text === words)?.id,
    );
    const second = await owner.replace(1);
    const marked = await owner.signedIn("PATCH", `/app/comments/${late}`, { answered: true });
    expect(marked.status).toBe(200);
    return { owner, ...link, visitor, early, late, second };
  }

  test("are listed by their place, with how many the new version answers", async () => {
    const { visitor, path, early, late } = await answeredOnce();

    const { text } = await visitor.open(path);

    expect(textOf({ text })).toContain("v2 answers 1 of your 2 notes.");
    const ids = attributesOf(text, "id").filter((id) => [early, late].includes(id));
    expect(ids).toEqual([early, late]);
    const [list = ""] =
      /<ol class="comment-list" id="answer-list">[\s\S]*?<\/ol>\s*<\/section>/.exec(text) ?? [];
    expect(textOf({ text: list })).toMatch(
      /About 0:42–0:51 Original.*Cut this.*About 1:05 Original.*Answered in v2/,
    );
  });

  test("a passage that was cut says so, and is heard in the old version alone", async () => {
    const { visitor, path, early, second } = await answeredOnce();
    const gone = { commentId: early, versionId: second, atSec: null, endSec: null, how: "gone" as const };
    app.deps.db.delete(commentPlaces).where(eq(commentPlaces.commentId, early)).run();
    app.deps.db.insert(commentPlaces).values(gone).run();

    const { text } = await visitor.open(path);

    const [item = ""] = new RegExp(`<li class="comment" id="${early}">[\\s\\S]*?</form>`).exec(text) ?? [];
    expect(textOf({ text: item })).toContain("Not in v2: this part was cut");
    expect(item).toMatch(/<button[^>]* disabled[^>]*>Play new/);
    expect(item).not.toMatch(/<button[^>]* disabled[^>]*>Play old/);
  });

  test("are said to be right, or not right with a reply, which opens them again", async () => {
    const { owner, visitor, path, id, early, late, second } = await answeredOnce();
    const note = async (noteId: string) =>
      (await owner.signedIn("GET", `/app/tracks/${owner.first.id}/comments?notes=true`)).body.data.find(
        (each: { id: string }) => each.id === noteId,
      );

    // The first note on the page is the early one.
    const right = await press(visitor, (await visitor.open(path)).text, "This is right", {}, 0);
    const again = await press(
      visitor,
      (await visitor.open(path)).text,
      "Still not right",
      { text: "Still too soft" },
      1,
    );

    expect([right, again].map(({ status, location }) => [status, location])).toEqual([
      [303, `${path}?right=${early}#${early}`],
      [303, `${path}#${late}`],
    ]);
    expect(await note(early)).toMatchObject({
      answeredBy: { id: null, name: "Bo Berg" },
      answeredIn: second,
    });
    expect(await note(late)).toMatchObject({ answeredAt: null, replyCount: 1 });
    const said = notesOf(id).find(({ parentId }) => parentId === late);
    expect(said).toMatchObject({
      text: "Still too soft",
      authorId: null,
      authorName: "Bo Berg",
      versionId: second,
    });
    const page = textOf(await visitor.open(path));
    expect(page).toContain("v2 answers 1 of your 2 notes.");
    expect(page).toContain("You said that this is right");
    expect(page).toContain("Still too soft");
  });

  test("an answer of the library that is said to be right stays the library's, and that was understood", async () => {
    const { owner, visitor, path, late } = await answeredOnce();

    const sent = await press(visitor, (await visitor.open(path)).text, "This is right", {}, 1);

    const [address = ""] = (sent.location ?? "").split("#");
    expect(textOf(await visitor.open(address))).toContain("Answered in v2, and you said that it is right");
    expect(textOf(await visitor.open(path))).not.toContain("it is right");
    const { body } = await owner.signedIn("GET", `/app/tracks/${owner.first.id}/comments?state=answered`);
    expect(body.data).toMatchObject([{ id: late, answeredBy: { id: owner.accountId } }]);
  });

  test("are no longer asked about once a version before the one that plays had answered them", async () => {
    const { owner, visitor, path, early } = await answeredOnce();
    await owner.replace(2);

    const { text } = await visitor.open(path);

    expect(textOf({ text })).toContain("Your note on an earlier version is still open.");
    expect(formsOf(text).filter(({ action }) => action.endsWith("/answered"))).toHaveLength(1);
    expect(text).toContain(`/comments/${early}/answered`);
    expect(textOf({ text })).toContain("Vocal up");
  });

  test("are answered by a button as often as there are notes, but not without end", async () => {
    const { path, early } = await answeredOnce();
    const visitor = createVisitor(app, "203.0.113.55");
    const { text } = await visitor.open(path);
    const form = formsOf(text).find(({ action }) => action.endsWith(`/${early}/answered`));
    const send = async (answered: number) =>
      (await visitor.post(form?.action ?? "", { ...form?.fields, answered: String(answered % 2 === 0) }))
        .status;
    for (let each = 0; each < 100; each++) expect(await send(each)).toBe(303);

    expect(await send(100)).toBe(429);
    expect((await press(visitor, text, "Send comment", { name: "Bo", text: "Still" })).status).toBe(303);
  });

  test("of another link, replies, and proofs of another track are refused, and nothing changes", async () => {
    const one = await answeredOnce();
    const other = await one.owner.shareTrack();
    const guest = createVisitor(app);
    await press(guest, (await guest.open(other.path)).text, "Send comment", { name: "A", text: "Mine" });
    const [foreign] = notesOf(other.id);
    await one.owner.key("POST", `/tracks/${one.owner.first.id}/comments`, { text: "internal" });
    const internal = app.deps.db.select().from(comments).where(eq(comments.text, "internal")).get();
    const { text } = await one.visitor.open(one.path);
    const own = { name: "Bo", text: "And here", parent: one.early };
    await press(one.visitor, text, "Send comment", own);
    const reply = notesOf(one.id).find(({ parentId }) => parentId === one.early);
    const form = formsOf(text).find(({ action }) => action.endsWith(`/${one.early}/answered`));
    const fields = { ...form?.fields, answered: "true" };
    const send = async (noteId = "", sent: Fields = fields) =>
      (await one.visitor.post(`${one.path}/comments/${noteId}/answered`, sent)).status;
    const before = app.deps.db.select().from(comments).all();

    const statuses = [
      await send(foreign?.id),
      await send(internal?.id),
      await send("cmt_none"),
      await send(reply?.id),
      await send(one.early, { ...fields, s: "x" }),
      await send(one.early, { ...fields, version: one.owner.first.versionId }),
      await send(one.early, { ...fields, answered: "perhaps" }),
    ];

    expect(statuses).toEqual([404, 404, 404, 409, 403, 403, 400]);
    expect(app.deps.db.select().from(comments).all()).toEqual(before);
  });

  test("are heard equally loud in both versions, and not in one that is still being prepared", async () => {
    const { owner, visitor, path, early, second } = await answeredOnce();
    const itemOf = (text: string) => new RegExp(`id="${early}">[\\s\\S]*?</form>`).exec(text)?.[0] ?? "";
    addMeasuredRow(app.deps.db, owner.first.id, second, { integratedLufs: -15 });
    const { sha256 } = app.deps.db.select().from(versions).where(eq(versions.id, second)).get() ?? {
      sha256: "",
    };

    const before = itemOf((await visitor.open(path)).text);
    requestRendition(app.deps.db, { ffmpegPath: "/usr/bin/ffmpeg" }, sha256, app.clock.now());
    const preparing = itemOf((await visitor.open(path)).text);
    app.deps.db.delete(jobs).where(eq(jobs.uniqueKey, sha256)).run();
    const ready = itemOf((await visitor.open(path)).text);

    // -9.4 LUFS and -15 LUFS.
    expect(attributesOf(before, "data-gain")).toEqual(["-5.6", "0"]);
    expect(textOf({ text: preparing })).toContain("Original is still being prepared for listening.");
    expect(preparing).toMatch(/<button[^>]* disabled[^>]*>Play old/);
    expect(ready).toEqual(before);
  });

  test("are heard in the old version by the link that made them, while it asks; that is no play", async () => {
    const { owner, visitor, path, id } = await answeredOnce();
    const { text } = await visitor.open(path);
    const [old = ""] = attributesOf(text, "data-src").filter((address) => address.includes("compare"));
    const plain = attributesOf(text, "src").find((address) => address.includes("compare")) ?? "";
    const other = await owner.shareTrack();
    const statusOf = async (address: string) => (await visitor.open(address)).status;
    const codeOf = async (address: string) =>
      JSON.parse((await visitor.open(address, { accept: "application/json" })).text).messageCode;

    expect(old).toContain(`/listen/${owner.first.versionId}?compare&`);
    expect(plain).toMatch(/&plain#t=40,51$/);
    // There is no file behind these rows: that is not a refusal.
    expect(await codeOf(old)).toBe("file_missing");
    expect(await statusOf(old.replace("compare&", ""))).toBe(403);
    expect(await statusOf(old.replace(path, other.path))).toBe(403);
    expect(await statusOf(`${path}/renewed/${owner.first.versionId}?compare`)).toBe(200);
    expect(await statusOf(`${path}/renewed/${owner.first.versionId}`)).toBe(404);
    expect(await statusOf(`${other.path}/renewed/${owner.first.versionId}?compare`)).toBe(404);
    await visitor.post(old.replace("/listen/", "/heard/"), { parts: "0-60", at: "60" });
    app.app.counting.flush();
    expect(playsOf(id)).toEqual([]);
    await owner.signedIn("PATCH", `/app/shares/${id}`, { allowReview: false });
    expect(await codeOf(old)).toBe("version_not_found");
    expect((await visitor.open(path)).text).not.toContain("compare");
  });
});

/** What was heard through a link. */
const playsOf = (shareId: string) =>
  app.deps.db
    .select()
    .from(activity)
    .where(eq(activity.shareId, shareId))
    .all()
    .filter(({ heardSec }) => heardSec !== null);

test("the page of a track grows by less than 3 KB for seven notes, compressed", async () => {
  const owner = await library();
  const [asking, silent] = [await owner.shareTrack(), await owner.shareTrack({ allowComments: true })];
  const visitor = createVisitor(app, "203.0.113.12");
  for (const { path } of [asking, silent]) {
    const { text } = await visitor.open(path);
    for (let number = 1; number <= 7; number++) {
      const said = { name: "Bo", text: `The vocal of line ${number} could be louder`, at: `1:0${number}` };
      expect((await press(visitor, text, "Send comment", said)).status).toBe(303);
    }
  }
  await owner.replace(1);
  const [grown = 0, plain = 0] = await Promise.all(
    [asking, silent].map(async ({ path }) => {
      const { text } = await visitor.open(path);
      return brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }).length;
    }),
  );

  expect(grown - plain).toBeLessThan(3 * 1024);
});

describe("the thread of a link", () => {
  test("is what was said through it, and the replies to that: nothing of other links or of the library", async () => {
    const owner = await library();
    const links = {
      bo: await owner.shareTrack(),
      ana: await owner.shareTrack({ recipient: "Ana", allowComments: true }),
      anyone: await owner.shareTrack({ allowComments: true }),
      list: await owner.sharePlaylist(),
    };
    const visitor = createVisitor(app);
    for (const [name, { path, id }] of Object.entries(links)) {
      await press(visitor, (await visitor.open(path)).text, "Send comment", {
        name,
        text: `note of ${name}`,
        track: owner.first.id,
      });
      const [note] = notesOf(id);
      const reply = { text: `reply to ${name}`, parentId: note?.id };
      expect((await owner.signedIn("POST", `/app/tracks/${owner.first.id}/comments`, reply)).status).toBe(
        200,
      );
    }
    const said = { text: "among ourselves" };
    const inside = await owner.signedIn("POST", `/app/tracks/${owner.first.id}/comments`, said);
    const answer = { text: "reply among ourselves", parentId: inside.body.data.id };
    await owner.signedIn("POST", `/app/tracks/${owner.first.id}/comments`, answer);
    await owner.replace(1);

    for (const [name, { path }] of Object.entries(links)) {
      const { text } = await createVisitor(app).open(path);
      const shown = [...text.matchAll(/(?:note of|reply to) \w+|among ourselves/g)].map(([words]) => words);
      expect(shown).toEqual([`note of ${name}`, `reply to ${name}`]);
    }
  });

  test("is replied to by its recipient without a script, and the name begins with theirs", async () => {
    const owner = await library();
    const { path, id } = await owner.shareTrack({ recipient: "Bo Berg <bo@example.com>", allowReview: true });
    const visitor = createVisitor(app);
    const { text } = await visitor.open(path);
    await press(visitor, text, "Send comment", { name: "Bo", text: "Louder", at: "0:42" });
    const [note] = notesOf(id);
    const [link = ""] = attributesOf((await visitor.open(path)).text, "href").filter((to) =>
      to.includes("reply="),
    );

    const replying = (await visitor.open(link.replace(/#.*/, ""))).text;
    const sent = await press(visitor, replying, "Send comment", { name: "Bo", text: "By 2 dB", at: "" });

    expect(text).toContain('name="name" value="Bo Berg"');
    expect(replying).toContain("Reply to Bo</p>");
    expect(sent.location).toBe(`${path}#${note?.id}`);
    expect(notesOf(id).find(({ parentId }) => parentId === note?.id)).toMatchObject({
      text: "By 2 dB",
      positionSec: null,
      shareId: id,
    });
    expect(textOf(await visitor.open(path))).toMatch(/Louder .*Bo .*By 2 dB/);
  });

  test("takes no reply to a note of another link, or to a reply", async () => {
    const owner = await library();
    const [one, other] = [await owner.shareTrack(), await owner.shareTrack()];
    const visitor = createVisitor(app);
    const { text } = await visitor.open(one.path);
    await press(visitor, text, "Send comment", { name: "Bo", text: "Louder" });
    const [note] = notesOf(one.id);
    await press(visitor, text, "Send comment", { name: "Bo", text: "By 2 dB", parent: note?.id ?? "" });
    const reply = notesOf(one.id).find(({ parentId }) => parentId !== null);
    const elsewhere = (await visitor.open(other.path)).text;
    const words = { name: "Ana", text: "kept words" };

    const statuses = [
      (await press(visitor, elsewhere, "Send comment", { ...words, parent: note?.id ?? "" })).status,
      (await press(visitor, text, "Send comment", { ...words, parent: reply?.id ?? "" })).status,
    ];

    expect(statuses).toEqual([404, 409]);
    expect(notesOf(other.id)).toEqual([]);
    expect(notesOf(one.id)).toHaveLength(2);
  });

  test("shows a range, and a note that was deleted as such", async () => {
    const owner = await library();
    const { path, id } = await owner.shareTrack();
    const visitor = createVisitor(app);
    const { text } = await visitor.open(path);
    await press(visitor, text, "Send comment", { name: "Bo", text: "Too long", at: "0:42", end: "0:51" });
    const wrong = await press(visitor, text, "Send comment", {
      name: "B",
      text: "kept",
      at: "0:42",
      end: "0:10",
    });
    expect(textOf(await visitor.open(path))).toContain("0:42–0:51");
    expect([wrong.status, wrong.text.includes('value="0:10"')]).toEqual([400, true]);
    expect(wrong.text).toContain("The end must be at least 0.1 s after the time.");
    const [note] = notesOf(id);
    app.deps.db
      .update(comments)
      .set({ deletedAt: app.clock.now(), text: "" })
      .where(eq(comments.id, note?.id ?? ""))
      .run();

    const page = await visitor.open(path);

    expect(textOf(page)).toContain("Deleted");
    expect(page.text).not.toMatch(/Too long|reply=/);
  });
});

describe("a playlist that asks for approval", () => {
  test("asks about each track, and says how many were approved", async () => {
    const owner = await library();
    const second = await owner.replace(1, owner.second.id);
    const { path, id } = await owner.sharePlaylist();
    const visitor = createVisitor(app);
    const { text } = await visitor.open(path);
    expect(textOf({ text })).toContain("Someone asks for your approval of these 2 tracks.");
    expect(textOf({ text })).toContain("Approve v2, or ask for changes");

    const sent = await press(visitor, text, "Approve", {}, 1);
    await press(visitor, text, "Ask for changes", { text: "Fade" }, 0);

    expect(sent.location).toBe(`${path}#approval-${owner.second.id}`);
    expect(verdictsOf(id)).toHaveLength(2);
    expect(verdictsOf(id)).toContainEqual(expect.objectContaining({ versionId: second, state: "approved" }));
    const page = textOf(await visitor.open(path));
    expect(page).toContain("You approved 1 of 2 tracks, and asked for changes to 1. Someone has been told.");
    expect(page).toContain(`You approved v2 on ${today()}.`);
  });

  test("takes no verdict on the version of one track for another one", async () => {
    const owner = await library();
    const { path, id } = await owner.sharePlaylist();
    const visitor = createVisitor(app);
    const form = formsOf((await visitor.open(path)).text).find(({ buttons }) => buttons.includes("Approve"));
    expect(form?.fields.version).toBe(owner.first.versionId);

    const sent = await visitor.post(form?.action ?? "", { ...form?.fields, track: owner.second.id });

    expect(sent.status).toBe(404);
    expect(verdictsOf(id)).toEqual([]);
  });

  test("shows the notes on earlier versions of all its tracks", async () => {
    const owner = await library();
    const { path, id } = await owner.sharePlaylist();
    const visitor = createVisitor(app);
    const { text } = await visitor.open(path);
    for (const track of [owner.first.id, owner.second.id])
      await press(visitor, text, "Send comment", { name: "Bo", text: "Up", at: "0:10", track });
    await owner.replace(1, owner.second.id);
    await owner.replace(1, owner.first.id);
    const [note] = notesOf(id);
    await owner.signedIn("PATCH", `/app/comments/${note?.id}`, { answered: true });

    const page = textOf(await visitor.open(path));

    expect(page).toContain("The new versions answer 1 of your 2 notes.");
    expect(page.match(/Still not right/g)).toHaveLength(2);
  });
});
