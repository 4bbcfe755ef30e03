import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Download } from "playwright-core";
import { transact } from "../../db/client.ts";
import { DAY_MS } from "../../src/kernel/time.ts";
import { type Activity, recordActivity } from "../../src/modules/library/analytics/service.ts";
import { notify } from "../../src/modules/people/notifications/service.ts";
import { BROWSER_PATH, inspect, type WindowName } from "../pages/browser.ts";
import { addTrackRows, MEASURED } from "../support/track-rows.ts";
import { createConsole, until } from "./console.ts";

let desk: Awaited<ReturnType<typeof createConsole>>;
let ada: string;
let ferry: string;
beforeAll(async () => {
  if (!BROWSER_PATH) return;
  desk = await createConsole();
  ada = await listenABit();
});
afterAll(() => desk?.close());

const WINDOWS: readonly WindowName[] = ["desktop", "phone"];

const call = (method: string, path: string, body?: object) =>
  desk.signedIn(desk.account.token)(method, path, body);

/** Something that happened to a song, so many days before the clock. */
const hear = (entityId: string, daysAgo: number, more: Partial<Activity>) =>
  transact(desk.deps.db, (tx) =>
    recordActivity(
      tx,
      {
        ownerId: desk.account.accountId,
        entity: "track",
        entityId,
        metric: "plays",
        actor: { type: "visitor", name: null },
        ...more,
      },
      desk.clock.now() - daysAgo * DAY_MS,
    ),
  );

/** Two songs, a month of plays, two people, and a link that nobody opened. Returns the link of one of them. */
async function listenABit(): Promise<string> {
  const { accountId } = desk.account;
  const song = (title: string, artist: string) =>
    addTrackRows(desk.deps.db, accountId, { title, artist, measured: {} }).id;
  ferry = song("Night Ferry", "The Lowlands");
  const bus = song("Late Bus", "The Lowlands");
  const share = async (trackId: string, recipient?: string): Promise<string> =>
    (await call("POST", "/app/shares", { trackId, ...(recipient && { recipient }) })).body.data.id;
  const [label, radio] = [await share(ferry, "Ada at Harbour Records"), await share(bus, "Radio North")];
  await share(bus, "Ben");
  const until = (visit: string, sec: number) => ({
    visit,
    heardSec: Math.round(sec),
    heard: JSON.stringify([[0, sec]]),
    stoppedSec: sec,
  });
  for (let day = 0; day < 40; day++)
    for (let n = 0; n < (day * 7) % 5; n++) hear(bus, day, until(`p${day} ${n}`, 20 + ((day * 31) % 160)));
  for (const [n, sec] of [62, 64, 63, 180, MEASURED.durationSec].entries())
    hear(ferry, n, { shareId: label, ...until(`a${n}`, sec) });
  hear(bus, 1, { shareId: radio, ...until("r", 90) });
  hear(bus, 1, { leftOut: "machine" });
  return label;
}

/** Returns what was saved, as lines. */
const linesOf = async (download: Download) => (await Bun.file(await download.path()).text()).split("\r\n");

