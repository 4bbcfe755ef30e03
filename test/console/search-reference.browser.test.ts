import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { BROWSER_PATH, inspect } from "../pages/browser.ts";
import { createConsole, until } from "./console.ts";
import { addSongs, songFile } from "./songs.ts";

/** Long enough to be heard by the ears. */
const SECONDS = 12;
const SONGS = ["Night Ferry", "Substation", "Harbour Breeze"].map((title) => ({ title, seconds: SECONDS }));

let desk: Awaited<ReturnType<typeof createConsole>>;
let trackIds: string[];
beforeAll(async () => {
  if (!BROWSER_PATH) return;
  desk = await createConsole();
  trackIds = await addSongs(desk, SONGS);
});
afterAll(() => desk?.close());

const card = (page: Page) => page.getByRole("region", { name: "Reference" });
const grid = (page: Page) => page.getByRole("grid", { name: "Results" });
const edge = (page: Page, name: "From" | "To") => card(page).getByRole("slider", { name });
const like = (page: Page) => new URL(page.url()).searchParams.get("like") ?? "";

/** A song as a file that somebody sent. */
async function sent(number: number, name: string) {
  const file = songFile({ title: name, seconds: SECONDS }, number);
  return { name: file.name, mimeType: "audio/wav", buffer: Buffer.from(await file.arrayBuffer()) };
}

describe.skipIf(!BROWSER_PATH)("searching by a sound", () => {
  test("a file is compared, a passage of it chosen by keys, and nothing of it kept", async () => {
    const { page, errors, close } = await desk.open("/library/search");

    await page.getByLabel("Choose a reference").setInputFiles(await sent(1, "From the supervisor"));
    await card(page).getByText("This file is not kept. It is compared and forgotten.").waitFor();
    await page.getByText("This is “Substation”.").waitFor();
    expect(await grid(page).getByRole("row", { name: "Substation" }).count()).toBe(0);
    expect(await inspect(page, "console-search-reference-desktop")).toEqual([]);

    await edge(page, "From").focus();
    for (let step = 0; step < 4; step++) await page.keyboard.press("ArrowRight");
    await until(async () => like(page).split("@")[1], "2-12");
    const part = grid(page).getByRole("button", { name: /^Play the part at \d:\d\d$/ });
    await part.first().click();
    await page
      .getByRole("button", { name: /^Pause / })
      .first()
      .waitFor();
    await card(page).getByRole("button", { name: "Play passage" }).click();
    await card(page).getByRole("button", { name: "Stop" }).waitFor();

    await page.getByRole("textbox", { name: "Describe the music" }).fill("slower");
    await page.keyboard.press("Enter");
    await until(async () => new URL(page.url()).searchParams.get("q"), "slower");
    await card(page).getByRole("button", { name: "Whole file" }).click();
    await until(async () => like(page).split("@")[1], "");
    await card(page).getByRole("button", { name: "Remove reference" }).click();
    await card(page).waitFor({ state: "detached" });
    expect(errors).toEqual([]);
    await close();
  });

  test("the card fits on a phone", async () => {
    const { page, close } = await desk.open("/library/search", "phone");
    await page.getByLabel("Choose a reference").setInputFiles(await sent(2, "On the way"));
    await page.getByText("This is “Harbour Breeze”.").waitFor();
    expect(await inspect(page, "console-search-reference-phone")).toEqual([]);
    await close();
  });

  test("a file may be dropped on the screen, and is not uploaded", async () => {
    const { page, close } = await desk.open("/library/search");
    const { name, buffer } = await sent(2, "Dropped");
    const dataTransfer = await page.evaluateHandle(
      ({ name, bytes }) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([Uint8Array.from(atob(bytes), (each) => each.charCodeAt(0))], name));
        return transfer;
      },
      { name, bytes: buffer.toString("base64") },
    );

    await page.dispatchEvent("main", "dragover", { dataTransfer });
    await page.getByText("Find what sounds like this").waitFor();
    await page.dispatchEvent("main", "drop", { dataTransfer });
    await card(page).getByRole("heading", { name: "Dropped.wav" }).waitFor();
    await page.getByText("This is “Harbour Breeze”.").waitFor();

    const { x, y, width } = (await card(page).locator("canvas").boundingBox()) ?? { x: 0, y: 0, width: 0 };
    await page.mouse.move(x + width / 2, y + 20);
    await page.mouse.down();
    await page.mouse.move(x + width / 4, y + 20);
    await page.mouse.up();
    await until(async () => like(page).split("@")[1], "3-6");
    await card(page).getByRole("button", { name: "Remove reference" }).click();
    await page.getByRole("textbox", { name: "Describe the music" }).focus();
    const recent = page.getByRole("listbox", { name: "Recent searches" });
    await recent
      .getByRole("option", { name: "Searched with a file that was not kept.", exact: true })
      .waitFor();
    await close();
  });

  test("what cannot be compared says why", async () => {
    const { page, close } = await desk.open("/library/search");

    await page.getByLabel("Choose a reference").setInputFiles(await sent(2, "Before it"));
    await page.getByText("This is “Harbour Breeze”.").waitFor();
    const buffer = Buffer.from("Not a song");
    await page
      .getByLabel("Choose a reference")
      .setInputFiles({ name: "a.wav", mimeType: "audio/wav", buffer });
    await card(page).getByRole("alert").getByText("Choose an audio file").waitFor();
    // Nothing of the file before it.
    expect(
      await card(page)
        .getByText(/ BPM|Heard as/)
        .count(),
    ).toBe(0);

    await page.getByRole("textbox", { name: "Describe the music" }).fill("https://127.0.0.1/song.mp3");
    await page.keyboard.press("Enter");
    await card(page).getByRole("heading", { name: "song.mp3" }).waitFor();
    await card(page).getByRole("alert").getByText("This address cannot be used").waitFor();
    expect(await inspect(page, "console-search-reference-refused")).toEqual([]);
    await close();
  });

  test("a part of a track that is marked on its wave finds what sounds like it", async () => {
    const { page, errors, close } = await desk.open(`/library/tracks/${trackIds[0]}`);
    const wave = page.getByRole("region", { name: "Waveform" });
    const { x, y, width } = (await wave.locator("canvas").boundingBox()) ?? { x: 0, y: 0, width: 0 };

    await page.mouse.move(x + width / 4, y + 20);
    await page.mouse.down();
    await page.mouse.move(x + width / 2, y + 20);
    await page.mouse.up();
    await wave.getByRole("button", { name: "Find this sound" }).click();

    await card(page).getByRole("heading", { name: "Night Ferry" }).waitFor();
    await grid(page).getByRole("row").first().waitFor();
    expect(like(page)).toBe(`${trackIds[0]}@3-6`);
    expect(await edge(page, "To").getAttribute("aria-valuetext")).toBe("0:06");
    await grid(page)
      .getByRole("button", { name: /^Play the part at / })
      .first()
      .waitFor();
    expect(await inspect(page, "console-search-passage")).toEqual([]);
    await card(page).getByRole("button", { name: "Play passage" }).click();
    await card(page).getByRole("button", { name: "Stop" }).waitFor();
    expect(errors).toEqual([]);
    await close();
  });
});
