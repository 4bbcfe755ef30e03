import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { BROWSER_PATH, inspect } from "../pages/browser.ts";
import { createConsole, until } from "./console.ts";
import { addSongs } from "./songs.ts";

const TITLES = ["Night Ferry", "Harbour Lights", "Last Train", "Slow Tide", "Glass House"];

let desk: Awaited<ReturnType<typeof createConsole>>;
let trackIds: string[];
beforeAll(async () => {
  if (!BROWSER_PATH) return;
  desk = await createConsole();
  const songs = TITLES.map((title, index) => ({ title, artist: "The Lowlands", level: 0.8 - 0.12 * index }));
  trackIds = await addSongs(desk, songs);
});
afterAll(() => desk?.close());

const call = (method: string, path: string, body?: object) =>
  desk.signedIn(desk.account.token)(method, path, body);

/** Makes a playlist of songs, by their places in the library. */
async function make(name: string, songs: readonly number[]): Promise<string> {
  const { body } = await call("POST", "/app/playlists", { name, trackIds: songs.map((at) => trackIds[at]) });
  return body.data.id;
}

const titlesOf = async (id: string): Promise<string[]> =>
  (await call("GET", `/app/playlists/${id}/tracks`)).body.data.map(({ title }: { title: string }) => title);

const rowsOf = (page: Page, name: string) =>
  page
    .getByRole("grid", { name: `Tracks in ${name}` })
    .getByRole("row", { name: /, The Lowlands$/ })
    .evaluateAll((rows) => rows.map((row) => row.getAttribute("aria-label")?.replace(", The Lowlands", "")));

