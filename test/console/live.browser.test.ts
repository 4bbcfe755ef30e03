import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { sessions } from "../../db/schema.ts";
import { BROWSER_PATH, inspect, openWindow, startBrowser } from "../pages/browser.ts";
import { createVisitor } from "../pages/visitor.ts";
import { createProgram } from "../support/process.ts";
import { addTrackRows } from "../support/track-rows.ts";
import { createConsole, PASSWORD } from "./console.ts";
import { PERSON, songFile } from "./songs.ts";

type Desk = Awaited<ReturnType<typeof createConsole>>;
let desk: Desk;
let api: ReturnType<Desk["as"]>;
let web: ReturnType<Desk["signedIn"]>;
beforeAll(async () => {
  if (!BROWSER_PATH) return;
  desk = await createConsole();
  api = desk.as(desk.createKey(desk.account.accountId));
  web = desk.signedIn(desk.account.token);
});
afterAll(() => desk?.close());

const rename = (id: string, title: string) => api("PATCH", `/tracks/details?id=${id}`, { title });
const rowOf = (page: Page, title: string) => page.getByRole("row", { name: new RegExp(`^${title}(,|$)`) });
const addTrack = (title: string) =>
  addTrackRows(desk.deps.db, desk.account.accountId, { title, createdAt: Date.now() }).id;

/** Notes every stream of events that a browser opens. */
function streamsOf(context: BrowserContext): string[] {
  const streams: string[] = [];
  context.on("request", (request) => {
    if (new URL(request.url()).pathname === "/app/events") streams.push(request.url());
  });
  return streams;
}

