import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { BROWSER_PATH, inspect, openWindow } from "../pages/browser.ts";
import type { Json } from "../support/app.ts";
import { createConsole, until } from "./console.ts";
import { PERSON } from "./songs.ts";
import { SECONDS, uploadSong } from "./track-songs.ts";

let desk: Awaited<ReturnType<typeof createConsole>>;
let trackId: string;
beforeAll(async () => {
  if (!BROWSER_PATH) return;
  desk = await createConsole();
  trackId = await uploadSong(desk, "Night Ferry", "The Lowlands", 3);
});
afterAll(() => desk?.close());

const call = (method: string, path: string, body?: object) =>
  desk.signedIn(desk.account.token)(method, path, body);

async function share(settings: object) {
  const { body } = await call("POST", "/app/shares", { trackId, ...settings });
  return { id: body.data.id as string, path: new URL(body.data.url).pathname };
}

/** Opens a link as an ordinary person, plays from a place until another, and closes the tab. */
async function listen(path: string, fromSec: number, toSec: number): Promise<void> {
  const { page, close } = await openWindow(desk.browser, desk.origin, "desktop", { userAgent: PERSON });
  await page.goto(path);
  await page.getByRole("button", { name: "Play", exact: true }).first().click();
  const seek = page.getByRole("slider", { name: /position/i });
  await seek.fill(String(fromSec));
  // Asked from here, it would be asked a thousand times.
  await page.evaluate(`new Promise((done) => {
    const look = () => (Number(document.getElementById("seek").value) >= ${toSec} ? done() : setTimeout(look, 50));
    look();
  })`);
  // Nothing but leaving the page reports the end.
  await page.goto("about:blank");
  await close();
}

/** Returns what was heard through a link, as soon as it satisfies a condition. */
async function listeningOf(id: string, isThere: (listening: Json) => boolean): Promise<Json> {
  for (;;) {
    desk.app.counting.flush();
    const { data } = (await call("GET", `/app/shares/${id}/listening`)).body;
    if (isThere(data)) return data;
    await Bun.sleep(20);
  }
}

const stops = (count: number) => (listening: Json) =>
  listening.visits.filter(({ heard }: Json) => heard.length > 0).length === count;

