import { afterAll, beforeAll, expect, test } from "bun:test";
import { createTestApp, type TestApp } from "../support/app.ts";
import { noise, wavBytes } from "../support/signals.ts";
import { attributesOf, createVisitor } from "./visitor.ts";

let app: TestApp;
let owner: Awaited<ReturnType<typeof library>>;
beforeAll(async () => {
  app = await createTestApp();
  owner = await library("mara@example.com");
});
afterAll(() => app.close());

const PASSWORD = "correct horse battery";

/** Makes an account with a track and a playlist of it. */
async function library(email: string) {
  const { accountId } = app.createAccount(email);
  const api = app.as(app.createKey(accountId));
  const form = new FormData();
  form.append("files", new File([wavBytes([noise(8000, 0.1)], 8000, 16)], "Night Ferry.wav"));
  const uploaded = await api("POST", "/tracks/upload", form);
  const trackId: string = uploaded.body.data.uploaded[0].id;
  const made = await api("POST", "/playlists", {
    name: "Night drives <1>",
    description: "Final mixes",
    trackIds: [trackId],
  });
  const { privateLink, id } = made.body.data.playlist as { privateLink: string; id: string };
  return { email, api, trackId, playlistId: id, path: `${new URL(privateLink).pathname}/plain` };
}

/** Returns a visitor who has signed in on the page. */
async function signedIn(email: string) {
  const visitor = createVisitor(app);
  await visitor.post("/signin", { email, password: PASSWORD });
  return visitor;
}

test("the private link leads a visitor to the sign-in page and then to the playlist", async () => {
  const visitor = createVisitor(app);

  const asked = await visitor.open(owner.path);
  expect([asked.status, asked.location]).toEqual([303, `/signin?next=${encodeURIComponent(owner.path)}`]);
  const form = await visitor.open(asked.location ?? "");
  const [next = ""] = attributesOf(form.text, "value").filter((value) => value.startsWith("/"));
  const entered = await visitor.post("/signin", { email: owner.email, password: PASSWORD, next });
  expect([entered.status, entered.location]).toEqual([303, owner.path]);
  const { status, text, headers } = await visitor.open(owner.path);

  expect(status).toBe(200);
  expect(text).toContain("<h1>Night drives &lt;1></h1>");
  expect(text).toContain("Final mixes");
  expect(text).toContain("Only you can open this page.");
  expect(attributesOf(text, "data-track")).toEqual([owner.trackId]);
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.get("x-robots-tag")).toContain("noindex");
});

test("the tracks of a private playlist play and can be downloaded with only the session", async () => {
  const visitor = await signedIn(owner.email);
  const { text } = await visitor.open(owner.path);
  const [listen = ""] = attributesOf(text, "data-src");
  const download = attributesOf(text, "href").find((address) => address.includes("/download/")) ?? "";

  const [part, plain, file, stranger] = [
    await visitor.open(listen, { range: "bytes=0-9" }),
    await visitor.open(`${listen}&plain`),
    await visitor.open(download),
    await createVisitor(app).open(listen),
  ];

  expect([part.status, part.headers.get("content-disposition")]).toEqual([206, "inline"]);
  expect(plain.status).toBe(200);
  expect(file.headers.get("content-disposition")).toContain("Night Ferry.wav");
  expect([part, file].map(({ headers }) => headers.get("cache-control"))).toEqual(
    Array(2).fill("private, no-cache"),
  );
  expect(stranger.status).toBe(401);
});

test("another account cannot tell a private playlist from one that does not exist", async () => {
  const other = await library("other@example.com");
  const visitor = await signedIn(other.email);
  const { text } = await (await signedIn(owner.email)).open(owner.path);
  const addresses = ["data-src", "data-wave"].flatMap((name) => attributesOf(text, name));

  const [foreign, none] = [
    await visitor.open(owner.path),
    await visitor.open("/library/playlists/pl_none/plain"),
  ];

  expect([foreign.status, none.status]).toEqual([404, 404]);
  expect(foreign.text).toBe(none.text);
  for (const address of [...addresses, `${owner.path}/tracks`])
    expect((await visitor.open(address)).status).toBe(404);
  const version = /listen\/(\w+)/.exec(addresses[0] ?? "")?.[1];
  expect((await visitor.open(`${other.path}/listen/${version}`)).status).toBe(404);
});

test("a visitor cannot tell a private playlist from one that does not exist", async () => {
  const visitor = createVisitor(app);

  const [one, none] = [
    await visitor.open(owner.path),
    await visitor.open("/library/playlists/pl_none/plain"),
  ];

  expect([one.status, none.status]).toEqual([303, 303]);
});

test("the owner's activity on a private playlist is not counted, and its page does not report it", async () => {
  const visitor = await signedIn(owner.email);
  const { text } = await visitor.open(owner.path);
  await visitor.open(attributesOf(text, "data-src")[0] ?? "");
  app.app.counting.flush();

  const stats = await owner.api("GET", `/analytics/stats?entity=playlist&ids=${owner.playlistId}`);
  expect(stats.body.data.items[0].total).toBe(0);
  expect(attributesOf(text, "data-seen")).toEqual([]);
  expect(text).not.toContain("/seen");
});
