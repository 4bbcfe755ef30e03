import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { BROWSER_PATH, inspect } from "../pages/browser.ts";
import type { Json } from "../support/app.ts";
import { drumLoop, FOUR_TO_THE_FLOOR } from "../support/signals.ts";
import { createConsole, until } from "./console.ts";
import { RATE_HZ, uploadSong } from "./track-songs.ts";

let desk: Awaited<ReturnType<typeof createConsole>>;
let api: ReturnType<typeof desk.as>;
let trackId: string;
beforeAll(async () => {
  if (!BROWSER_PATH) return;
  desk = await createConsole();
  api = desk.as(desk.createKey(desk.account.accountId));
  trackId = await uploadSong(desk, "Night Bus", "The Lowlands", 3);
});
afterAll(() => desk?.close());

const open = (tab: string, name: "desktop" | "phone" = "desktop") =>
  desk.open(`/library/tracks/${trackId}?tab=${tab}`, name);
const track = async (id = trackId) => (await api("GET", `/tracks/single?id=${id}`)).body.data.track;

describe.skipIf(!BROWSER_PATH)("the tabs of a track", () => {
  test("are moved through by arrows, and each has its address", async () => {
    const { page, errors, close } = await open("versions");
    await page.getByRole("tab", { name: "Versions", selected: true }).focus();

    await page.keyboard.press("ArrowRight");
    await page.getByRole("tab", { name: "Set", selected: true }).waitFor();
    await page.keyboard.press("ArrowRight");
    await page.getByRole("tab", { name: "Review", selected: true }).waitFor();
    await page.keyboard.press("ArrowRight");
    await page.getByRole("tab", { name: "Tags", selected: true }).waitFor();
    expect(new URL(page.url()).searchParams.get("tab")).toBe("tags");
    await page.keyboard.press("End");
    await page.getByRole("tab", { name: "Activity", selected: true }).waitFor();
    await page.locator("h1").click();
    await page.keyboard.press("t");
    await page.getByRole("tab", { name: "Tags", selected: true }).waitFor();
    await page.keyboard.press("v");
    await page.getByRole("tab", { name: "Versions", selected: true }).waitFor();

    expect(errors).toEqual([]);
    await close();
  });

  test("a tab keeps what was typed, though the window leaves at once", async () => {
    const { page, close } = await open("details");
    await page.getByRole("textbox", { name: "Notes" }).waitFor();
    const kept = async () => {
      const { album, key, notes } = (await track()).audio_profile;
      return [album, key, notes].join(", ");
    };

    await page.getByRole("textbox", { name: "Album" }).fill("Ferry Songs");
    await page.getByRole("combobox", { name: "Key" }).fill("A minor");
    await page.getByRole("textbox", { name: "Notes" }).fill("Second verse is too long.");
    await page.goto("about:blank");

    await until(kept, "Ferry Songs, A minor, Second verse is too long.");
    await close();
  });

  test("a change that got no answer is made again when the tab shows again", async () => {
    const { page, close } = await open("details");
    await page.route("**/tracks/details*", (route) => route.abort());
    await page.getByRole("textbox", { name: "Lyrics" }).fill("Low water");
    await page.getByRole("textbox", { name: "Notes" }).focus();
    await page.getByText("There is no connection to the server").waitFor();

    await page.unroute("**/tracks/details*");
    await page.reload();

    await until(async () => (await track()).audio_profile.lyrics, "Low water");
    expect(await page.getByRole("textbox", { name: "Lyrics" }).inputValue()).toBe("Low water");
    await close();
  });

  test("a refused change stays in its field, with the reason, until it is accepted", async () => {
    const { page, close } = await open("details");
    const label = page.getByRole("textbox", { name: "Label" });
    const refusal = { status: 503, messageCode: "busy", message: "The server is busy." };
    await page.route("**/tracks/details*", (route) => route.fulfill({ status: 503, json: refusal }));

    await label.fill("Northern Sky");
    await label.blur();
    await page.getByText("The server is busy.").waitFor();
    expect(await label.inputValue()).toBe("Northern Sky");
    await page.unroute("**/tracks/details*");
    await label.focus();
    await label.blur();
    await page.getByText("Saved", { exact: true }).waitFor();

    expect(await label.inputValue()).toBe("Northern Sky");
    expect((await track()).audio_profile.recordLabel).toBe("Northern Sky");
    await close();
  });

  test("take suggestions by key, tags by name, and own words", async () => {
    const id = await uploadSong(desk, "Warehouse", "Mara", 4, drumLoop(RATE_HZ, 24, 130, FOUR_TO_THE_FLOOR));
    const { page, errors, close } = await desk.open(`/library/tracks/${id}?tab=tags`);
    const accept = page.getByRole("button", { name: /^Accept (?!all)/ });
    await accept.first().waitFor();
    const count = await accept.count();
    const first = (await accept.first().getAttribute("aria-label"))?.replace("Accept ", "") ?? "";

    await accept.first().focus();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: `Remove ${first}`, exact: true }).waitFor();
    await page.getByText("You have taught 1 tag", { exact: true }).waitFor();
    const second = (await accept.first().getAttribute("aria-label"))?.replace("Accept ", "") ?? "";
    await accept.first().focus();
    await page.keyboard.press("Backspace");
    await page.getByText("You have taught 2 tags").waitFor();
    await page.getByRole("button", { name: `Accept ${second}`, exact: true }).waitFor({ state: "detached" });
    const genres = page
      .getByRole("group", { name: "Genres" })
      .getByRole("combobox", { name: "Add to Genres" });
    await genres.fill("hou");
    await page.getByRole("option", { name: "House", exact: true }).click();
    await page.getByRole("button", { name: "Remove House", exact: true }).waitFor();
    const own = page.getByRole("combobox", { name: "Add to Own words" });
    await own.fill("for Anna");
    await own.press("Enter");
    await page.getByRole("button", { name: "Remove for Anna" }).click();
    await page.getByRole("button", { name: "Remove for Anna" }).waitFor({ state: "detached" });
    await own.fill("cinem");
    const lines = page.getByRole("listbox", { name: "Add to Own words" }).getByRole("option");
    await page.getByRole("option", { name: "Cinematic", exact: true }).waitFor();
    const offered = await lines.allTextContents();
    await own.press("Enter");
    await page.getByRole("button", { name: "Remove Cinematic" }).waitFor();
    await own.fill("cinem");
    await page.getByRole("option", { name: "Create tag “cinem”" }).click();
    await page
      .getByRole("group", { name: "Own words" })
      .getByRole("button", { name: "Remove cinem", exact: true })
      .waitFor();
    expect(offered.slice(0, 2)).toEqual(["Cinematic", "Create tag “cinem”"]);
    expect(count).toBeGreaterThan(2);
    await page.getByRole("button", { name: "Accept all" }).click();
    await accept.first().waitFor({ state: "detached" });

    const isHouse = async () =>
      (await track(id)).audio_profile.genres.some(({ genre }: Json) => genre.name === "House");
    await until(isHouse, true);
    expect(errors).toEqual([]);
    await close();
  });

  test("credit composers, never over a hundred, and one who is new", async () => {
    const { page, errors, close } = await open("credits");
    await page.getByRole("table", { name: "Credits" }).waitFor();

    for (const name of ["Ada Kvist", "Bo Lund", "Cleo Mar"]) {
      await page.getByRole("button", { name: "Add composer" }).click();
      const field = page.getByRole("combobox", { name: "Composer" }).last();
      await field.fill(name);
      await page.getByRole("option", { name: `New composer “${name}”` }).click();
      const dialog = page.getByRole("dialog", { name: "New composer" });
      await dialog.getByLabel("E-mail").fill(`${name.split(" ")[0]}@example.com`);
      await dialog.getByRole("button", { name: "Create" }).click();
      await page.getByRole("spinbutton", { name: `Share of ${name}` }).waitFor();
    }
    await page.getByRole("button", { name: "Split evenly" }).click();
    await page.getByText("100 % of 100 %").waitFor();
    const share = page.getByRole("spinbutton", { name: "Share of Bo Lund" });
    await share.fill("20");
    await page.getByText("86.67 % of 100 %").waitFor();
    await share.fill("50");
    await page.getByText("Only 33.33 % are left").waitFor();
    expect(await share.inputValue()).toBe("20");
    const role = page.getByRole("combobox", { name: "Role" }).nth(1);
    await role.fill("Lyri");
    await page.getByRole("option", { name: "Lyricist", exact: true }).click();
    await page.getByRole("button", { name: "Save credits" }).click();
    await page.getByText("Credits saved").waitFor();
    const [first] = await Promise.all([track(), page.reload()]);
    await page.getByRole("spinbutton", { name: "Share of Cleo Mar" }).waitFor();

    expect(
      first.shareholderTracks.map(({ share, role, shareholder }: Json) => [
        shareholder.fullName,
        role,
        share,
      ]),
    ).toEqual([
      ["Ada Kvist", "Composer", 33.34],
      ["Bo Lund", "Lyricist", 20],
      ["Cleo Mar", "Composer", 33.33],
    ]);
    expect(await page.getByText("86.67 % of 100 %").isVisible()).toBe(true);
    expect(errors).toEqual([]);
    await close();
  });

  test("save each detail as it is left, and check an ISRC", async () => {
    const { page, errors, close } = await open("details");
    const isrc = page.getByRole("textbox", { name: "ISRC" });
    const saved = page.getByRole("status").getByText("Saved");

    await page.getByRole("textbox", { name: "Album" }).fill("Winter tapes");
    await isrc.fill("12");
    await saved.waitFor();
    await page.getByRole("textbox", { name: "Lyrics" }).fill("Slow\nwater");
    await page.getByText("An ISRC has two letters").waitFor();
    await isrc.fill("de-ab1-26-00042");
    await page.getByRole("spinbutton", { name: "BPM" }).fill("93");
    await page.getByRole("combobox", { name: "Key" }).fill("eb m");
    await page.getByRole("option", { name: "Eb minor" }).click();
    await page.getByText("93 BPM").waitFor();
    await page.getByText("Eb minor", { exact: true }).first().waitFor();
    await saved.waitFor();

    const kept = async () => {
      const { album, isrc, bpm, lyrics } = (await track()).audio_profile;
      return [album, isrc, bpm, lyrics];
    };
    await until(kept, ["Winter tapes", "DEAB12600042", 93, "Slow\nwater"]);
    expect(errors).toEqual([]);
    await close();
  });

  test.each([
    ["tags", "desktop"],
    ["tags", "phone"],
    ["credits", "desktop"],
    ["credits", "phone"],
    ["details", "desktop"],
    ["details", "phone"],
  ] as const)("%s have nothing that axe finds on a %s", async (tab, name) => {
    const { page, errors, close } = await open(tab, name);
    await page.getByRole("tabpanel").scrollIntoViewIfNeeded();

    expect(await inspect(page, `console-track-${tab}-${name}`)).toEqual([]);
    expect(errors).toEqual([]);
    await close();
  });
});
