import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createTestApp, type TestApp } from "../support/app.ts";
import { noise, wavBytes } from "../support/signals.ts";
import { attributesOf, createVisitor } from "./visitor.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

/** Makes an account with a track, and a playlist of it made in the console. */
async function owner() {
  const { accountId, token } = app.createAccount();
  const [api, call] = [app.as(app.createKey(accountId)), app.signedIn(token)];
  const form = new FormData();
  for (const [at, name] of ["Night Ferry.wav", "Night Bus.wav"].entries())
    form.append("files", new File([wavBytes([noise(8000, 0.1 + at / 10)], 8000, 16)], name));
  const { uploaded } = (await api("POST", "/tracks/upload", form)).body.data;
  const trackIds: string[] = uploaded.map(({ id }: { id: string }) => id);
  const [trackId = ""] = trackIds;
  const made = await call("POST", "/app/playlists", { name: "Night drives", trackIds });
  const playlistId: string = made.body.data.id;
  const modeOf = async () =>
    (await api("GET", `/playlists/single/${playlistId}`)).body.data.modes.find(
      ({ mode }: { mode: string }) => mode === "SHARE_VIEW",
    );
  const { link } = await modeOf();
  const listing = async () => (await call("GET", `/app/links?playlistId=${playlistId}`)).body.data;
  return { api, call, trackId, playlistId, made, modeOf, link, path: `/playlist/${link}`, listing };
}

describe("a playlist made in the console", () => {
  test("is not shared yet: its link opens nothing, and says so", async () => {
    const { made, modeOf, path, listing } = await owner();

    const page = await createVisitor(app).open(path);

    expect(page.status).toBe(404);
    expect(page.text).toContain("<h1>This playlist is not shared yet</h1>");
    expect(page.text).not.toContain("Night");
    expect(made.body.data.publicUrl).toBeNull();
    expect(await modeOf()).toMatchObject({ active: false });
    expect(await listing()).toMatchObject([{ active: false, turned: "not-yet" }]);
  });

  test("is not opened by any address below its page, nor by a signed-in stranger", async () => {
    const { path } = await owner();
    const visitor = createVisitor(app);

    for (const below of ["download", "listen/ver_1", "download/ver_1", "waveform/ver_1", "renewed/ver_1"])
      expect([below, (await visitor.open(`${path}/${below}`)).status]).not.toEqual([below, 200]);
    for (const below of ["tracks", "comments"])
      expect([below, (await visitor.open(`${path}/${below}`)).status]).toEqual([below, 404]);
    expect((await visitor.post(path, { password: "guess" })).status).toBe(404);
    expect((await visitor.post(`${path}/comments`, { name: "N", text: "Hi" })).status).toBe(404);
    expect((await visitor.post(`${path}/heard/ver_1`, { parts: "0-30" })).status).toBe(404);
  });

  test("opens once its owner turns it on, by the link that it had", async () => {
    const { call, playlistId, path, listing } = await owner();

    const shared = await call("PUT", `/app/playlists/${playlistId}/public`);
    const again = await call("PUT", `/app/playlists/${playlistId}/public`);

    expect(new URL(shared.body.data.publicUrl).pathname).toBe(path);
    expect(again.body.data).toEqual(shared.body.data);
    expect((await createVisitor(app).open(path)).status).toBe(200);
    expect(await listing()).toMatchObject([{ active: true, turned: "on" }]);
  });

  test("opens by the same link when it is shared with anyone in the dialog, which counts as sharing", async () => {
    const { call, playlistId, path, listing } = await owner();
    expect((await call("GET", "/app/first-steps")).body.data.shared).toBe(false);

    const { body } = await call("POST", "/app/shares", { playlistId, allowDownload: true });

    expect(new URL(body.data.url).pathname).toBe(path);
    expect(body.data).toMatchObject({ active: true, allowDownload: true });
    expect(await listing()).toHaveLength(1);
    expect((await call("GET", "/app/first-steps")).body.data.shared).toBe(true);
  });

  test("stays closed to everyone when one person gets a link of their own", async () => {
    const { call, playlistId, path } = await owner();

    const { body } = await call("POST", "/app/shares", { playlistId, recipient: "Ana" });

    expect((await createVisitor(app).open(new URL(body.data.url).pathname)).status).toBe(200);
    expect((await createVisitor(app).open(path)).status).toBe(404);
  });
});