describe.skipIf(!BROWSER_PATH)("the page of a link", () => {
  test("shows which part of a song a listener heard, and where they stopped", async () => {
    const { id, path } = await share({ recipient: "Ada at Harbour Records" });

    await listen(path, 8, 15);

    const { visits: found, tracks } = await listeningOf(id, ({ visits: all }) => all[0]?.stoppedAtSec >= 15);
    const [visit] = found;
    const [from, to] = visit.heard.at(-1);
    expect([from, to].map(Math.round)).toEqual([8, 15]);
    expect(visit.stoppedAtSec).toBe(to);
    const { curve } = tracks[0];
    const sliceAt = (sec: number) => curve[Math.floor((120 * sec) / SECONDS)];
    expect([3, 9, 12, 14, 17, 22].map(sliceAt)).toEqual([0, 1, 1, 1, 0, 0]);

    const { page, errors, close } = await desk.open(`/library/links/${id}`);
    await page
      .getByText(/^Ada at Harbour Records listened briefly on 15 Jan 2026, and stopped at 0:1[45]\.$/)
      .waitFor();
    const figure = page.getByRole("figure", { name: "Heard of Night Ferry" });
    await figure.getByText("1 of 1 visit heard it").waitFor();
    await figure.getByText("In numbers").click();
    const slices = figure.getByRole("table", { name: "Heard by slice" }).getByRole("row");
    expect(await slices.count()).toBe(121);
    expect(await slices.nth(61).textContent()).toContain("100 %");
    const visits = page.getByRole("table", { name: "Visits" });
    await visits.getByRole("cell", { name: /^0:1[45]$/ }).waitFor();
    await page.getByText("Not counted").click();
    await page.getByText(/1 × listens too short for a play/).waitFor();

    expect(errors).toEqual([]);
    await close();
  });

  test.each(["desktop", "phone"] as const)("says who listened first, on a %s", async (name) => {
    const { id, path } = await share({ recipient: name === "phone" ? null : "Benno" });
    await Promise.all([listen(path, 0, 14), listen(path, 16, 23.5), listen(path, 4, 9)]);
    await listeningOf(id, stops(3));

    const { page, errors, close } = await desk.open(`/library/links/${id}`, name);
    await page.getByRole("figure", { name: "Heard of Night Ferry" }).locator("canvas").waitFor();
    const words =
      name === "phone" ? /^3 visitors listened, last on 15 Jan 2026; the last one / : /^Benno listened /;
    await page.getByText(words).waitFor();
    expect(await inspect(page, `console-link-heat-${name}`)).toEqual([]);
    await page.getByRole("figure").getByText("In numbers").click();
    await page.getByText("Not counted").click();
    expect(await inspect(page, `console-link-folded-${name}`)).toEqual([]);

    expect(errors).toEqual([]);
    await close();
  });

  test("the link of a playlist shows the tracks that were heard", async () => {
    const other = await uploadSong(desk, "Last Train", "The Lowlands", 5);
    const third = await uploadSong(desk, "Harbour Lights", "The Lowlands", 7);
    const { body } = await call("POST", "/app/playlists", { name: "Set", trackIds: [other, trackId, third] });
    const { id, path } = await share({ trackId: undefined, playlistId: body.data.id, recipient: "Pier" });
    await listen(path, 3, 8);
    await listeningOf(id, stops(1));

    const { page, close } = await desk.open(`/library/links/${id}`);

    await page.getByText(/^Pier listened briefly .* stopped at 0:0[78] of Last Train\.$/).waitFor();
    await page.getByRole("figure", { name: "Heard of Last Train" }).waitFor();
    await page.getByText("2 tracks were not heard.").waitFor();
    expect(await inspect(page, "console-link-playlist-desktop")).toEqual([]);
    await close();
  });

  test("a link whose switch is off keeps no parts: its own page says nothing of them, and the console that it is off", async () => {
    const { id, path } = await share({ recipient: "Fay" });
    const says = async () =>
      (await (await fetch(desk.origin + path)).text()).includes("which parts were played");
    expect(await says()).toBeTrue();
    const { page, errors, close } = await desk.open(`/library/links/${id}`);

    await page.getByRole("switch", { name: "Keep which parts are heard" }).click();

    await page.getByText("Which parts were heard is not kept for this link.").waitFor();
    expect(await says()).toBeFalse();
    await page.getByRole("switch", { name: "Keep which parts are heard" }).click();
    await page.getByText("is not kept for this link").waitFor({ state: "detached" });
    expect(await says()).toBeTrue();
    expect(errors).toEqual([]);
    await close();
  });

  test("a link is revoked at once when its page is left", async () => {
    const { id } = await share({ recipient: "Dora" });
    const { page, close } = await desk.open(`/library/links/${id}`);
    await page.getByRole("button", { name: "Revoke" }).click();
    await page.getByText("Link revoked").waitFor();

    await page.goto("about:blank");
    await close();

    await until(async () => (await call("GET", `/app/shares/${id}`)).body.data.revokedAt !== null, true);
  });

  test("a link is found by the person it was made for", async () => {
    await share({ recipient: "Emil" });
    const { page, close } = await desk.open("/library/links");
    const filter = page.getByRole("combobox", { name: "Filter by person" });

    await filter.fill("em");
    await page.getByRole("option", { name: "Emil" }).click();
    await page.getByRole("row", { name: /Ada/ }).waitFor({ state: "detached" });
    await page.getByRole("link", { name: "Emil" }).waitFor();
    expect(new URL(page.url()).search).toBe("?for=Emil");

    await page.keyboard.press("ControlOrMeta+K");
    await page.getByRole("combobox", { name: "Type a command or search" }).fill("@ben");
    await page.getByRole("option", { name: "Benno" }).click();
    await page
      .getByRole("row", { name: /^Benno/ })
      .first()
      .waitFor();
    expect(new URL(page.url()).search).toBe("?for=Benno");
    await close();
  });
});
