import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { and, eq } from "drizzle-orm";
import { activity, comments, shares } from "../../db/schema.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../src/kernel/time.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import { addTrackRows, addVersionRow } from "../support/track-rows.ts";
import { attributesOf, createVisitor } from "./visitor.ts";

let app: TestApp;
let owner: Awaited<ReturnType<typeof library>>;
beforeAll(async () => {
  app = await createTestApp();
  owner = await library();
});
afterAll(() => app.close());

/** Makes an account with two analysed tracks, a playlist of them, and helpers to share them. */
async function library() {
  const { accountId, token } = app.createAccount();
  const add = (name: string, title?: string) =>
    addTrackRows(app.deps.db, accountId, {
      name,
      ...(title && { title, artist: "The <Band>" }),
      durationSec: 187.25,
      measured: {},
    });
  const [first, second] = [add("a.wav", "Night & Day"), add("demo 2.final.wav")];
  const api = app.as(app.createKey(accountId));
  const made = await api("POST", "/playlists", { name: "Set <1>", trackIds: [first.id, second.id] });
  const playlistId: string = made.body.data.playlist.id;
  const signedIn = app.signedIn(token);
  const share = async (settings: object) => {
    const { body } = await signedIn("POST", "/app/shares", settings);
    return { id: body.data.id as string, path: new URL(body.data.url).pathname };
  };
  return {
    accountId,
    token,
    first,
    second,
    playlistId,
    signedIn,
    shareTrack: (settings: object = {}) => share({ trackId: first.id, ...settings }),
    sharePlaylist: (settings: object = {}) => share({ playlistId, ...settings }),
  };
}

const usesOf = (id: string) =>
  app.deps.db.select({ uses: shares.uses }).from(shares).where(eq(shares.id, id)).get()?.uses;