test("a playlist made with a key has a live link at once", async () => {
  const { api, trackId } = await owner();

  const { body } = await api("POST", "/playlists", { name: "By key", trackIds: [trackId] });

  const { publicLink } = body.data.playlist;
  expect((await createVisitor(app).open(new URL(publicLink).pathname)).status).toBe(200);
});

describe("a link that is turned off", () => {
  test("closes every address that its open page had, and opens them again when it is turned on", async () => {
    const { call, playlistId } = await owner();
    const settings = { playlistId, allowDownload: true, allowComments: true };
    const { id, url } = (await call("POST", "/app/shares", settings)).body.data;
    const path = new URL(url).pathname;
    const visitor = createVisitor(app);
    const { text } = await visitor.open(path);
    const [listen = ""] = attributesOf(text, "data-src");
    const downloads = attributesOf(text, "href").filter((each) => each.includes("/download"));
    expect(downloads).toHaveLength(3);
    const [e = "", s = ""] = attributesOf(text, "value");
    const doors = [path, listen, ...downloads];
    for (const door of doors) expect([door, (await visitor.open(door)).status]).toEqual([door, 200]);

    const off = await call("PATCH", `/app/shares/${id}`, { shared: false });

    expect(off.body.data).toMatchObject({ active: false, link: path.split("/").at(-1) });
    for (const door of doors) expect([door, (await visitor.open(door)).status]).toEqual([door, 404]);
    const comment = await visitor.post(`${path}/comments`, { e, s, name: "N", text: "Hi", track: "trk_1" });
    expect(comment.status).toBe(404);
    expect((await visitor.open(path)).text).toContain("This playlist is not shared at the moment");

    await call("PATCH", `/app/shares/${id}`, { shared: true });
    for (const door of doors) expect([door, (await visitor.open(door)).status]).toEqual([door, 200]);
  });

  test("the switch of a playlist turns off each of its links, and leaves those of people", async () => {
    const { api, call, playlistId, trackId } = await owner();
    const made = await api("POST", "/playlists", { name: "Two links", trackIds: [trackId] });
    const { id, publicLink } = made.body.data.playlist;
    const more = (await call("POST", "/app/shares", { playlistId: id })).body.data;
    const forAna = (await call("POST", "/app/shares", { playlistId: id, recipient: "Ana" })).body.data;

    const { body } = await call("DELETE", `/app/playlists/${id}/public`);

    expect(body.data.publicUrl).toBeNull();
    const visitor = createVisitor(app);
    const statusOf = async (url: string) => (await visitor.open(new URL(url).pathname)).status;
    expect(await Promise.all([publicLink, more.url, forAna.url].map(statusOf))).toEqual([404, 404, 200]);
    expect(playlistId).not.toBe(id);
  });

  test("a track's link that is turned off is not the link that the track shows", async () => {
    const { api, call, trackId } = await owner();
    const { id, url } = (await call("POST", "/app/shares", { trackId })).body.data;
    const linkOf = async () => (await api("GET", `/tracks/single?id=${trackId}`)).body.data.track.link;

    await call("PATCH", `/app/shares/${id}`, { shared: false });

    expect(await linkOf()).toBeNull();
    await call("PATCH", `/app/shares/${id}`, { shared: true });
    expect(await linkOf()).toBe(url);
  });

  test("a link that is turned off belongs to its owner: a stranger finds no such playlist", async () => {
    const { playlistId } = await owner();
    const stranger = app.signedIn(app.createAccount().token);

    expect((await stranger("PUT", `/app/playlists/${playlistId}/public`)).status).toBe(404);
    expect((await stranger("DELETE", `/app/playlists/${playlistId}/public`)).status).toBe(404);
  });
});