describe.skipIf(!BROWSER_PATH)("playlists", () => {
  test("begin with a name, and are filled with several tracks at once", async () => {
    const { page, errors, close } = await desk.open("/library/playlists");

    await page.getByRole("heading", { level: 2, name: "No playlists yet" }).waitFor();
    await page.getByRole("button", { name: "New playlist" }).click();
    const dialog = page.getByRole("dialog", { name: "New playlist" });
    await dialog.getByRole("textbox", { name: "Name" }).fill("Spring selection");
    await dialog.getByRole("textbox", { name: "Description" }).fill("Three for the label.");
    expect(await inspect(page, "console-new-playlist")).toEqual([]);
    await dialog.getByRole("button", { name: "Create" }).click();
    await page.getByRole("heading", { level: 1, name: "Spring selection" }).waitFor();
    await page.getByRole("button", { name: "Add tracks" }).click();
    const finder = page.getByRole("combobox", { name: "Track" });
    for (const title of ["Night Ferry", "Slow Tide"]) {
      await finder.fill(title.slice(0, 5));
      await page.getByRole("option", { name: title }).click();
    }
    expect(await inspect(page, "console-add-tracks")).toEqual([]);
    await page.getByRole("button", { name: "Add 2 tracks" }).click();
    await page.getByText("Added to Spring selection").waitFor();
    await page.getByRole("row", { name: "Slow Tide, The Lowlands" }).waitFor();
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Playlists" }).click();
    await page.getByRole("link", { name: "Spring selection" }).waitFor();
    await page.getByText("2 tracks · 0:40").waitFor();

    expect(errors).toEqual([]);
    await close();
  });

  test("a playlist keeps every move, though the window leaves at once", async () => {
    const id = await make("Leaving", [0, 1, 2, 3]);
    const { page, close } = await desk.open(`/library/playlists/${id}`);
    await page.getByRole("row", { name: "Night Ferry, The Lowlands" }).focus();

    for (const place of [2, 3, 4]) {
      await page.keyboard.press("Alt+ArrowDown");
      await page.getByText(`Moved to ${place} of 4`).waitFor({ state: "attached" });
    }
    await page.goto("about:blank");

    const wanted = ["Harbour Lights", "Last Train", "Slow Tide", "Night Ferry"];
    await until(() => titlesOf(id), wanted);
    await close();
  });

  test("a move is sent when the former one has arrived, and not when a later move replaces it", async () => {
    const id = await make("In turn", [0, 1, 2, 3]);
    const { page, close } = await desk.open(`/library/playlists/${id}`);
    const [sent, arrives]: [string[][], PromiseWithResolvers<void>] = [[], Promise.withResolvers()];
    await page.route("**/order", async (route) => {
      sent.push(route.request().postDataJSON().trackIds);
      await arrives.promise;
      await route.continue();
    });

    await page.getByRole("row", { name: "Night Ferry, The Lowlands" }).focus();
    for (const place of [2, 3, 4]) {
      await page.keyboard.press("Alt+ArrowDown");
      await page.getByText(`Moved to ${place} of 4`).waitFor({ state: "attached" });
    }
    expect(sent.length).toBe(1);
    arrives.resolve();

    const wanted = ["Harbour Lights", "Last Train", "Slow Tide", "Night Ferry"];
    await until(() => titlesOf(id), wanted);
    expect(sent.length).toBe(2);
    await close();
  });

  test("tracks that a playlist already has are named before they are added", async () => {
    const id = await make("Doubles", [0, 1]);
    const { page, close } = await desk.open(`/library/playlists/${id}`);
    const addTwo = async () => {
      await page.getByRole("button", { name: "Add tracks" }).click();
      for (const title of ["Night Ferry", "Last Train"]) {
        await page.getByRole("combobox", { name: "Track" }).fill(title);
        await page.getByRole("option", { name: title }).click();
      }
      await page.getByRole("button", { name: "Add 2 tracks" }).click();
    };

    await addTwo();
    await page.getByText("“Night Ferry” is already in Doubles.").waitFor();
    expect(await titlesOf(id)).toEqual(["Night Ferry", "Harbour Lights"]);
    await page.getByRole("button", { name: "Add the other" }).click();
    await page.getByRole("row", { name: "Last Train, The Lowlands" }).waitFor();
    await addTwo();
    await page.getByRole("button", { name: "Add anyway" }).click();
    await page.getByRole("row", { name: "Last Train, The Lowlands" }).nth(1).waitFor();

    expect(await titlesOf(id)).toEqual([
      "Night Ferry",
      "Harbour Lights",
      "Last Train",
      "Night Ferry",
      "Last Train",
    ]);
    await close();
  });

  test("are put in order by keys, by the menu and by dragging, and each move is announced", async () => {
    const id = await make("Order", [0, 1, 2, 3]);
    const { page, errors, close } = await desk.open(`/library/playlists/${id}`);
    const said = page.getByRole("status", { name: "Messages" });
    const row = (title: string) => page.getByRole("row", { name: `${title}, The Lowlands` });

    await row("Night Ferry").focus();
    await page.keyboard.press("Alt+ArrowDown");
    await said.getByText("Moved to 2 of 4").waitFor();
    await page.keyboard.press("Alt+ArrowDown");
    await said.getByText("Moved to 3 of 4").waitFor();
    expect(await rowsOf(page, "Order")).toEqual(["Harbour Lights", "Last Train", "Night Ferry", "Slow Tide"]);
    expect(await page.locator(":focus").getAttribute("aria-label")).toBe("Night Ferry, The Lowlands");
    await page.getByRole("button", { name: "Move Slow Tide" }).click();
    await page.getByRole("menuitem", { name: "To the top" }).click();
    await said.getByText("Moved to 1 of 4").waitFor();
    const from = await page.getByRole("button", { name: "Move Slow Tide" }).boundingBox();
    const to = await row("Last Train").boundingBox();
    if (!from || !to) throw new Error("Both rows show");
    await page.mouse.move(from.x + 8, from.y + 8);
    await page.mouse.down();
    await page.mouse.move(from.x + 8, to.y + to.height / 2, { steps: 6 });
    await page.mouse.up();
    await said.getByText("Moved to 3 of 4").waitFor();

    const wanted = ["Harbour Lights", "Last Train", "Slow Tide", "Night Ferry"];
    expect(await rowsOf(page, "Order")).toEqual(wanted);
    await until(() => titlesOf(id), wanted);
    await page.reload();
    await row("Night Ferry").waitFor();
    expect(await rowsOf(page, "Order")).toEqual(wanted);
    expect(errors).toEqual([]);
    await close();
  });

  test("are renamed in place", async () => {
    const id = await make("Old name", [0]);
    const { page, close } = await desk.open(`/library/playlists/${id}`);

    const refusal = { status: 503, messageCode: "busy", message: "The server is busy." };
    await page.route(`**/playlists/${id}`, (route) => route.fulfill({ status: 503, json: refusal }));
    await page.getByRole("button", { name: "Edit name" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("New name");
    await page.keyboard.press("Enter");
    await page.getByText("The server is busy.").waitFor();
    expect(await page.getByRole("textbox", { name: "Name" }).inputValue()).toBe("New name");
    await page.unroute(`**/playlists/${id}`);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "New name" }).waitFor();
    await page.keyboard.press("e");
    await page.getByRole("textbox", { name: "Name" }).fill("Never");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Edit description" }).click();
    await page.getByRole("textbox", { name: "Description" }).fill("For the label");
    await page.getByRole("button", { name: "Share" }).focus();
    await page.getByText("For the label").waitFor();

    expect(await page.title()).toBe("New name · Dubplate");
    const saved = async () => {
      const { name, description } = (await call("GET", `/app/playlists/${id}`)).body.data;
      return [name, description];
    };
    await until(saved, ["New name", "For the label"]);
    await close();
  });

  test("lose a track, and get it back in its place", async () => {
    const id = await make("Undo", [0, 1, 0, 2]);
    const { page, close } = await desk.open(`/library/playlists/${id}`);

    await page.getByRole("button", { name: "More actions for Night Ferry" }).first().click();
    await page.getByRole("menuitem", { name: "Remove from playlist" }).click();
    await page.getByText("Night Ferry removed").waitFor();
    await page
      .getByRole("row", { name: /^Night Ferry/ })
      .first()
      .waitFor({ state: "detached" });
    expect(await titlesOf(id)).toEqual(["Harbour Lights", "Last Train"]);
    await page.getByRole("button", { name: "Undo" }).click();
    await page
      .getByRole("row", { name: /^Night Ferry/ })
      .nth(1)
      .waitFor();

    await until(() => titlesOf(id), ["Night Ferry", "Harbour Lights", "Night Ferry", "Last Train"]);
    await close();
  });

  test("a playlist says how far its tracks are apart in loudness, and plays from the first", async () => {
    const id = await make("Loud and quiet", [0, 4]);
    const { page, errors, close } = await desk.open(`/library/playlists/${id}`);

    await page.getByText(/^2 tracks · 0:40 · −\d+\.\d to −\d+\.\d LUFS; matched on the page$/).waitFor();
    await page.getByRole("button", { name: "Play all" }).click();
    await page.getByRole("region", { name: "Player" }).getByRole("link", { name: "Night Ferry" }).waitFor();
    await page.getByRole("button", { name: "Pause Night Ferry" }).waitFor();

    expect(errors).toEqual([]);
    await close();
  });

  test.each(["desktop", "phone"] as const)("have nothing that axe finds on a %s", async (name) => {
    for (const count of [1, 2]) await make(`Night drives ${count}`, [0, 1, 2, 3]);
    const id = await make("Night drives, spring selection", [0, 1, 2, 3, 4]);
    await call("PATCH", `/app/library/playlists/${id}`, {
      description: "Final mixes, nothing mastered yet.",
    });
    const { page, errors, close } = await desk.open("/library/playlists", name);

    await page.getByRole("link", { name: "Night drives 2" }).first().waitFor();
    expect(await inspect(page, `console-playlists-${name}`)).toEqual([]);
    await page.getByRole("link", { name: "Night drives, spring selection" }).first().click();
    await page.getByRole("row", { name: /^Glass House/ }).waitFor();
    expect(await inspect(page, `console-playlist-${name}`)).toEqual([]);

    expect(errors).toEqual([]);
    await close();
  });
});

describe.skipIf(!BROWSER_PATH)("a deleted playlist", () => {
  test("a deleted playlist comes back with one press", async () => {
    const id = await make("Mistake", [0, 1]);
    const { page, errors, close } = await desk.open(`/library/playlists/${id}`);

    await page.getByRole("button", { name: "More actions", exact: true }).click();
    await page.getByRole("menuitem", { name: "Delete playlist" }).click();
    await page.getByRole("heading", { level: 1, name: "Playlists" }).waitFor();
    await page.getByText("Mistake deleted").waitFor();
    expect((await call("GET", `/app/playlists/${id}`)).status).toBe(404);
    expect(await page.getByRole("link", { name: "Mistake" }).count()).toBe(0);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("heading", { level: 1, name: "Mistake" }).waitFor();

    expect(await titlesOf(id)).toEqual(["Night Ferry", "Harbour Lights"]);
    expect(errors).toEqual([]);
    await close();
  });
});