describe.skipIf(!BROWSER_PATH)("the insights", () => {
  test.each(WINDOWS)("say who listened, how far, and where they stop, on a %s", async (window) => {
    const { page, errors, close } = await desk.open("/library/insights", window);

    await page.getByText(/^This week: /).waitFor();
    const figure = page.getByRole("figure", { name: "Plays per day" });
    await figure.getByText("In numbers").click();
    const days = figure.getByRole("table", { name: "Plays per day" }).getByRole("row");
    expect(await days.count()).toBe(31);
    expect(await days.last().getByRole("cell").allTextContents()).toEqual(["1", "0", "0", "0", "0"]);
    const track = page.getByRole("table", { name: "Top tracks" }).getByRole("row", { name: /Night Ferry/ });
    expect(await track.getByRole("cell").allTextContents()).toEqual([
      "55 more",
      "59 %",
      "1 of 5",
      "1:033 of 5",
    ]);
    const person = page.getByRole("table", { name: "Top people" }).getByRole("row", { name: /Ada/ });
    expect(await person.getByRole("cell").allTextContents()).toEqual([
      "5",
      "3:07 of 3:07",
      "1:02 of Night Ferry",
      "15 Jan 2026",
    ]);
    expect(await page.getByRole("list", { name: "Not opened yet" }).getByRole("listitem").count()).toBe(1);
    await page.getByText("Not counted: 1").click();
    await page.getByText(/1 × machines/).waitFor();
    await figure.getByText("In numbers").click();
    expect(await inspect(page, `console-insights-${window}`)).toEqual([]);

    await page.getByRole("link", { name: "Ada at Harbour Records" }).click();
    await page.getByRole("heading", { level: 1, name: "Link for Ada at Harbour Records" }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/library/links/${ada}`);
    expect(errors).toEqual([]);
    await close();
  });

  test("show another range, one day of it, and compare only when asked to", async () => {
    const { page, errors, close } = await desk.open("/library/insights");
    const range = page.getByRole("radiogroup", { name: "Range" });
    const rows = page.getByRole("figure").getByRole("table").getByRole("row");
    expect(await range.getByRole("radio", { name: "30 days" }).isChecked()).toBe(true);

    await range.getByRole("radio", { name: "7 days" }).check();
    await page.getByText("Compare with 2 Jan – 8 Jan 2026").waitFor();
    await page.getByText("In numbers").click();
    await until(() => rows.count(), 8);
    await page.getByRole("checkbox", { name: /^Compare with/ }).uncheck();
    await page.getByRole("columnheader", { name: "Before" }).waitFor({ state: "detached" });
    await page.reload();
    expect(await range.getByRole("radio", { name: "7 days" }).isChecked()).toBe(true);
    expect(await page.getByRole("checkbox", { name: /^Compare with/ }).isChecked()).toBe(false);

    await page.getByText("In numbers").click();
    await page.getByRole("link", { name: "14 Jan", exact: true }).click();
    await page.getByText("Only 14 Jan 2026.").waitFor();
    await page.getByRole("button", { name: "Show the whole range" }).click();
    await range.getByRole("radio", { name: "All" }).check();
    await page.getByRole("checkbox", { name: /^Compare with/ }).waitFor({ state: "detached" });
    expect(errors).toEqual([]);
    await close();
  });

  test("play what listeners heard last, copy a link again, and save a table", async () => {
    const { page, errors, context, close } = await desk.open("/library/insights");
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);

    await page.getByRole("button", { name: "Copy link again for Ben" }).click();
    await page.getByRole("status").getByText("Link copied").waitFor();
    expect(await page.evaluate<string>("navigator.clipboard.readText()")).toContain("/track/");
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save as CSV" }).click();
    const download = await saved;
    expect(download.suggestedFilename()).toBe("Insights 2025-12-17 to 2026-01-15.csv");
    const lines = await linesOf(download);
    expect(lines).toContain('"2026-01-15","2026-01-15","1","0","0","0","0"');
    expect(lines.find((line) => line.startsWith('"Night Ferry"'))).toContain('"59 %","1","1:03","3"');
    await page.getByRole("button", { name: "Play Night Ferry from 0:53" }).click();
    await page.getByRole("region", { name: "Player" }).getByRole("link", { name: "Night Ferry" }).waitFor();
    // The rows of the test have no file.
    expect(errors.filter((error) => !error.includes("status of 500"))).toEqual([]);
    await close();
  });

  test("are ready for a new account, and say what comes", async () => {
    const { token } = desk.createAccount();
    const { page, context, errors, close } = await desk.open("/library/insights");
    await context.clearCookies();
    await context.addCookies([{ name: "dubplate_session", value: token, url: desk.origin }]);

    await page.goto("/library/insights");

    await page.getByRole("heading", { name: "Nothing has happened yet" }).waitFor();
    expect(await inspect(page, "console-insights-empty")).toEqual([]);
    await page.route("**/app/insights*", (route) => route.fulfill({ status: 503, json: {} }));
    await page.getByRole("radio", { name: "7 days" }).check();
    await page.getByRole("button", { name: "Try again" }).waitFor();
    expect(await inspect(page, "console-insights-error")).toEqual([]);
    expect(errors.filter((error) => !error.includes("503"))).toEqual([]);
    await close();
  });
});

describe.skipIf(!BROWSER_PATH)("notifications", () => {
  const tell = (title: string) =>
    transact(desk.deps.db, (tx) =>
      notify(
        tx,
        {
          accountId: desk.account.accountId,
          kind: "brief.submission",
          title,
          entityKey: "brief",
          entityId: "brf_1",
        },
        desk.clock.now(),
      ),
    );

  test.each(WINDOWS)("come in by themselves, lead on and are marked read on a %s", async (window) => {
    await call("POST", "/app/notifications/read");
    const { page, errors, close } = await desk.open("/library", window);
    await page.getByRole("button", { name: "Notifications", exact: true }).waitFor();

    tell("Ida sent two songs for Calm piano");
    tell("Jon sent a song for Calm piano");
    await page.getByRole("button", { name: "Notifications, 2 unread" }).click();
    const dialog = page.getByRole("dialog", { name: "Notifications" });
    const list = dialog.getByRole("list", { name: "Notifications" });
    await list.getByText("Jon sent a song").first().waitFor();
    expect(await inspect(page, `console-notifications-${window}`)).toEqual([]);
    await dialog.getByRole("button", { name: "Mark read: Jon sent a song" }).first().click();
    await page.getByRole("button", { name: "Notifications, 1 unread", includeHidden: true }).waitFor();
    await dialog.getByRole("button", { name: "Mark all read" }).click();
    await dialog.getByRole("button", { name: "Mark all read" }).waitFor({ state: "detached" });
    await list.getByRole("link", { name: "Ida sent two songs" }).first().click();
    await page.getByRole("heading", { level: 1, name: "Inbox" }).waitFor();
    await page.getByRole("button", { name: "Notifications", exact: true }).waitFor();

    expect(errors).toEqual([]);
    await close();
  });
});

describe.skipIf(!BROWSER_PATH)("the Library", () => {
  test.each(WINDOWS)("says what happened since the last visit on a %s", async (window) => {
    await call("POST", "/app/visits", {});
    desk.clock.advance(DAY_MS);
    hear(ferry, 0, { shareId: ada });
    const { page, errors, close } = await desk.open("/library", window);
    const news = page.getByRole("region", { name: "Since your last visit" });

    await news.getByText("1 play", { exact: true }).waitFor();
    expect(await inspect(page, `console-news-${window}`)).toEqual([]);
    hear(ferry, 0, {});
    await news.getByText("2 plays", { exact: true }).waitFor();
    expect(await news.getByRole("link").allTextContents()).toEqual(["2 plays", "Ada at Harbour Records"]);
    await news.getByRole("button", { name: "Dismiss news" }).click();
    await news.waitFor({ state: "detached" });

    expect(errors).toEqual([]);
    await close();
  });
});
