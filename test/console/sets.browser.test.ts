import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { BROWSER_PATH, inspect } from "../pages/browser.ts";
import type { Json } from "../support/app.ts";
import { addTrackRows } from "../support/track-rows.ts";
import { createConsole, until } from "./console.ts";

const SHOWN = process.env.PICTURES_TO;
const NAMES = [
  "Night Drive.wav",
  "Night Drive (Instrumental).wav",
  "Night Drive 30s.wav",
  "Night Drive TV Mix.wav",
];

let desk: Awaited<ReturnType<typeof createConsole>>;
let ids: string[];
beforeAll(async () => {
  if (!BROWSER_PATH) return;
  desk = await createConsole();
  ids = NAMES.map(
    (name, at) =>
      addTrackRows(desk.deps.db, desk.account.accountId, {
        name,
        artist: "Mara",
        durationSec: at === 2 ? 30 : 212,
        measured: { integratedLufs: -14 - at },
      }).id,
  );
});
afterAll(() => desk?.close());

const web = (method: string, path: string, body?: object) =>
  desk.signedIn(desk.account.token)(method, path, body);
const kindsOf = async (id: string): Promise<string[]> =>
  (await web("GET", `/app/tracks/${id}/family`)).body.data.members.map(
    ({ kind, editSec }: Json) => `${kind}${editSec ?? ""}`,
  );
const picture = async (page: Page, name: string) => {
  if (SHOWN) await page.screenshot({ path: `${SHOWN}/${name}.png`, fullPage: true });
};
const undo = (page: Page, said: string) =>
  page.locator(".toast", { hasText: said }).getByRole("button", { name: "Undo" }).click();
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

test.skipIf(!BROWSER_PATH)(
  "tracks of one song are kept together, changed, and shared as one set",
  async () => {
    const { page, errors } = await desk.open("/library");
    const table = page.getByRole("grid", { name: "Tracks" });
    await table.getByText("Night Drive TV Mix").waitFor();
    for (const name of ["Night Drive", "Night Drive (Instrumental)", "Night Drive 30s"])
      await page
        .getByRole("checkbox", { name: new RegExp(`^Select ${name.replace(/[()]/g, "\\$&")}(,|$)`) })
        .check();
    await page
      .getByRole("toolbar", { name: "Selection" })
      .getByRole("button", { name: "Keep together…" })
      .click();
    const keep = page.getByRole("dialog", { name: "Keep 3 tracks together" });
    await keep.getByRole("combobox", { name: "Kind of Night Drive (Instrumental)" }).waitFor();
    expect(
      await keep.getByRole("combobox", { name: "Kind of Night Drive (Instrumental)" }).inputValue(),
    ).toBe("instrumental");
    await picture(page, "sets-keep");
    expect(await inspect(page, "console-sets-keep")).toEqual([]);
    await keep.getByRole("button", { name: "Keep together" }).click();
    await table.getByText("Set of 3").first().waitFor();
    expect(await kindsOf(ids[0] ?? "")).toEqual(["main", "instrumental", "main30"]);
    await picture(page, "sets-library");

    await page.getByRole("button", { name: "Columns" }).click();
    await page.getByRole("switch", { name: "One row per song" }).click();
    await picture(page, "sets-columns");
    await press(page, "Done");
    await table.getByText("Night Drive 30s").waitFor({ state: "detached" });

    await page.goto(`/library/tracks/${ids[0]}?tab=set`);
    const list = page.getByRole("list", { name: "Set" });
    await list.getByText("Instrumental", { exact: true }).waitFor();
    await picture(page, "sets-tab");
    expect(await inspect(page, "console-sets-tab")).toEqual([]);
    await press(page, "Change kind of Night Drive (Instrumental)");
    await page.getByRole("combobox", { name: "Kind", exact: true }).selectOption("clean");
    await press(page, "Change kind");
    await until(() => kindsOf(ids[0] ?? ""), ["main", "clean", "main30"]);
    await press(page, "Make Night Drive (Instrumental) the main mix");
    await until(async () => (await web("GET", `/app/tracks/${ids[0]}/family`)).body.data.mainTrackId, ids[1]);
    await undo(page, "is the main mix");
    await until(async () => (await web("GET", `/app/tracks/${ids[0]}/family`)).body.data.mainTrackId, ids[0]);
    await press(page, "Take out Night Drive 30s");
    await until(() => kindsOf(ids[0] ?? ""), ["main", "clean"]);
    await undo(page, "out of the set");
    await until(() => kindsOf(ids[0] ?? ""), ["main", "clean", "main30"]);
    await page.getByRole("tabpanel").getByRole("button", { name: "Deliver…" }).click();
    await page.getByRole("heading", { level: 1, name: "Deliver Night Drive" }).waitFor();
    await page.goBack();

    await page.getByRole("tab", { name: "Links" }).click();
    await page.keyboard.press("s");
    const share = page.getByRole("dialog", { name: "Share Night Drive" });
    await share.getByRole("radio", { name: "The whole set (3)" }).check();
    await picture(page, "sets-share");
    await share.getByRole("button", { name: "Create link" }).click();
    await until(async () => (await web("GET", "/app/shares")).body.data[0]?.wholeFamily, true);
    await page.keyboard.press("Escape");

    await page.goto(`/library/tracks/${ids[0]}?tab=set`);
    await press(page, "Add to set…");
    const add = page.getByRole("dialog", { name: "Add to the set of Night Drive" });
    await add.getByRole("combobox", { name: "Track" }).fill("TV");
    await add.getByRole("option", { name: "Night Drive TV Mix" }).click();
    await add.getByText("This set is on 1 live link. It will show it too.").waitFor();
    await picture(page, "sets-add");
    await add.getByRole("button", { name: "Add and keep off the links" }).click();
    await until(() => kindsOf(ids[0] ?? ""), ["main", "clean", "tv", "main30"]);
    const { members } = (await web("GET", `/app/tracks/${ids[0]}/family`)).body.data;
    expect(members[2]).toMatchObject({ trackId: ids[3], hiddenFromLinks: true });
    await list.getByText("Off links", { exact: true }).first().waitFor();

    const url = (await web("GET", "/app/shares")).body.data[0].url;
    await page.goto(new URL(url).pathname);
    await page.getByRole("heading", { name: "Also in this set" }).waitFor();
    expect(await page.getByRole("list", { name: "Also in this set" }).getByRole("listitem").count()).toBe(2);
    await picture(page, "sets-page");
    expect(await inspect(page, "page-of-a-set")).toEqual([]);
    expect(errors).toEqual([]);
  },
  90_000,
);
