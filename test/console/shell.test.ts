import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { attributesOf, createVisitor } from "../pages/visitor.ts";
import { createTestApp, jsonOf, type TestApp } from "../support/app.ts";
import { addTrackRows } from "../support/track-rows.ts";

const PASSWORD = "correct horse battery";

let app: TestApp;
let owner: Awaited<ReturnType<typeof library>>;
beforeAll(async () => {
  app = await createTestApp();
  owner = await library("mara@example.com");
});
afterAll(() => app.close());

/** An account with a track, a playlist and a link, and its browser. */
async function library(email: string) {
  const { accountId, token } = app.createAccount(email);
  const track = addTrackRows(app.deps.db, accountId, {
    name: "Night Ferry.wav",
    title: "Night </script> Ferry",
  });
  const api = app.as(app.createKey(accountId));
  const made = await api("POST", "/playlists", { name: "Night drives", trackIds: [track.id] });
  const shared = await app.signedIn(token)("POST", "/app/shares", { trackId: track.id, recipient: "Ada" });
  const visitor = createVisitor(app);
  await visitor.post("/signin", { email, password: PASSWORD });
  const ids = { trackId: track.id, playlistId: made.body.data.playlist.id, shareId: shared.body.data.id };
  return { ...ids, visitor };
}

const addressesOf = ({ trackId, shareId }: { trackId: string; shareId: string }) =>
  [
    ["/library", "Library"],
    ["/library/search?q=warm+piano", "Search"],
    [`/library/tracks/${trackId}?tab=versions`, "Night &lt;/script> Ferry"],
    ["/library/playlists", "Playlists"],
    ["/library/links", "Links"],
    [`/library/links/${shareId}`, "Link for Ada"],
    ["/library/uploads", "Uploads"],
    ["/library/deleted", "Recently deleted"],
    ["/library/welcome", "Welcome"],
  ] as const;

describe("every screen", () => {
  test("has its address, its heading and its title", async () => {
    for (const [path, heading] of addressesOf(owner)) {
      const { status, text } = await owner.visitor.open(path);

      expect([path, status]).toEqual([path, 200]);
      expect(text).toContain(`<h1>${heading}</h1>`);
      expect(text).toContain(`<title>${heading} · Dubplate</title>`);
    }
  });

  test("is fetched together with the script, with all that it begins with", async () => {
    for (const [path] of addressesOf(owner).filter(([path]) => path !== "/library")) {
      const { text } = await owner.visitor.open(path);

      const preloaded = [...text.matchAll(/<link rel="modulepreload" href="([^"]+)"/g)].map(
        ([, file = ""]) => file,
      );
      expect([path, preloaded.length]).not.toEqual([path, 0]);
      const known = [...preloaded, ...attributesOf(text, "src")];
      for (const file of preloaded) {
        const script = await (await app.request(file)).text();
        for (const [, name] of script.matchAll(/\bfrom"\.\/([^"]+)"/g))
          expect(known).toContain(`/assets/${name}`);
      }
    }
  });

  test("sends strangers to sign in, and leads back with its query", async () => {
    for (const [path] of addressesOf(owner)) {
      const visitor = createVisitor(app);

      const asked = await visitor.open(path);
      const entered = await visitor.post("/signin", {
        email: "mara@example.com",
        password: PASSWORD,
        next: new URLSearchParams(asked.location?.split("?")[1]).get("next") ?? "",
      });

      expect([asked.status, asked.location]).toEqual([303, `/signin?next=${encodeURIComponent(path)}`]);
      expect([entered.status, entered.location]).toEqual([303, path]);
    }
  });

  test("loads what this server sends and nothing else", async () => {
    const { headers, text } = await owner.visitor.open("/library");

    expect(headers.get("content-security-policy")).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; font-src 'self'; media-src 'self' blob:; " +
        "connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    expect(headers.get("cache-control")).toBe("no-store");
    expect(text).not.toMatch(/ style="|<style| on\w+="/);
    const files = [...attributesOf(text, "src"), ...attributesOf(text, "href")];
    expect(files.length).toBeGreaterThan(2);
    for (const path of files) expect([path, (await app.request(path)).status]).toEqual([path, 200]);
  });
});