describe("a link to a track", () => {
  test("shows the track, and the preview of a pasted link has no audio", async () => {
    const { path } = await owner.shareTrack({ recipient: "Harbour <Records>" });

    const { status, text, headers } = await createVisitor(app).open(path);

    expect(status).toBe(200);
    expect(text).toContain("<h1>Night &amp; Day</h1>");
    expect(text).toContain("The &lt;Band>");
    expect(text).toContain("For Harbour &lt;Records>");
    expect(text).toContain("3:07 · Shared by Someone");
    expect(text).toContain('property="og:title" content="Night &amp; Day – The &lt;Band>"');
    expect(text).toContain(`property="og:url" content="http://127.0.0.1:4747${path}"`);
    expect(text).not.toContain("og:audio");
    expect(text).not.toContain("og:image");
    expect(headers.get("x-robots-tag")).toContain("noindex");
    expect(headers.get("cache-control")).toBe("private, no-cache");
  });

  test("is readable and plays without JavaScript", async () => {
    const { path } = await owner.shareTrack();

    const { text } = await createVisitor(app).open(path);

    expect(text).toMatch(/<noscript><audio controls preload="none" src="[^"]+\/listen\/ver_/);
    expect(text).toMatch(/<path d="M1 \d+v\d+M3/);
  });

  test("loads nothing from other hosts", async () => {
    const { path } = await owner.shareTrack({ allowDownload: true, allowComments: true });

    const { text } = await createVisitor(app).open(path);

    for (const address of [...attributesOf(text, "src"), ...attributesOf(text, "href")])
      expect(address).toMatch(/^(\/|#)/);
    expect(text).not.toMatch(/ style="|<style|<script(?! src)| on\w+="/);
  });

  test("shows tempo, key and credits only where its owner switched that on", async () => {
    const other = await library();
    const api = app.as(app.createKey(other.accountId));
    const composer = await other.signedIn("POST", "/app/composers", {
      fullName: "Ines <Lind>",
      email: "ines@example.com",
      ipi: "00014107338",
    });
    const trackId = other.first.id;
    await api("PATCH", `/tracks/details?id=${trackId}`, { bpm: 87.5, key: "A minor" });
    await api("PUT", `/tracks/shareholders?id=${trackId}`, {
      shareholders: [{ shareholderId: composer.body.data.id, share: 100, role: "composer" }],
    });
    const words = "87.5 BPM · A minor · Composer: Ines &lt;Lind>";
    const [track, playlist] = [await other.shareTrack(), await other.sharePlaylist({ showDetails: true })];

    const plain = await createVisitor(app).open(track.path);
    await other.signedIn("PATCH", `/app/shares/${track.id}`, { showDetails: true });
    const shown = await createVisitor(app).open(track.path);
    const list = await createVisitor(app).open(playlist.path);

    expect(plain.text).not.toMatch(/BPM|A minor|Ines/);
    expect(shown.text).toContain(words);
    expect(list.text).toContain(words);
    for (const { text } of [shown, list]) expect(text).not.toMatch(/ines@example|00014107338|100 ?%/);
  });

  test("shows the words only where its owner switched that on, line by line with their times", async () => {
    const other = await library();
    const api = app.as(app.createKey(other.accountId));
    await api("PUT", `/tracks/${other.first.id}/lyrics`, {
      lrc: "[00:01.50]We left <&> the harbour\nat dawn\n\n[00:07.00]\n[00:09.00]Ahoy",
    });
    const [track, playlist] = [await other.shareTrack(), await other.sharePlaylist({ showLyrics: true })];

    const plain = await createVisitor(app).open(track.path);
    await other.signedIn("PATCH", `/app/shares/${track.id}`, { showLyrics: true });
    const shown = await createVisitor(app).open(track.path);
    const list = await createVisitor(app).open(playlist.path);

    expect(plain.text).not.toMatch(/harbour|Lyrics/);
    const stanzas =
      '<p><span class="lyric" data-sung="1.5">We left &lt;&amp;> the harbour</span><span class="lyric">at dawn</span></p>' +
      '<p><span class="lyric" data-sung="7">♪</span></p><p><span class="lyric" data-sung="9">Ahoy</span></p>';
    expect(shown.text).toContain(stanzas);
    expect(list.text).toContain(`<details class="lyrics"><summary>Lyrics</summary>`);
    expect(list.text).toContain(stanzas);
    expect(list.text.match(/<summary>Lyrics/g)).toHaveLength(1);
  });

  test("names a track without a title after its file, without the extension", async () => {
    const { path } = await owner.sharePlaylist();

    expect((await createVisitor(app).open(path)).text).toContain('data-title="demo 2.final"');
  });
});

describe("a link to a playlist", () => {
  test("shows its tracks in order, with the gain that matches their loudness", async () => {
    const { path } = await owner.sharePlaylist();

    const { text } = await createVisitor(app).open(path);

    expect(attributesOf(text, "data-track")).toEqual([owner.first.id, owner.second.id]);
    // -9.4 LUFS is lowered to -14.
    expect(attributesOf(text, "data-gain")).toEqual(["-4.6", "-4.6"]);
    expect(text).toContain("2 tracks · 6 min · Shared by Someone");
    expect(text).toContain('property="og:title" content="Set &lt;1>"');
  });

  test("is not opened at the address of a track, and a track not at a playlist's", async () => {
    const { path } = await owner.sharePlaylist();

    const { status } = await createVisitor(app).open(path.replace("playlist", "track"));

    expect(status).toBe(404);
  });
});

describe("a link that has ended", () => {
  test("a link that was revoked says so", async () => {
    const { path, id } = await owner.shareTrack();
    await owner.signedIn("DELETE", `/app/shares/${id}`);

    const { status, text } = await createVisitor(app).open(path);

    expect(status).toBe(410);
    expect(text).toContain("This link was closed");
    expect(text).not.toMatch(/Night|The &lt;Band>|Someone/);
    expect(text).toContain('class="cover tone-');
  });

  test("a link that expired says so", async () => {
    const { path } = await owner.shareTrack({ expiresAt: new Date(app.clock.now() + HOUR_MS).toISOString() });
    const visitor = createVisitor(app);
    expect((await visitor.open(path)).text).toContain("It is open until 15 January 2026.");

    app.clock.advance(HOUR_MS);

    const { status, text } = await visitor.open(path);
    expect(status).toBe(410);
    expect(text).toContain("This link has ended");
  });

  test("a link whose music was deleted says so", async () => {
    const other = await library();
    const { path } = await other.shareTrack();
    app.deps.db.$client.run("PRAGMA foreign_keys = 0");
    app.deps.db.$client.run("DELETE FROM tracks WHERE id = ?", [other.first.id]);
    app.deps.db.$client.run("PRAGMA foreign_keys = 1");

    const { status, text } = await createVisitor(app).open(path);

    expect([status, text.includes("no longer here")]).toEqual([410, true]);
  });

  test("is told apart from an unknown link, which is 404", async () => {
    const { status, text } = await createVisitor(app).open("/track/AAAAAAAAAAAAAAAAAAAAAA");

    expect(status).toBe(404);
    expect(text).toContain("Nothing here");
  });
});

describe("a limit of visits", () => {
  test("counts people, not reloads, and lets the last visitor stay", async () => {
    const { path, id } = await owner.shareTrack({ maxUses: 2 });
    const [first, second, third] = [createVisitor(app), createVisitor(app), createVisitor(app)];

    const seen = [await first.open(path), await first.open(path), await second.open(path)];
    const late = await third.open(path);

    expect(seen.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(late.status).toBe(410);
    expect(late.text).toContain("This link has been used");
    expect((await second.open(path)).status).toBe(200);
    expect(usesOf(id)).toBe(2);
  });

  test("is not used up by bots, HEAD requests or prefetching", async () => {
    const { path, id } = await owner.shareTrack({ maxUses: 1 });
    const visitor = createVisitor(app);

    const preview = await visitor.open(path, { "user-agent": "Slackbot-LinkExpanding 1.0" });
    const head = await visitor.head(path);
    const ahead = await visitor.open(path, { "sec-purpose": "prefetch;prerender" });

    expect(preview.status).toBe(200);
    expect(preview.text).toContain('property="og:title" content="Night &amp; Day – The &lt;Band>"');
    expect(preview.text).not.toContain("/listen/");
    expect([head.status, ahead.status]).toEqual([200, 503]);
    expect(usesOf(id)).toBe(0);
    expect((await visitor.open(path)).status).toBe(200);
  });

  const LIKE_A_MACHINE = { "user-agent": "Mozilla/5.0 (compatible; CubaBrowser bot)" };
  const proofIn = (html: string) => ({
    e: /name="e" value="([^"]*)"/.exec(html)?.[1] ?? "",
    s: /name="s" value="([^"]*)"/.exec(html)?.[1] ?? "",
  });

  test("opens with a button for a person mistaken for a bot, and stays open", async () => {
    const { path, id } = await owner.shareTrack({ maxUses: 1 });
    const visitor = createVisitor(app);

    const asked = await visitor.open(path, LIKE_A_MACHINE);
    const opened = await visitor.post(path, proofIn(asked.text), LIKE_A_MACHINE);
    const again = await visitor.open(path, LIKE_A_MACHINE);
    const late = await createVisitor(app).post(path, proofIn(asked.text), LIKE_A_MACHINE);

    expect(asked.text).toContain("Open the track");
    expect([opened.status, again.status, late.status]).toEqual([200, 200, 410]);
    expect([opened, again].map(({ text }) => text.includes("/listen/"))).toEqual([true, true]);
    expect(usesOf(id)).toBe(1);
  });

  test("opens with the button in browsers that keep no cookies", async () => {
    const { path, id } = await owner.sharePlaylist({ maxUses: 1 });
    const asked = await createVisitor(app).open(path, LIKE_A_MACHINE);

    const opened = await createVisitor(app).post(path, proofIn(asked.text), LIKE_A_MACHINE);

    expect(asked.text).toContain("Open the playlist");
    expect(opened.text).toContain("/listen/");
    expect(usesOf(id)).toBe(1);
  });

  test("does not open with a forged or expired button, or from another site", async () => {
    const { path, id } = await owner.shareTrack({ maxUses: 1 });
    const other = await owner.shareTrack({ maxUses: 1 });
    const visitor = createVisitor(app);
    const [own, foreign] = [
      proofIn((await visitor.open(path, LIKE_A_MACHINE)).text),
      proofIn((await visitor.open(other.path, LIKE_A_MACHINE)).text),
    ];

    const forged = await visitor.post(path, { e: own.e, s: "AAAAAAAAAAAAAAAAAAAAAA" });
    const mixed = await visitor.post(path, foreign);
    const pressed = await visitor.post(path, own, { origin: "https://elsewhere.example" });
    app.clock.advance(2 * DAY_MS);
    const old = await visitor.post(path, own);

    expect([forged, mixed, pressed, old].map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    expect(usesOf(id)).toBe(0);
  });

  test("asks for the password first, even after the button", async () => {
    const { path, id } = await owner.shareTrack({ maxUses: 1, password: "sesame" });
    const visitor = createVisitor(app);
    await visitor.post(path, { password: "sesame" }, LIKE_A_MACHINE);
    const asked = await visitor.open(path, LIKE_A_MACHINE);

    const stranger = await createVisitor(app).post(path, proofIn(asked.text), LIKE_A_MACHINE);
    const opened = await visitor.post(path, proofIn(asked.text), LIKE_A_MACHINE);

    expect(stranger.text).toContain("A private link");
    expect(opened.text).toContain("/listen/");
    expect(usesOf(id)).toBe(1);
  });

  test("is not used up by the owner", async () => {
    const { path, id } = await owner.shareTrack({ maxUses: 1 });
    const visitor = createVisitor(app);
    visitor.setCookie("dubplate_session", owner.token);

    expect((await visitor.open(path)).status).toBe(200);
    expect(usesOf(id)).toBe(0);
  });

  test("cannot be bypassed with an invented visit", async () => {
    const { path } = await owner.shareTrack({ maxUses: 1 });
    const other = await owner.shareTrack();
    await createVisitor(app).open(path);
    const visitor = createVisitor(app);
    const { headers } = await visitor.open(other.path);
    const [, foreign = ""] = /dubplate_visit=([^;]+)/.exec(headers.get("set-cookie") ?? "") ?? [];

    for (const value of [foreign, "x.y", ""]) {
      visitor.setCookie("dubplate_visit", value, path);
      expect((await visitor.open(path)).status).toBe(410);
    }
  });
});

