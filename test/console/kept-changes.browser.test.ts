import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { BROWSER_PATH } from "../pages/browser.ts";
import { createConsole, until } from "./console.ts";
import { anotherSession, chooseInMenu, keepList, keptIn, keptMarks } from "./kept.ts";
import { addSongs } from "./songs.ts";
import { addMix, secondMix } from "./track-songs.ts";

let desk: Awaited<ReturnType<typeof createConsole>>;
let ids: string[];
let listId: string;
const api = () => desk.as(desk.createKey(desk.account.accountId));
const app = () => desk.signedIn(desk.account.token);
beforeAll(async () => {
  if (!BROWSER_PATH) return;
  desk = await createConsole();
  ids = await addSongs(
    desk,
    ["Harbour", "Lantern", "Quarry"].map((title) => ({ title, seconds: 4 })),
  );
  await app()("POST", "/app/tracks/bulk", { where: { ids }, do: { visible: true } });
  listId = (await api()("POST", "/playlists", { name: "Night drive", trackIds: ids })).body.data.playlist.id;
});
afterAll(() => desk?.close());

const hashOf = (bytes: ArrayBuffer) => new Bun.CryptoHasher("sha256").update(bytes).digest("hex");

/** The hashes of the files that the server has for a device, by the versions. */
async function filesOf(deviceId: string): Promise<Record<string, string>> {
  const wants = [{ entity: "playlist", id: listId }];
  const asked = { wants, has: [], bytes: 0 };
  const { body } = await app()("POST", `/app/pocket/${deviceId}/sync?accept=audio/ogg`, asked);
  const files = body.data.tracks.map(
    async ({ versionId, audio }: { versionId: string; audio: { url: string } }) => {
      const { pathname, search } = new URL(audio.url);
      return [versionId, hashOf(await (await desk.request(pathname + search)).arrayBuffer())];
    },
  );
  return Object.fromEntries(await Promise.all(files));
}

describe.skipIf(!BROWSER_PATH)("What is kept on a device", () => {
  test("is the file that the server has, also of a new mix that came while the page was closed", async () => {
    const { page, errors, close } = await desk.open(`/library/playlists/${listId}`);
    await keepList(page, 3);
    const { device, audio, tracks } = await keptIn(page);
    const files = await filesOf(device?.id ?? "");
    expect(Object.values(audio).sort()).toEqual(Object.values(files).sort());
    expect(Object.values(tracks).sort()).toEqual(Object.keys(files).sort());

    await page.goto("about:blank");
    const mix = await addMix(desk, ids[0] ?? "", "v2", secondMix(7));
    await page.goto(`/library/playlists/${listId}`);

    await until(async () => (await keptIn(page)).tracks[ids[0] ?? ""], mix);
    const newer = await filesOf(device?.id ?? "");
    await until(async () => Object.values((await keptIn(page)).audio).sort(), Object.values(newer).sort());
    expect(newer[mix]).not.toBe(files[tracks[ids[0] ?? ""] ?? ""]);
    expect(errors).toEqual([]);
    await close();
  }, 120_000);

  test("goes when its copies were removed from elsewhere and its session was ended", async () => {
    const token = anotherSession(desk);
    const { page, close } = await desk.open(`/library/playlists/${listId}`, "desktop", token);
    await keepList(page, 3);
    const { device } = await keptIn(page);
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready;
    });

    await page.goto("about:blank");
    await app()("DELETE", `/app/pocket/${device?.id}`);
    await desk.signedIn(token)("POST", "/auth/logout");
    await page.goto("/library");

    await page.waitForURL("**/signin*");
    await until(async () => (await keptIn(page)).stores.filter((name) => /pocket/.test(name)), []);
    await close();
  }, 120_000);

  test("is whole: a file that broke off is not there, and is fetched again", async () => {
    const { page, close } = await desk.open(`/library/playlists/${listId}`);
    await page.route("**/media/**", async (route) => {
      const response = await route.fetch();
      const bytes = await response.body();
      await route.fulfill({ response, body: bytes.subarray(0, bytes.length / 2) });
    });
    await chooseInMenu(page, "Keep on this device");
    await page.getByRole("dialog").getByRole("button", { name: "Keep", exact: true }).click();
    await until(async () => (await keptIn(page)).failures, 3);
    expect(await page.getByText("Not kept yet", { exact: true }).count()).toBe(3);
    expect((await keptIn(page)).audio).toEqual({});

    await page.unroute("**/media/**");
    await page.reload();
    await keptMarks(page, 3);
    await close();
  }, 120_000);
});