describe("an address that is none", () => {
  test.each([
    "/library/nothing",
    "/library/tracks",
    "/library/tracks/trk_none",
    "/library/tracks/trk_none/more",
    "/library/links/shr_none",
    "/library/playlists/..%2f",
  ])("the address %s shows that nothing is there", async (path) => {
    const { status, text } = await owner.visitor.open(path);

    expect(status).toBe(404);
    expect(text).toContain("<h1>Nothing here</h1>");
  });

  test("a thing of another account looks like one that does not exist", async () => {
    const other = await library("other@example.com");

    const foreign = await other.visitor.open(`/library/tracks/${owner.trackId}`);
    const none = await other.visitor.open("/library/tracks/trk_none");
    const link = await other.visitor.open(`/library/links/${owner.shareId}`);

    expect([foreign.status, link.status]).toEqual([404, 404]);
    expect(foreign.text).toBe(none.text);
    expect(link.text).toBe(none.text);
  });
});

test("the document carries the screen's first data, as text that ends no script", async () => {
  const { text } = await owner.visitor.open(`/library/tracks/${owner.trackId}`);

  const [, json = ""] = /<script id="first-data" type="application\/json">(.*?)<\/script>/s.exec(text) ?? [];
  const first = JSON.parse(json);
  expect(first.answers[0].data.track.audio_profile.title).toBe("Night </script> Ferry");
  expect(first.account).toMatchObject({ name: "Someone", email: "mara@example.com" });
  expect(first.seq).toMatch(/^[1-9][0-9]*$/); // where live changes go on
});

test("the document says whether this server sends mails", async () => {
  const relay = { host: "127.0.0.1", port: 2525, isTls: false, needsTls: false, user: undefined };
  const from = { name: null, address: "music@label.example" };
  const sending = await createTestApp({
    settings: { mail: { ...relay, password: undefined, from, perDay: 200 } },
  });
  sending.createAccount("mara@example.com");
  const visitor = createVisitor(sending);
  await visitor.post("/signin", { email: "mara@example.com", password: PASSWORD });

  const [without, withMail] = await Promise.all([owner.visitor.open("/library"), visitor.open("/library")]);

  expect(without.text).toContain('"sendsMail":false');
  expect(withMail.text).toContain('"sendsMail":true');
  await sending.close();
});

test("the document does not repeat what its address said", async () => {
  const { text } = await owner.visitor.open("/library?q=guessed-word");

  expect(text).not.toContain("guessed-word");
});

test("/ leads to the library with a session, and to the sign-in page without one", async () => {
  const [inside, outside] = [await owner.visitor.open("/"), await createVisitor(app).open("/")];

  expect([inside.status, inside.location]).toEqual([303, "/library"]);
  expect([outside.status, outside.location]).toEqual([303, "/signin"]);
});

test("every address of the document is below the path of the proxy", async () => {
  const behind = await createTestApp({ settings: { publicUrl: "https://example.com/music" } });
  const { token } = behind.createAccount();
  const asked = await behind.request("/library", { headers: { accept: "text/html" } });
  const shown = await behind.request("/library", { headers: { cookie: `dubplate_session=${token}` } });

  expect(asked.headers.get("location")).toBe("/music/signin?next=%2Fmusic%2Flibrary");
  const text = await shown.text();
  const files = [...attributesOf(text, "src"), ...attributesOf(text, "href")];
  expect(files.every((path) => /^\/music\/(assets|icons|manifest)\b/.test(path))).toBe(true);
  await behind.close();
});

describe("the console can be installed", () => {
  test("the console can be installed by a manifest whose icons are there, in the sizes that it says", async () => {
    const { text } = await owner.visitor.open("/library");
    expect(text).toContain('<link rel="manifest" href="/manifest.webmanifest"');

    const manifest = await app.request("/manifest.webmanifest");
    const { start_url, scope, display, icons } = await jsonOf(manifest);

    expect(manifest.headers.get("content-type")).toBe("application/manifest+json");
    expect([start_url, scope, display]).toEqual(["/library", "/", "standalone"]);
    expect(icons.map(({ sizes }: { sizes: string }) => sizes)).toEqual(["192x192", "512x512", "512x512"]);
    for (const { src, sizes, type } of icons) {
      const icon = await app.request(src);
      const bytes = Buffer.from(await icon.arrayBuffer());
      expect([icon.status, icon.headers.get("content-type")]).toEqual([200, type]);
      expect(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`).toBe(sizes);
    }
    expect((await app.request("/icons/nothing.png")).status).toBe(404);
  });
});
