import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { openWindow } from "../pages/browser.ts";
import { addMember } from "../support/team.ts";
import { addPlaylistRows, addTrackRows } from "../support/track-rows.ts";
import { createConsole, until } from "./console.ts";

let desk: Awaited<ReturnType<typeof createConsole>>;
let ben: ReturnType<typeof addMember>;
let trackId: string;
beforeAll(async () => {
  desk = await createConsole();
  ben = addMember(desk, desk.account.accountId, { role: "manager" });
  const name = desk.deps.db.$client.query("UPDATE people SET name = ? WHERE id = ?");
  name.run("Ben", ben.personId);
  name.run("Ana", desk.account.accountId);
});
afterAll(() => desk.close());
beforeEach(() => {
  trackId = addTrackRows(desk.deps.db, desk.account.accountId, { title: "Ferry", name: "Ferry.wav" }).id;
});

async function openAs(token: string, path: string) {
  const { context, page } = await openWindow(desk.browser, desk.origin, "desktop");
  const { hostname } = new URL(desk.origin);
  await context.addCookies([
    { name: "dubplate_session", value: token, domain: hostname, path: "/", httpOnly: true },
  ]);
  await page.goto(path);
  return { page, close: () => context.close() };
}

/** Opens the windows of both at a place of the track. */
async function openBoth(path: string) {
  const [anas, bens] = [await openAs(desk.account.token, path), await openAs(ben.token, path)];
  return {
    ana: anas.page,
    ben: bens.page,
    close: () => Promise.all([anas.close(), bens.close()]),
  };
}

const details = (tab = "details") => `/library/tracks/${trackId}?tab=${tab}`;
const field = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });
const status = (page: Page, text: string) => page.getByRole("status").filter({ hasText: text });
const profile = async () => {
  const { body } = await desk.signedIn(ben.token)("GET", `/app/library/tracks/single?id=${trackId}`);
  return body.data.track.audio_profile;
};