test("a page without music shows its sender's disc, and says nothing else about them", async () => {
  const coverOf = (html: string) => /class="cover.*?<\/svg>/.exec(html)?.[0];
  const other = await library();
  const locked = (from: typeof owner) => from.shareTrack({ password: "sesame" });
  const closed = await owner.sharePlaylist();
  await owner.signedIn("DELETE", `/app/shares/${closed.id}`);

  const pages = await Promise.all(
    [await locked(owner), closed, await locked(other)].map(({ path }) => createVisitor(app).open(path)),
  );

  const [first, second, third] = pages.map(({ text }) => coverOf(text));
  expect(first).toBeString();
  expect(second).toBe(first ?? "");
  expect(third).toBeString();
  for (const { text } of pages) expect(text).not.toMatch(/Someone|Night|Set &lt;1>|og:image/);
});

describe("a password", () => {
  test("opens the page, and is remembered in a cookie for this link only", async () => {
    const { path } = await owner.shareTrack({ password: "sesame" });
    const visitor = createVisitor(app);
    const asked = await visitor.open(path);

    const answer = await visitor.post(path, { password: "sesame" });

    expect(asked.text).toContain("A private link");
    expect(asked.text).not.toContain("Night");
    expect([answer.status, answer.location]).toEqual([303, path]);
    expect(answer.headers.get("set-cookie")).toMatch(
      new RegExp(`^dubplate_pass=[\\w-]{22}; Path=${path}; Max-Age=2592000; HttpOnly; SameSite=Lax$`),
    );
    expect((await visitor.open(path)).text).toContain("Night &amp; Day");
    expect((await createVisitor(app).open(path)).text).not.toContain("Night");
  });

  test("a wrong password is refused, and after ten tries the visitor has to wait", async () => {
    const { path } = await owner.shareTrack({ password: "sesame" });
    const visitor = createVisitor(app);
    for (let attempt = 0; attempt < 10; attempt++) {
      const { status, text } = await visitor.post(path, { password: "guess" });
      expect([status, text.includes("That is not the password.")]).toEqual([403, true]);
    }

    const refused = await visitor.post(path, { password: "sesame" });

    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe("900");
    expect(refused.text).not.toContain("Night");
    expect((await createVisitor(app, "203.0.113.8").post(path, { password: "sesame" })).status).toBe(303);
    app.clock.advance(15 * MINUTE_MS);
    expect((await visitor.post(path, { password: "sesame" })).status).toBe(303);
  });

  test("a right password does not count as a try, however many come from one address", async () => {
    const { path } = await owner.shareTrack({ password: "sesame" });

    for (let person = 0; person < 12; person++)
      expect((await createVisitor(app).post(path, { password: "sesame" })).status).toBe(303);
    const crowd = Array.from({ length: 12 }, () => createVisitor(app).post(path, { password: "sesame" }));
    expect((await Promise.all(crowd)).map(({ status }) => status)).toEqual(Array(12).fill(303));
  });

  test("a changed password closes the page and its audio addresses", async () => {
    const { path, id } = await owner.shareTrack({ password: "sesame" });
    const visitor = createVisitor(app);
    await visitor.post(path, { password: "sesame" });
    const [wave = ""] = attributesOf((await visitor.open(path)).text, "data-wave");
    expect((await visitor.open(wave)).status).toBe(200);

    await owner.signedIn("PATCH", `/app/shares/${id}`, { password: "another" });

    expect((await visitor.open(path)).text).toContain("A private link");
    expect((await visitor.open(wave)).status).toBe(403);
  });
});

