import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import type { Page } from "playwright-core";
import { transact } from "../../db/client.ts";
import { type LibraryId, tracks } from "../../db/schema.ts";
import { DEMO_PIECES } from "../../src/demo/pieces.ts";
import { join } from "../../src/modules/library/families/service.ts";
import { addComment } from "../../src/modules/sharing/comments/service.ts";
import { addFile } from "../flows/analysis-library.ts";
import { BROWSER_PATH, inspect } from "../pages/browser.ts";
import { demoFile } from "../support/demo-file.ts";
import { createConsole, until } from "./console.ts";

const STYLES = ["Deep House", "Techno", "Reggae", "Ambient", "Ballad", "Bossa Nova"];

let desk: Awaited<ReturnType<typeof createConsole>>;
beforeAll(async () => {
  if (!BROWSER_PATH) return;
  desk = await createConsole();
  for (const piece of DEMO_PIECES.filter(({ style }) => STYLES.includes(style)))
    await addFile(desk.deps, desk.account.accountId, await demoFile(piece), {});
  await desk.drainJobs();
});
afterAll(() => desk?.close());

const field = (page: Page) => page.getByRole("textbox", { name: "Describe the music" });
const grid = (page: Page) => page.getByRole("grid", { name: "Results" });
const chip = (page: Page, name: string) =>
  page.getByRole("list", { name: "Understood as" }).getByRole("button", { name, exact: true });
const chips = (page: Page) =>
  page
    .getByRole("list", { name: "Understood as" })
    .getByRole("button")
    .evaluateAll((all) => all.map((each) => each.getAttribute("aria-label")));
const asked = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);

/** Opens the screen with a search, and waits for its results. */
async function openSearch(query: string, name: "desktop" | "phone" = "desktop") {
  const window = await desk.open(`/library/search?${new URLSearchParams({ q: query })}`, name);
  await window.page.getByRole("grid", { name: "Results" }).waitFor();
  return window;
}