describe.skipIf(!BROWSER_PATH)("changes by others", () => {
  test("show in the Library, which keeps its place, its focus and its selection", async () => {
    for (let number = 1; number <= 150; number++) addTrack(`Piece ${String(number).padStart(3, "0")}`);
    const { page, errors, close } = await desk.open();
    await rowOf(page, "Piece 150").focus();
    for (let step = 0; step < 60; step++) await page.keyboard.press("ArrowDown");
    // Away from the edge, where a row is scrolled into view.
    for (let step = 0; step < 5; step++) await page.keyboard.press("ArrowUp");
    await page.keyboard.press("x");
    await page.getByRole("toolbar", { name: "Selection" }).waitFor();
    const row = rowOf(page, "Piece 095");
    const topOf = async () => Math.round((await row.boundingBox())?.y ?? 0);
    const top = await topOf();

    addTrack("From elsewhere");
    await page.locator('[role=grid][aria-rowcount="152"]').waitFor();
    await page.locator('[role=row][aria-rowindex="58"]:focus').waitFor();

    expect(await topOf()).toBe(top);
    expect(await page.locator("[role=row]:focus").getAttribute("aria-label")).toStartWith("Piece 095");
    expect(await page.getByRole("checkbox", { name: "Select Piece 095" }).isChecked()).toBe(true);
    await page.getByRole("grid", { name: "Tracks" }).press("Home");
    await rowOf(page, "From elsewhere").waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  test("show in a track's sheet, in playlists and in links", async () => {
    const id = addTrack("Night Ferry");
    const { body } = await web("POST", "/app/shares", {
      trackId: id,
      allowComments: true,
      recipient: "Ines",
    });
    const path = new URL(body.data.url).pathname;
    const [sheet, playlists, link] = [
      await desk.open(`/library/tracks/${id}`),
      await desk.open("/library/playlists"),
      await desk.open(`/library/links/${body.data.id}`),
    ];
    await sheet.page.getByRole("heading", { level: 1, name: "Night Ferry" }).waitFor();

    const visitor = createVisitor(desk, "203.0.113.7", desk.origin);
    const { text } = await visitor.open(path);
    const [e = "", s = ""] = ["e", "s"].map(
      (name) => new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1],
    );
    await visitor.post(`${path}/comments`, { e, s, name: "Ines", text: "Louder, please", track: id });
    await api("POST", "/playlists", { name: "Made elsewhere", trackIds: [id] });
    await rename(id, "Day Ferry");

    await sheet.page.getByRole("heading", { level: 1, name: "Day Ferry" }).waitFor();
    await sheet.page.getByText("Louder, please").waitFor();
    await playlists.page.getByRole("link", { name: "Made elsewhere" }).waitFor();
    const ines = await openWindow(desk.browser, desk.origin, "desktop", { userAgent: PERSON });
    await ines.page.goto(path);
    await link.page.getByText(/^Ines opened it/).waitFor();
    for (const { close } of [sheet, playlists, link, ines]) await close();
  });

  test("show while a track is analysed, in its row and beside it", async () => {
    const { page, close } = await desk.open("/library?q=fresh");
    await page.getByRole("heading", { name: "No track fits these filters" }).waitFor();
    const form = new FormData();
    form.append("files", songFile({ title: "Fresh Song" }, 3));
    await api("POST", "/tracks/upload", form);
    const row = rowOf(page, "Fresh Song");
    await row.getByText("Waiting").waitFor();
    await row.focus();
    await page.keyboard.press("Enter");
    const sheet = page.getByRole("complementary", { name: "Fresh Song" });
    await sheet.getByText("Waiting to be analysed").waitFor();

    await desk.drainJobs();

    await row.getByText("0:20 · 120 BPM").waitFor({ state: "attached" });
    await row.getByText("Waiting").waitFor({ state: "detached" });
    await sheet.getByText("Waiting to be analysed").waitFor({ state: "detached" });
    await sheet.getByText("0:00 / 0:20").waitFor();
    await close();
  });

  test("changes between the document and the stream are not missed", async () => {
    const id = addTrack("Early Bird");
    const { page, close } = await desk.open("/library/uploads");
    await page.route("**/app/events**", async (route) => {
      await rename(id, "Late Bird");
      await route.continue();
    });

    await page.goto("/library?q=bird");
    await rowOf(page, "Late Bird").waitFor();

    await close();
  });

  test("a client whose changes the server has forgotten reads everything again", async () => {
    const id = addTrack("Old Name");
    const { page, close } = await desk.open("/library/uploads");
    await page.route(
      "**/app/events**",
      async (route) => {
        await rename(id, "New Name");
        const headers = { "content-type": "text/event-stream" };
        await route.fulfill({ headers, body: "event: lost\nid: 999999999\ndata: {}\n\n" });
      },
      { times: 1 },
    );

    await page.goto("/library?q=name");
    await rowOf(page, "New Name").waitFor();

    await close();
  });
});

describe.skipIf(!BROWSER_PATH)("one browser", () => {
  test("a browser has one stream for all its tabs, and sends nothing else while nobody acts", async () => {
    const id = addTrack("Shared One");
    const { page, context, close } = await desk.open("/health"); // where no script runs
    const streams = streamsOf(context);
    await page.clock.install();
    await page.goto("/library?q=shared");
    await rowOf(page, "Shared One").waitFor();
    const others = [await context.newPage(), await context.newPage()];
    for (const other of others) {
      await other.clock.install();
      await other.goto("/library?q=shared");
      await rowOf(other, "Shared One").waitFor();
    }
    await rename(id, "Shared Two");
    for (const tab of [page, ...others]) await rowOf(tab, "Shared Two").waitFor();
    const asked: string[] = [];
    context.on("request", (request) => asked.push(request.url()));

    for (const tab of [page, ...others]) await tab.clock.fastForward("10:00");

    expect(streams).toHaveLength(1);
    expect(asked).toEqual([]);
    await page.close();
    await rename(id, "Shared Three");
    for (const other of others) await rowOf(other, "Shared Three").waitFor();
    expect(streams).toHaveLength(2);
    await close();
  });

  test("a browser without locks asks every five seconds", async () => {
    const id = addTrack("Plain One");
    const { page, context, close } = await desk.open("/health"); // where no script runs
    const streams = streamsOf(context);
    await context.addInitScript("delete Navigator.prototype.locks");
    await page.goto("/library?q=plain");
    await rowOf(page, "Plain One").waitFor();

    await rename(id, "Plain Two");
    await rowOf(page, "Plain Two").waitFor();

    expect(streams).toEqual([]);
    await close();
  });
});

describe.skipIf(!BROWSER_PATH)("a session that ends", () => {
  test("an ended session is begun again over the screen, in every tab, and everything goes on", async () => {
    const id = addTrack("Before");
    const { page, context, close } = await desk.open("/library?q=before");
    const other = await context.newPage();
    await other.goto("/library/playlists");
    await rowOf(page, "Before").waitFor();
    await page.getByRole("searchbox", { name: "Filter tracks" }).fill("after");

    desk.deps.db.delete(sessions).run();
    const dialogs = [page, other].map((tab) => tab.getByRole("dialog", { name: "Sign in again" }));
    for (const dialog of dialogs) await dialog.waitFor();
    expect(await inspect(page, "console-session-desktop")).toEqual([]);
    await rename(id, "After");
    await dialogs[0]?.getByLabel("Password").fill(PASSWORD);
    await dialogs[0]?.getByRole("button", { name: "Sign in" }).click();
    for (const dialog of dialogs) await dialog.waitFor({ state: "detached" });

    await rowOf(page, "After").waitFor();
    await rename(id, "After that");
    await rowOf(page, "After that").waitFor();
    const cookie = (await context.cookies()).find(({ name }) => name === "dubplate_session");
    desk.account.token = cookie?.value ?? "";
    web = desk.signedIn(desk.account.token);
    await close();
  });

  test("a change that was refused meanwhile is repeated", async () => {
    const { page, close } = await desk.open("/library/uploads");
    await page.route("**/app/playlists?**", (route) => route.fulfill({ status: 401, json: {} }), {
      times: 1,
    });

    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Playlists" }).click();
    const dialog = page.getByRole("dialog", { name: "Sign in again" });
    await dialog.getByLabel("Password").fill(PASSWORD);
    await dialog.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { level: 1, name: "Playlists" }).waitFor();

    await page.getByRole("link", { name: "Made elsewhere" }).waitFor();
    await close();
  });
});