describe("comments", () => {
  const proofOf = (html: string) => ({
    e: /name="e" value="([^"]*)"/.exec(html)?.[1] ?? "",
    s: /name="s" value="([^"]*)"/.exec(html)?.[1] ?? "",
  });

  test("are shown to visitors of the link, counted, and announced to the owner", async () => {
    const { path, id } = await owner.sharePlaylist({ allowComments: true });
    const visitor = createVisitor(app);
    const { text } = await visitor.open(path);
    const words = {
      name: "Ines <i>",
      text: "Lift the vocal <b>here</b>",
      at: "1:05",
      track: owner.second.id,
    };

    const answer = await visitor.post(`${path}/comments`, { ...proofOf(text), ...words });

    expect([answer.status, answer.location]).toEqual([303, `${path}#comments`]);
    const page = (await createVisitor(app).open(path)).text;
    expect(page).toContain("Ines &lt;i>");
    expect(page).toContain("Lift the vocal &lt;b>here&lt;/b>");
    expect(page).toContain(`data-at="65" data-of="${owner.second.id}"`);
    const rows = app.deps.db.select().from(comments).where(eq(comments.shareId, id)).all();
    expect(rows).toMatchObject([{ authorId: null, authorName: "Ines <i>", positionSec: 65 }]);
    expect(
      app.deps.db
        .select()
        .from(activity)
        .where(and(eq(activity.shareId, id)))
        .all(),
    ).toContainEqual(expect.objectContaining({ actorType: "visitor", actorName: "Ines <i>", leftOut: null }));
    const told = await owner.signedIn("GET", "/app/notifications");
    expect(told.body.data[0]).toMatchObject({ kind: "track.comment", entityId: owner.second.id });
  });

  test("a comment on one link is not shown on another", async () => {
    const [one, other] = [
      await owner.shareTrack({ allowComments: true }),
      await owner.shareTrack({ allowComments: true }),
    ];
    const visitor = createVisitor(app);
    const { text } = await visitor.open(one.path);
    await visitor.post(`${one.path}/comments`, {
      ...proofOf(text),
      name: "A",
      text: "between us",
      track: owner.first.id,
    });

    expect((await createVisitor(app).open(one.path)).text).toContain("between us");
    expect((await createVisitor(app).open(other.path)).text).not.toContain("between us");
  });

  test("are returned as JSON to the page's script", async () => {
    const { path } = await owner.shareTrack({ allowComments: true });
    const visitor = createVisitor(app);
    const proof = proofOf((await visitor.open(path)).text);
    const send = (fields: Record<string, string>) =>
      visitor.post(
        `${path}/comments`,
        { ...proof, track: owner.first.id, ...fields },
        { accept: "application/json" },
      );

    const added = await send({ name: "Ines", text: "Yes." });
    const blank = await send({ name: "Ines", text: "  " });

    expect(JSON.parse(added.text)).toMatchObject({
      name: "Ines",
      text: "Yes.",
      positionSec: null,
      versionId: owner.first.versionId,
      versionLabel: "Original",
    });
    expect([blank.status, JSON.parse(blank.text).messageCode]).toEqual([400, "validation_failed"]);
  });

  describe("the version of a comment", () => {
    let other: Awaited<ReturnType<typeof library>>;
    beforeAll(async () => {
      other = await library();
    });
    /** Adds a second version to a track, and makes it the active one. Returns its id. */
    const replace = async (trackId: string, versionOrder = 1) => {
      const id = addVersionRow(app.deps.db, trackId, { versionOrder, label: `v${versionOrder + 1}` });
      await app.as(app.createKey(other.accountId))("POST", `/tracks/${trackId}/versions/${id}/activate`);
      return id;
    };
    const heardThrough = (shareId: string) =>
      app.deps.db
        .select({ versionId: comments.versionId, heardLabel: comments.heardLabel })
        .from(comments)
        .where(eq(comments.shareId, shareId))
        .all();
    /** The fields that a browser sends without a script, the versions of the page among them. */
    const fieldsOf = (html: string, track: string, at = ""): [string, string][] => [
      ...Object.entries({ ...proofOf(html), name: "Ines", text: "Louder", track, at }),
      ...[...html.matchAll(/name="version" value="([^"]*)"/g)].map(([, id = ""]): [string, string] => [
        "version",
        id,
      ]),
    ];

    test("a comment is about the version that its page played, though the owner made another one active meanwhile", async () => {
      const { path, id } = await other.sharePlaylist({ allowComments: true });
      const visitor = createVisitor(app);
      const { text } = await visitor.open(path);
      const second = await replace(other.second.id);

      await visitor.post(`${path}/comments`, fieldsOf(text, other.second.id));

      expect(heardThrough(id)).toEqual([{ versionId: other.second.versionId, heardLabel: "Original" }]);
      const page = (await visitor.open(path)).text;
      expect(page).toContain('<span class="comment-version">Original</span>');
      await visitor.post(`${path}/comments`, fieldsOf(page, other.second.id));
      expect(heardThrough(id)).toContainEqual({ versionId: second, heardLabel: "v2" });
    });

    test("a comment that was refused at first and sent again from the answer is about the version that the page played", async () => {
      const { path, id } = await other.shareTrack({ allowComments: true });
      const visitor = createVisitor(app);
      const { text } = await visitor.open(path);
      await replace(other.first.id);

      const refused = await visitor.post(`${path}/comments`, fieldsOf(text, other.first.id, "soon"));
      await visitor.post(`${path}/comments`, fieldsOf(refused.text, other.first.id));

      expect(heardThrough(id)).toEqual([{ versionId: other.first.versionId, heardLabel: "Original" }]);
    });

    test("a comment is about the active version when its own is gone, was never of the track, or is not named", async () => {
      const { path, id } = await other.shareTrack({ allowComments: true });
      const visitor = createVisitor(app);
      const { text } = await visitor.open(path);
      const third = await replace(other.first.id, 2);

      for (const version of ["ver_gone", other.second.versionId, owner.first.versionId, ""])
        await visitor.post(`${path}/comments`, {
          ...Object.fromEntries(fieldsOf(text, other.first.id)),
          version,
        });

      expect(heardThrough(id)).toEqual(Array(4).fill({ versionId: third, heardLabel: "v3" }));
    });

    test("a comment names its version only where the track has several", async () => {
      const single = await library();
      const { path } = await single.shareTrack({ allowComments: true });
      const visitor = createVisitor(app);
      await visitor.post(`${path}/comments`, fieldsOf((await visitor.open(path)).text, single.first.id));

      expect((await visitor.open(path)).text).not.toContain("comment-version");
    });
  });

  test.each([
    ["a blank name", { name: " " }, 400, "Your name must not be blank."],
    ["a long name", { name: "x".repeat(81) }, 400, "Your name must be at most 80 characters."],
    ["a long text", { text: "x".repeat(2001) }, 400, "The comment must be at most 2000 characters."],
    ["an invalid time", { at: "soon" }, 400, "The time must be a time such as 1:23."],
    ["a time past the end", { at: "59:00" }, 400, "The time must be within the track."],
    ["a field that people do not see", { website: "x" }, 400, "The form must be left empty."],
    ["a track of another link", { track: "trk_other" }, 404, "This link does not open that track."],
    ["a forged proof", { s: "x" }, 403, "This page is out of date"],
    ["no proof", { e: "", s: "" }, 403, "This page is out of date"],
  ])("a comment with %s is refused, and nothing is stored", async (_, fields, status, words) => {
    const { path, id } = await owner.shareTrack({ allowComments: true });
    const visitor = createVisitor(app);
    const proof = proofOf((await visitor.open(path)).text);

    const answer = await visitor.post(`${path}/comments`, {
      ...proof,
      name: "Ines",
      text: "kept words",
      track: owner.first.id,
      ...fields,
    });

    expect(answer.status).toBe(status);
    expect(answer.text).toContain(words);
    if (status === 400) expect(answer.text).toContain('name="e"');
    expect(app.deps.db.select().from(comments).where(eq(comments.shareId, id)).all()).toEqual([]);
  });

  test("are refused by a link without comments, which shows no form", async () => {
    const { path, id } = await owner.shareTrack({ allowComments: true });
    const visitor = createVisitor(app);
    const proof = proofOf((await visitor.open(path)).text);
    await owner.signedIn("PATCH", `/app/shares/${id}`, { allowComments: false });

    const answer = await visitor.post(`${path}/comments`, {
      ...proof,
      name: "Ines",
      text: "x",
      track: owner.first.id,
    });

    expect(answer.status).toBe(403);
    expect((await visitor.open(path)).text).not.toContain("comment-form");
  });

  test("ten comments in a quarter of an hour from one address are followed by a wait", async () => {
    const { path } = await owner.shareTrack({ allowComments: true });
    const visitor = createVisitor(app);
    const fields = {
      ...proofOf((await visitor.open(path)).text),
      name: "I",
      text: "x",
      track: owner.first.id,
    };
    for (let each = 0; each < 10; each++)
      expect((await visitor.post(`${path}/comments`, fields)).status).toBe(303);

    const { status, text } = await visitor.post(`${path}/comments`, { ...fields, text: "kept" });

    expect([status, text.includes("kept")]).toEqual([429, true]);
  });

  test("a comment that was refused, and one of the owner, do not count toward the limit", async () => {
    const { path } = await owner.shareTrack({ allowComments: true });
    const [visitor, host] = [createVisitor(app), createVisitor(app)];
    host.setCookie("dubplate_session", owner.token);
    const fields = {
      ...proofOf((await visitor.open(path)).text),
      name: "I",
      text: "x",
      track: owner.first.id,
    };

    for (let each = 0; each < 11; each++) {
      expect((await visitor.post(`${path}/comments`, { ...fields, text: "" })).status).toBe(400);
      expect((await host.post(`${path}/comments`, fields)).status).toBe(303);
    }

    expect((await visitor.post(`${path}/comments`, fields)).status).toBe(303);
  });

  test("a comment of the owner always shows the owner's name", async () => {
    const { path, id } = await owner.shareTrack({ allowComments: true });
    const visitor = createVisitor(app);
    visitor.setCookie("dubplate_session", owner.token);
    const proof = proofOf((await visitor.open(path)).text);

    await visitor.post(`${path}/comments`, { ...proof, name: "Me", text: "Thanks", track: owner.first.id });

    const rows = app.deps.db.select().from(comments).where(eq(comments.shareId, id)).all();
    expect(rows).toMatchObject([{ authorId: owner.accountId }]);
  });
});