describe.skipIf(!BROWSER_PATH)("the Search screen", () => {
  test("a search finds music when typing rests, and shows how the sentence was read", async () => {
    const { page, errors, foreign, close } = await desk.open("/library/search");

    await field(page).fill("warm techno, 120-135 bpm, no vocals");
    await grid(page).waitFor();

    expect(await chips(page)).toEqual([
      "Mood: warm, edit",
      "Genre: Techno, edit",
      "Tempo: 120–135 BPM, edit",
      "Vocals: instrumental, edit",
    ]);
    expect(asked(page)).toEqual({ q: "warm techno, 120-135 bpm, no vocals" });
    const row = grid(page).getByRole("row").first();
    expect(await row.getAttribute("aria-label")).toContain("Substation");
    expect(
      Number(await row.getByRole("meter", { name: "Match" }).getAttribute("aria-valuenow")),
    ).toBeGreaterThan(0);
    expect(await row.getByRole("list", { name: /^Why / }).getByRole("listitem").count()).toBeWithin(1, 4);
    expect([errors, foreign]).toEqual([[], []]);
    await close();
  });

  test("searches once for a sentence that ends with Enter", async () => {
    const { page, close } = await desk.open("/library/search");
    const asks: string[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith("/tracks/search")) asks.push(request.url());
    });

    await field(page).fill("calm piano");
    await field(page).press("Enter");
    await grid(page).waitFor();
    // Later than a search by itself after typing.
    await page.evaluate("new Promise((done) => setTimeout(done, 700))");

    expect(asks.length).toBe(1);
    await close();
  });

  test("puts what a chip becomes back into the sentence and the address", async () => {
    const { page, close } = await openSearch("dark and warm techno, 120-135 bpm");

    await chip(page, "Mood: dark, edit").click();
    const dialog = page.getByRole("dialog", { name: "Edit mood" });
    await dialog.getByRole("radio", { name: "Rule out" }).check();
    await dialog.getByRole("button", { name: "Apply" }).click();
    await chip(page, "Without dark, edit").waitFor();
    expect(await field(page).inputValue()).toBe("warm techno, 120-135 bpm, no dark");

    await chip(page, "Tempo: 120–135 BPM, edit").click();
    const tempo = page.getByRole("dialog", { name: "Edit tempo" });
    await tempo.getByRole("textbox", { name: "Tempo" }).fill("125-135");
    await tempo.getByRole("radio", { name: "Must have" }).check();
    await tempo.getByRole("button", { name: "Apply" }).click();
    await chip(page, "Tempo: 125–135 BPM, edit").waitFor();
    expect(asked(page)).toEqual({ q: "warm techno, 125-135 BPM, no dark", bpm: "125-135" });

    await chip(page, "Without dark, edit").click();
    await dialog.getByRole("button", { name: "Remove" }).click();
    await chip(page, "Without dark, edit").waitFor({ state: "detached" });
    expect(asked(page).q).toBe("warm techno, 125-135 BPM");

    await page.goBack();
    await chip(page, "Without dark, edit").waitFor();
    await close();
  });

  test("a search without results names the constraint that leaves nothing, and drops it", async () => {
    const { page, errors, close } = await desk.open("/library/search?q=calm+piano&bpm=250-260&length=1-3000");

    await page.getByRole("heading", { name: "Nothing fits all of that" }).waitFor();
    expect(await inspect(page, "console-search-nothing")).toEqual([]);
    await page.getByRole("button", { name: "Drop tempo 250–260 BPM (6)" }).click();
    await grid(page).waitFor();

    expect(asked(page)).toEqual({ q: "calm piano", length: "1-3000" });
    expect(errors).toEqual([]);
    await close();
  });

  test("steers toward a track and away from another", async () => {
    const { page, close } = await openSearch("calm");
    const rows = grid(page).getByRole("row");
    const [first, second] = await rows.evaluateAll((all) =>
      all.map((row) => row.querySelector("a")?.textContent ?? ""),
    );

    await grid(page)
      .getByRole("button", { name: `Less like ${first}` })
      .click();
    await chip(page, `Without ${first}, edit`).waitFor();
    await grid(page)
      .getByRole("row", { name: first ?? "" })
      .waitFor({ state: "detached" });
    await grid(page)
      .getByRole("button", { name: `More like ${second}` })
      .click();
    await chip(page, `Like: ${second}, edit`).waitFor();

    expect(Object.keys(asked(page))).toEqual(["q", "like", "less"]);
    await page.reload();
    await chip(page, `Like: ${second}, edit`).waitFor();
    await close();
  });

  test("finds a track by a comment, and says so", async () => {
    const { db, now } = desk.deps;
    const { id } = db.$client.query("SELECT id FROM tracks WHERE title = 'Substation'").get() as {
      id: string;
    };
    addComment({ db, now }, { accountId: desk.account.accountId, keyId: "key_1" }, id, {
      text: "The kazoo is too loud",
    });
    const { page, close } = await desk.open("/library/search");

    await field(page).fill("kazo too loud");

    const row = grid(page).getByRole("row", { name: "Substation" });
    await row.getByText("the comment “The kazoo is too loud” has words of the query").waitFor();
    await close();
  });

  test("a search says which words it did not understand", async () => {
    const { page, close } = await openSearch("dark techno zweistein");
    await page.getByText("Not understood: “zweistein”").waitFor();
    await field(page).fill("zweistein");
    await page.getByRole("heading", { name: "This was not understood" }).waitFor();
    expect(await inspect(page, "console-search-not-understood")).toEqual([]);
    await close();
  });

  test.each(["desktop", "phone"] as const)(
    "shows an order as a chip that can be taken out, on the %s",
    async (name) => {
      const { page, errors, close } = await openSearch("warm music for zweistein, longest first", name);

      expect(await chips(page)).toEqual(["Mood: warm, edit", "Order: longest first, edit"]);
      await page.getByText(/^Warm music, longest first/).waitFor();
      expect(await inspect(page, `console-search-order-${name}`)).toEqual([]);
      await chip(page, "Order: longest first, edit").click();
      await page.getByRole("dialog", { name: "Edit order" }).getByRole("button", { name: "Remove" }).click();
      await chip(page, "Order: longest first, edit").waitFor({ state: "detached" });

      expect(asked(page)).toEqual({ q: "warm music for zweistein" });
      expect(errors).toEqual([]);
      await close();
    },
  );

  test("changes a chip of a stored fact in the sentence, and takes it out", async () => {
    const { page, errors, close } = await openSearch("warm music without an ISRC, never sent");

    expect(await chips(page)).toEqual([
      "Mood: warm, edit",
      "Only: without an ISRC, edit",
      "Only: never sent, edit",
    ]);
    await chip(page, "Only: without an ISRC, edit").click();
    const dialog = page.getByRole("dialog", { name: "Edit only" });
    await dialog.getByRole("textbox", { name: "Only" }).fill("without a cover");
    expect(await inspect(page, "console-search-fact")).toEqual([]);
    await dialog.getByRole("button", { name: "Apply" }).click();
    await chip(page, "Only: without a cover, edit").waitFor();
    expect(asked(page)).toEqual({ q: "warm music without a cover, never sent" });
    await chip(page, "Only: never sent, edit").click();
    await dialog.getByRole("button", { name: "Remove" }).click();
    await chip(page, "Only: never sent, edit").waitFor({ state: "detached" });

    expect(asked(page)).toEqual({ q: "warm music without a cover" });
    expect(errors).toEqual([]);
    await close();
  });

  test("a long chip wraps on a phone, and keeps the names of months", async () => {
    const { page, close } = await openSearch("most played in 2026", "phone");

    const long = chip(page, "Order: most played from 1 January 2026 to 31 December 2026 first, edit");
    const { x = 0, width = Number.NaN } = (await long.boundingBox()) ?? {};
    expect(x + width).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
    await close();
  });

  test("adds a wish by name", async () => {
    const { page, close } = await openSearch("calm");

    await page.getByRole("button", { name: "Add a wish" }).click();
    const dialog = page.getByRole("dialog", { name: "Add to the search" });
    await dialog.getByRole("combobox", { name: "What should it have?" }).fill("pia");
    await dialog.getByRole("option", { name: "Piano", exact: true }).click();

    await chip(page, "Instrument: Piano, edit").waitFor();
    await chip(page, "Mood: calm, edit").waitFor();
    await close();
  });

  test("beside a track, adds how the music should differ from it", async () => {
    const { page, close } = await openSearch("like Substation");

    await page.getByRole("button", { name: "Add a wish" }).click();
    const dialog = page.getByRole("dialog", { name: "Add to the search" });
    await dialog.getByRole("combobox", { name: "What should it have?" }).click();
    await dialog.getByRole("option", { name: "darker", exact: true }).click();

    await chip(page, "Reference: Substation, edit").waitFor();
    await chip(page, "Mood: darker, edit").waitFor();
    await close();
  });

  test("makes a playlist of the results, with a name", async () => {
    const { page, close } = await openSearch("deep house around 122 bpm");

    await grid(page).getByRole("checkbox").first().check();
    await page.getByRole("button", { name: "Make playlist" }).click();
    const dialog = page.getByRole("dialog", { name: "New playlist" });
    expect(await dialog.getByRole("textbox", { name: "Name" }).inputValue()).toContain("Deep House");
    await dialog.getByRole("button", { name: "Create" }).click();
    await page.getByRole("heading", { level: 1, name: /Deep House/ }).waitFor();
    await close();
  });

  test("plays a result, shares it, and adds it to a playlist", async () => {
    const { page, errors, close } = await openSearch("techno");

    await grid(page).getByRole("button", { name: "Play Substation" }).click();
    await grid(page).getByRole("button", { name: "Pause Substation" }).waitFor();
    await grid(page).getByRole("button", { name: "Share Substation" }).click();
    await page.getByRole("dialog", { name: "Share Substation" }).waitFor();
    await page.keyboard.press("Escape");
    await grid(page).getByRole("row", { name: "Substation" }).focus();
    await page.keyboard.press("a");
    await page.getByRole("dialog", { name: "Add to playlist" }).waitFor();

    expect(errors).toEqual([]);
    await close();
  });

  test("the screen is worked by the keyboard alone", async () => {
    const { page, errors, close } = await desk.open("/library/links");
    await page.getByRole("heading", { level: 1, name: "Links" }).waitFor();

    await page.keyboard.press("/");
    await page.getByRole("textbox", { name: "Describe the music" }).and(page.locator(":focus")).waitFor();
    await page.keyboard.type("slow and calm piano");
    await page.keyboard.press("Enter");
    await grid(page).waitFor();
    await page.keyboard.press("Escape");
    while ((await page.locator("[role=row]:focus").count()) === 0) await page.keyboard.press("Tab");
    await page.keyboard.press("ArrowDown");
    const second = await grid(page).getByRole("row").nth(1).getAttribute("aria-label");
    await until(() => page.locator(":focus").getAttribute("aria-label"), second);
    await page.keyboard.press("x");
    await page.locator(':focus[aria-selected="true"]').waitFor();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await page.locator(':focus[aria-label^="Play "]').waitFor();
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/library/tracks/**");
    await page.goBack();
    await grid(page).waitFor();

    expect(errors).toEqual([]);
    await close();
  });

  test("searches made before are offered again", async () => {
    const before = await openSearch("bossa nova with guitar");
    await before.close();
    const { page, close } = await desk.open("/library/search");

    await field(page).focus();
    const list = page.getByRole("listbox", { name: "Recent searches" });
    await list.getByRole("option", { name: "bossa nova with guitar" }).waitFor();
    expect(await inspect(page, "console-search-recent")).toEqual([]);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");

    await grid(page).waitFor();
    expect(asked(page)).toEqual({ q: "bossa nova with guitar" });
    await close();
  });

  test.each(["desktop", "phone"] as const)("has nothing that axe finds on a %s", async (name) => {
    const { page, errors, close } = await openSearch(
      "Dark but warm techno in the style of Qwxyz Plorf, around 130 bpm, must have drums, no vocals, for a drive",
      name,
    );

    expect(await inspect(page, `console-search-${name}`)).toEqual([]);
    await chip(page, "Mood: dark, edit").click();
    await page.getByRole("dialog", { name: "Edit mood" }).waitFor();
    expect(await inspect(page, `console-search-chip-${name}`)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.goto("/library/search");
    await field(page).waitFor();
    expect(await inspect(page, `console-search-start-${name}`)).toEqual([]);
    expect(errors).toEqual([]);
    await close();
  });

  test("a song shows once, with what else there is of it, and its set opens as rows with their own reasons", async () => {
    const titled = (title: string) =>
      desk.deps.db.select().from(tracks).where(eq(tracks.title, title)).get()?.id ?? "";
    const members = [
      { title: "Night Ferry", kind: "instrumental", editSec: null },
      { title: "Harbour Breeze", kind: "main", editSec: 30 },
    ] as const;
    transact(desk.deps.db, (tx) => {
      for (const { title, ...member } of members)
        join(tx, {
          ...{
            ownerId: desk.account.accountId as LibraryId,
            trackId: titled(title),
            withId: titled("Substation"),
          },
          ...{ joinedBy: "owner", at: desk.clock.now(), ...member },
        });
    });
    const { page, errors, close } = await openSearch("techno with instrumental");

    expect(await chips(page)).toEqual(["Genre: Techno, edit", "Available as: instrumental, edit"]);
    const row = grid(page).getByRole("row").first();
    expect(await grid(page).getByRole("row").count()).toBe(1);
    const words = row.getByRole("list", { name: "Also Substation" }).getByRole("button");
    expect(await words.allTextContents()).toEqual(["Instrumental", "30 s"]);
    await row.getByRole("button", { name: "Show the set of Substation" }).click();
    const set = row.getByRole("list", { name: "The set of Substation" });
    await until(() => set.getByRole("listitem").count(), 2);
    await until(async () => (await set.textContent())?.includes("Instrumental · "), true);
    await words.first().click();
    await page.getByRole("button", { name: "Pause Night Ferry" }).first().waitFor();
    expect(await inspect(page, "console-search-set")).toEqual([]);
    expect(errors).toEqual([]);
    await close();
  });
});

describe.skipIf(!BROWSER_PATH)("where searches cost credits", () => {
  test("a search runs on Enter only, and says when no credit is left", async () => {
    const limited = await createConsole({ searchCreditsDefault: 1 });
    const { page, close } = await limited.open("/library/search");

    await page.getByText("1 credit is left.").waitFor();
    const asks: string[] = [];
    page.on("request", (request) => {
      if (request.url().endsWith("/tracks/search")) asks.push(request.url());
    });
    await field(page).fill("warm piano");
    await field(page).press("Enter");
    await page.getByRole("heading", { name: "There is no music to search yet" }).waitFor();
    await field(page).fill("dark techno");
    await field(page).press("Enter");
    await page.getByRole("heading", { name: "No credits left" }).waitFor();

    expect(asks.length).toBe(2);
    await close();
    await limited.close();
  });
});
