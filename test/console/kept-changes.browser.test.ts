import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { beginSession, getAccountByEmail } from "../../src/modules/people/accounts/service.ts";
import { BROWSER_PATH } from "../pages/browser.ts";
import { jsonOf } from "../support/app.ts";
import { createConsole, until } from "./console.ts";
import { chooseInMenu, keepList, keptIn, keptMarks } from "./kept.ts";
import { addSongs, songFile } from "./songs.ts";

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
  test("is the server's file, plays without it, follows a new mix, and goes with its playlist", async () => {
    const { page, errors, close } = await desk.open(`/library/playlists/${listId}`);
    await keepList(page, 3);
    const kept = await keptIn(page);
    const files = await filesOf(kept.device?.id ?? "");
    expect(Object.values(kept.audio).sort()).toEqual(Object.values(files).sort());
    expect(Object.values(kept.tracks).sort()).toEqual(Object.keys(files).sort());

    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await page.getByRole("button", { name: "Play Quarry" }).click();
    await page.getByText("0:01 /").waitFor();
    expect(asked.filter((path) => /^\/(media|listen)/.test(path))).toEqual([]);

    const form = new FormData();
    form.set("activate", "true");
    form.set("file", songFile({ title: "Harbour, louder", seconds: 5 }, 7));
    const mix = (await api()("POST", `/tracks/${ids[0]}/versions`, form)).body.data.id;
    await desk.drainJobs();
    await page.reload();
    await until(async () => (await keptIn(page)).tracks[ids[0] ?? ""], mix);
    await until(async () => Object.values((await keptIn(page)).audio).length, 3);
    expect(Object.values((await keptIn(page)).audio)).toContain(
      (await filesOf(kept.device?.id ?? ""))[mix] ?? "",
    );

    await chooseInMenu(page, "Remove from this device");
    await until(async () => (await keptIn(page)).stores.filter((name) => /pocket/.test(name)), []);
    expect(errors).toEqual([]);
    await close();
  }, 120_000);

  test.each(["its session goes on", "its session is over"])(
    "goes when its copies were removed from elsewhere and %s",
    async (then) => {
      const isOver = then === "its session is over";
      const person = getAccountByEmail(desk.deps, desk.account.email);
      const { token } = beginSession(desk.deps, person, { ip: "test", userAgent: null });
      const { page, close } = await desk.open(`/library/playlists/${listId}`, "desktop", token);
      await keepList(page, 3);
      const { device } = await keptIn(page);

      await app()("DELETE", `/app/pocket/${device?.id}`);
      if (isOver) await desk.signedIn(token)("POST", "/auth/logout");
      await page.reload();

      if (!isOver)
        await page
          .getByText("This device was removed from your library. Its copies have been deleted.")
          .waitFor();
      await until(async () => (await keptIn(page)).stores.filter((name) => /pocket/.test(name)), []);
      const asked = await desk.request("/pocket/state", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(device),
      });
      expect((await jsonOf(asked)).data.state).toBe("withdrawn");
      await close();
    },
    120_000,
  );

  test("is what there is room for, and the rest is named", async () => {
    const { page, errors, close } = await desk.open(`/library/playlists/${listId}`);
    const browser = await page.context().newCDPSession(page);
    const room = (quotaSize?: number) =>
      browser.send("Storage.overrideQuotaForOrigin", {
        origin: desk.origin,
        ...(quotaSize !== undefined && { quotaSize }),
      });
    // The worker and the database take about half of it.
    await room(450_000);

    await chooseInMenu(page, "Keep on this device");
    await page.getByRole("dialog").getByRole("button", { name: "Keep", exact: true }).click();
    const said = (await page.getByText(/^Not enough room: /).textContent()) ?? "";
    const here = Object.keys((await keptIn(page)).audio).length;
    expect(said).toMatch(`Not enough room: ${here} of 3 tracks w`);
    expect(here).toBeLessThan(3);

    await room();
    await page.reload();
    await keptMarks(page, 3);
    expect(errors).toEqual([]);
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
    await page.getByText("Keeping, 50 %").first().waitFor();
    await until(async () => (await keptIn(page)).failures, 3);
    expect((await keptIn(page)).audio).toEqual({});
    await page.unroute("**/media/**");
    await page.reload();
    await keptMarks(page, 3);
    await close();
  }, 120_000);
});