test("addresses from a page expire after a day", async () => {
  const { path } = await owner.shareTrack();
  const visitor = createVisitor(app);
  const [wave = ""] = attributesOf((await visitor.open(path)).text, "data-wave");
  expect((await visitor.open(wave)).status).toBe(200);

  app.clock.advance(DAY_MS + HOUR_MS);

  expect((await visitor.open(wave)).status).toBe(403);
});

describe("an account with a brand", () => {
  test("shows it on every page of its links and briefs, in the place of ours", async () => {
    const { signedIn, first } = await library();
    const share = async (settings: object = {}) => {
      const { body } = await signedIn("POST", "/app/shares", { trackId: first.id, ...settings });
      return { id: body.data.id as string, path: new URL(body.data.url).pathname };
    };
    const image = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";
    const change = { name: "Harbour <Records>", accent: "#2f8f5e", website: "https://harbour.example/" };
    await signedIn("PATCH", "/app/account/brand", change);
    const { logoUrl } = (await signedIn("PUT", "/app/account/logo", { image })).body.data;
    const asked = { name: "Calm piano", status: "open", publicPage: true };
    const { publicUrl } = (await signedIn("POST", "/app/briefs", asked)).body.data;
    const [open, secret, over] = [await share(), await share({ password: "harbour town" }), await share()];
    await signedIn("DELETE", `/app/shares/${over.id}`);
    const form = new FormData();
    form.set("name", "Ida");
    form.set("links", "https://example.com/song");
    const sent = await app.request(new URL(publicUrl).pathname, { method: "POST", body: form });
    const thanks = sent.headers.get("location") ?? "";
    const [, receipt = ""] =
      /href="([^"]+receipt[^"]+)"/.exec((await createVisitor(app).open(thanks)).text) ?? [];
    const pages = [
      open.path,
      `${open.path}/download`,
      secret.path,
      over.path,
      new URL(publicUrl).pathname,
      thanks,
      new URL(receipt, "http://127.0.0.1").pathname,
    ];

    for (const path of pages) {
      const { text } = await createVisitor(app).open(path);
      expect(text).toContain(" · Harbour &lt;Records></title>");
      expect(text).toContain('<link rel="stylesheet" href="/brand/2f8f5e.css"/>');
      expect(text).toContain(`<img src="${new URL(logoUrl).pathname}?size=thumbnail" alt/>`);
      expect(text).toContain('<a class="wordmark" href="https://harbour.example/"');
      expect(text).not.toContain("Dubplate");
    }
    const { text } = await createVisitor(app).open((await owner.shareTrack()).path);
    expect(text).toContain(" · Dubplate</title>");
  });

  test("is the operator's where a page belongs to no account", async () => {
    const own = await createTestApp();
    const { token } = own.createAccount();
    await own.signedIn(token)("PATCH", "/app/account", { brand: { name: "Harbour Records" } });

    for (const path of [
      "/track/none",
      "/playlist/none",
      "/submit/none",
      "/submit/receipt/none.none",
      "/submit/receipt/%E0%A4",
      "/nowhere",
    ]) {
      const page = await own.request(path, { headers: { accept: "text/html" } });
      expect([path, page.status]).toEqual([path, 404]);
      expect(await page.text()).toContain(" · Harbour Records</title>");
    }
    await own.close();
  });
});