describe("two people on one track", () => {
  test("edit different fields: both stand", async () => {
    const { ana, ben: bens, close } = await openBoth(details());

    await Promise.all([
      field(ana, "Album")
        .fill("Tides")
        .then(() => field(ana, "Year").focus()),
      field(bens, "Label")
        .fill("Northern")
        .then(() => field(bens, "Year").focus()),
    ]);

    await until(async () => {
      const { album, recordLabel } = await profile();
      return [album, recordLabel];
    }, ["Tides", "Northern"]);
    await until(() => field(ana, "Label").inputValue(), "Northern");
    await until(() => field(bens, "Album").inputValue(), "Tides");
    expect(await ana.locator(".field-theirs").count()).toBe(0);
    await close();
  });

  test("edit one field: who still types is told below it, keeps the text, and can take theirs", async () => {
    const { ana, ben: bens, close } = await openBoth(details());
    await field(ana, "Album").fill("Ti");

    await field(bens, "Album").fill("Harbour Lights");
    await field(bens, "Year").focus();
    const line = status(ana, "Ben changed this to “Harbour Lights” just now.");
    await line.waitFor();

    expect(await field(ana, "Album").inputValue()).toBe("Ti");
    await line.getByRole("button", { name: "Take theirs" }).click();
    expect(await field(ana, "Album").inputValue()).toBe("Harbour Lights");
    await field(ana, "Year").focus();
    expect([(await profile()).album, await line.count()]).toEqual(["Harbour Lights", 0]);
    await close();
  });

  test("edit one field: the last save stands, the earlier one is told, and can put theirs back", async () => {
    const { ana, ben: bens, close } = await openBoth(details());
    await field(ana, "Album").fill("Tides");
    await field(ana, "Year").focus();
    await until(() => field(bens, "Album").inputValue(), "Tides");

    await field(bens, "Album").fill("Harbour Lights");
    await field(bens, "Year").focus();
    const notice = status(ana, "Ben changed the album after you: “Harbour Lights”.");
    await notice.getByRole("button", { name: "Put mine back" }).click();
    await until(async () => (await profile()).album, "Tides");
    await status(bens, "Ana changed the album after you: “Tides”.").waitFor();
    await close();
  });

  test("keep what was typed into the title, the key and the tempo too", async () => {
    const { ana, close } = await openBoth(details());
    const change = (body: object) =>
      desk.signedIn(ben.token)("PATCH", `/app/library/tracks/details?id=${trackId}`, body);
    await ana.getByRole("button", { name: "Edit title" }).click();
    await field(ana, "Title").fill("Ferry two");
    await change({ title: "Night Drive (Final)" });
    const line = status(ana, "Ben changed this to “Night Drive (Final)” just now.");
    await line.waitFor();
    await ana.keyboard.press("Tab");
    await ana.keyboard.press("Enter");
    expect(await field(ana, "Title").inputValue()).toBe("Night Drive (Final)");
    await field(ana, "Title").press("Escape");

    await ana.getByRole("spinbutton", { name: "BPM" }).fill("120");
    await change({ bpm: 98 });
    await status(ana, "Ben changed this to “98” just now.").waitFor();
    await ana.getByRole("spinbutton", { name: "BPM" }).press("Tab");
    await ana.keyboard.press("Tab");
    await until(async () => (await profile()).bpm, 120);

    await ana.getByRole("combobox", { name: "Key" }).fill("A minor");
    await change({ key: "C major" });
    await status(ana, "Ben changed this to “C major” just now.")
      .getByRole("button", { name: "Take theirs" })
      .click();
    expect(await ana.getByRole("combobox", { name: "Key" }).inputValue()).toBe("C major");
    expect(await profile()).toMatchObject({ title: "Night Drive (Final)", bpm: 120, key: "C major" });
    await close();
  });

  test("edit the splits: the later one sees both tables, and decides", async () => {
    const web = desk.signedIn(ben.token);
    const mo = (await web("POST", "/app/composers", { fullName: `Mo ${trackId}`, email: null })).body.data.id;
    const put = (share: number) =>
      web("PUT", `/app/library/tracks/shareholders?id=${trackId}`, {
        shareholders: [{ shareholderId: mo, share, role: "Composer" }],
      });
    await put(40);
    const { ana, close } = await openBoth(details("credits"));
    const share = ana.getByRole("spinbutton", { name: /^Share of Mo/ });
    const save = ana.getByRole("button", { name: "Save credits" });
    const dialog = ana.getByRole("dialog", { name: "Ben changed the splits while you were editing" });
    const sides = () =>
      Promise.all(["Yours", "Ben's"].map((name) => dialog.getByRole("table", { name }).textContent()));

    await share.fill("70");
    await put(55);
    await save.click();
    await dialog.waitFor();
    expect((await sides()).map((text) => /\d+ %/.exec(text ?? "")?.[0])).toEqual(["70 %", "55 %"]);
    await dialog.getByRole("button", { name: "Keep Ben's" }).click();
    await until(() => share.inputValue(), "55");

    await share.fill("80");
    await put(60);
    await save.click();
    await dialog.getByRole("button", { name: "Save mine" }).click();
    await status(ana, "Credits saved").waitFor();
    const { body } = await web("GET", `/app/library/tracks/single?id=${trackId}`);
    expect(body.data.track.shareholderTracks[0].share).toBe(80);
    await close();
  });

  test("order a playlist to which somebody adds: the move is made in the list with the new track", async () => {
    const { id, trackIds } = addPlaylistRows(desk.deps.db, desk.account.accountId, 3, (number) => ({
      title: `Song ${number}`,
      name: `${number}.wav`,
    }));
    const { page, close } = await openAs(desk.account.token, `/library/playlists/${id}`);
    await page.getByRole("row", { name: /Song 3/ }).waitFor();
    // Ben's change is on the server, and not yet here.
    await page.route("**/app/events*", (route) => route.abort());
    await page.route("**/app/changes*", (route) => route.abort());
    let isAdded = false;
    await page.route("**/order", async (route) => {
      if (!isAdded)
        await desk.signedIn(ben.token)("POST", `/app/library/playlists/${id}/tracks`, {
          trackIds: [trackId],
        });
      isAdded = true;
      await route.continue();
    });

    await page.getByRole("row", { name: /Song 3/ }).focus();
    await page.getByRole("row", { name: /Song 3/ }).press("Alt+ArrowUp");

    const [one, two, three] = trackIds;
    await until(
      async () => {
        const { body } = await desk.signedIn(ben.token)("GET", `/app/playlists/${id}/tracks`);
        return body.data.map((row: { id: string }) => row.id);
      },
      [one, three, two, trackId] as string[],
    );
    await close();
  });
});