test.skipIf(!BROWSER_PATH)(
  "a page notices a server that is killed and starts again, and misses no change",
  async () => {
    const program = createProgram({ RATE_LIMIT: "0" });
    const browser = await startBrowser();
    try {
      const person = ["--email", "mara@example.com"];
      await program.run(["account", "create", ...person, "--name", "Mara"], { input: `${PASSWORD}\n` });
      const importSong = async (title: string) => {
        const path = join(program.dataDir, `${title}.wav`);
        writeFileSync(path, Buffer.from(await songFile({ title }, title.length).arrayBuffer()));
        await program.run(["import", path, ...person]);
      };
      const { address, child } = await program.serve();
      const { page } = await openWindow(browser, address, "desktop");
      await page.goto("/library");
      await page.getByLabel("E-mail").fill("mara@example.com");
      await page.getByLabel("Password").fill(PASSWORD);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("heading", { name: "Drop your music here" }).waitFor();
      await importSong("While it runs");
      await rowOf(page, "While it runs").waitFor();
      const notice = page.getByText("No connection. Uploads go on by themselves.");

      child.kill("SIGKILL");
      await child.exited;
      await notice.waitFor();
      expect(await inspect(page, "console-no-connection-desktop")).toEqual([]);
      await importSong("While it is gone");
      await program.serve({ PORT: new URL(address).port });

      await rowOf(page, "While it is gone").waitFor();
      await notice.waitFor({ state: "detached" });
    } finally {
      await browser.close();
      await program.close();
    }
  },
);
