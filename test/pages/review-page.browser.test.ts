import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import type { Browser, Page } from "playwright-core";
import { comments, reviews, shareAnswers } from "../../db/schema.ts";
import { wavBytes } from "../media/wave-bytes.ts";
import { tune } from "../support/tune.ts";
import { BROWSER_PATH, createServedApp, inspect, openWindow, startBrowser } from "./browser.ts";

const RATE_HZ = 16_000;
const SECONDS = 40;
/** How much the second mix lacks at its beginning. */
const CUT_SEC = 1.5;

let app: Awaited<ReturnType<typeof createServedApp>>;
let browser: Browser;
let trackId: string;
let path: string;
let shareId: string;
let listPath: string;
let pitchPath: string;
let laterPath: string;
beforeAll(async () => {
  if (!BROWSER_PATH) return;
  app = await createServedApp();
  browser = await startBrowser();
  const { accountId, token } = app.createAccount();
  app.deps.db.$client.run("UPDATE accounts SET name = 'Mara Lindqvist'");
  const api = app.as(app.createKey(accountId));
  const song = tune(RATE_HZ, SECONDS, 11);
  const upload = (samples: Float32Array, name: string) =>
    new File(
      [wavBytes({ depth: "s16", sampleRateHz: RATE_HZ, samples: [...samples] }) as Uint8Array<ArrayBuffer>],
      name,
    );
  const form = new FormData();
  form.append("files", upload(song, "Night Ferry.wav"));
  trackId = (await api("POST", "/tracks/upload", form)).body.data.uploaded[0].id;
  await api("PATCH", `/tracks/details?id=${trackId}`, { title: "Night Ferry", artist: "The Lowlands" });
  await app.drainJobs();
  const signedIn = app.signedIn(token);
  const settings = { trackId, recipient: "Bo Berg", allowReview: true };
  const share = (await signedIn("POST", "/app/shares", settings)).body.data;
  [shareId, path] = [share.id, new URL(share.url).pathname];
  const pitched = { trackId, recipient: "Cy", askAnswer: true };
  pitchPath = new URL((await signedIn("POST", "/app/shares", pitched)).body.data.url).pathname;
  const later = { trackId, notBefore: "2027-03-03T18:00:00Z" };
  laterPath = new URL((await signedIn("POST", "/app/shares", later)).body.data.url).pathname;
  const list = await api("POST", "/playlists", { name: "Spring", trackIds: [trackId] });
  const listed = { playlistId: list.body.data.playlist.id, recipient: "Ana", allowReview: true };
  listPath = new URL((await signedIn("POST", "/app/shares", listed)).body.data.url).pathname;
  await comment("Vocal up a touch", "0:20", "0:23");
  await comment("Hats are too loud here", "0:10");
  await comment("Is the intro needed?", "0:01");
  // The second mix is 6 dB softer, and begins later.
  const second = song.slice(CUT_SEC * RATE_HZ).map((sample) => sample / 2);
  const version = new FormData();
  version.append("file", upload(second, "Night Ferry 2.wav"));
  version.append("label", "v2");
  const added = await api("POST", `/tracks/${trackId}/versions`, version);
  await api("POST", `/tracks/${trackId}/versions/${added.body.data.id}/activate`);
  await app.drainJobs();
  const note = app.deps.db.select().from(comments).where(eq(comments.text, "Vocal up a touch")).get();
  const reply = { text: "Up by 1.5 dB", parentId: note?.id };
  await signedIn("POST", `/app/tracks/${trackId}/comments`, reply);
  await signedIn("PATCH", `/app/comments/${note?.id}`, { answered: true });
});
afterAll(async () => {
  await browser?.close();
  await app?.close();
});

/** Comments on the page of the link, without a script. */
async function comment(text: string, at: string, end = "") {
  const html = await (await fetch(app.origin + path)).text();
  const [, form = ""] = /<form class="comment-form[\s\S]*?>([\s\S]*?)<\/form>/.exec(html) ?? [];
  const hidden = [...form.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)];
  const fields = Object.fromEntries(hidden.map(([, name, value]) => [name, value]));
  const body = new URLSearchParams({ ...fields, name: "Bo Berg", text, at, end });
  const sent = await fetch(`${app.origin}${path}/comments`, {
    method: "POST",
    body,
    headers: { origin: app.origin },
    redirect: "manual",
  });
  expect(sent.status).toBe(303);
}

const elapsed = (page: Page, times: RegExp) => page.locator("#elapsed", { hasText: times }).waitFor();

describe.skipIf(!BROWSER_PATH)("a link that asks for approval, in a browser", () => {
  test("plays each note in both versions, takes what is said of them and the verdict, and stays where it is", async () => {
    const window = await openWindow(browser, app.origin, "desktop");
    const { page } = window;
    const heard: string[] = [];
    page.on("request", (request) => {
      if (/\/(listen|heard)\//.test(request.url())) heard.push(request.url());
    });
    await page.goto(path);
    const region = page.getByRole("region", { name: "Approval" });
    const said = region.getByRole("status");
    expect(await said.textContent()).toBe("Mara Lindqvist asks for your approval of v2.");
    expect(await region.getByRole("link").textContent()).toBe("v2 answers 1 of your 3 notes.");
    const items = page.locator("#answer-list > li");
    // The first second of the first mix is not in the second one.
    expect(await items.locator("> .comment-text").allTextContents()).toEqual([
      "Hats are too loud here",
      "Vocal up a touch",
      "Is the intro needed?",
    ]);
    expect(await items.last().textContent()).toContain("Not in v2: this part was cut");
    const vocal = items.nth(1);
    expect(await vocal.locator(".comment-at").first().textContent()).toBe("Play from 0:18–0:21");
    expect(await inspect(page, "approval-desktop")).toEqual([]);

    await vocal.getByRole("button", { name: "Play old" }).click();
    await elapsed(page, /^0:(18|19|20)$/);
    await page.getByRole("status").getByText("You hear Original.").waitFor();
    await vocal.getByRole("button", { name: "Play new" }).click();
    await elapsed(page, /^0:(17|18|19)$/);
    // The passage ends: two seconds, and the three of the note.
    await page.locator('#play[aria-label="Play"]').waitFor();
    await vocal.getByRole("button", { name: "Play old" }).click();
    await page.getByRole("status").getByText("You hear Original.").waitFor();
    await page.getByRole("button", { name: "Pause" }).click();
    await elapsed(page, /^0:16$/);
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await elapsed(page, /^0:(17|18)$/);
    const last = heard.filter((url) => url.includes("/listen/")).at(-1);
    expect(last).not.toContain("compare");
    expect(heard.filter((url) => url.includes("/heard/") && url.includes("compare"))).toEqual([]);
    await page.keyboard.press("Space");

    await vocal.getByLabel("What is still missing?").fill("A little more");
    await vocal.getByRole("button", { name: "Still not right" }).click();
    await vocal.locator(".replies", { hasText: "A little more" }).waitFor();
    expect(await vocal.locator(".replies .comment-text").allTextContents()).toEqual([
      "Up by 1.5 dB",
      "A little more",
    ]);
    await items.first().getByRole("button", { name: "This is right" }).click();
    await items.first().getByText("You said that this is right").waitFor();
    expect(await region.getByRole("link").textContent()).toBe("v2 answers 1 of your 3 notes.");

    await vocal.getByRole("link", { name: "Reply" }).click();
    expect(await page.getByLabel("Your name").inputValue()).toBe("Bo Berg");
    expect(await page.getByLabel("Time, such as 1:23").isVisible()).toBe(false);
    await page.getByRole("textbox", { name: "Comment" }).fill("Only in the chorus");
    await page.getByRole("button", { name: "Send comment" }).click();
    await vocal.locator(".replies", { hasText: "Only in the chorus" }).waitFor();

    await region.getByLabel("What should change?").fill("See my notes");
    await region.getByLabel("What should change?").press("Enter");
    await said.getByText(/^You asked for changes to v2 on .*\. Mara Lindqvist has been told\.$/).waitFor();
    expect(await inspect(page, "approval-said-desktop")).toEqual([]);
    await region.getByText("Change your answer").click();
    await region.getByRole("button", { name: "Approve" }).click();
    await said.getByText(/^You approved v2 on/).waitFor();
    expect(app.deps.db.select().from(reviews).where(eq(reviews.shareId, shareId)).all()).toMatchObject([
      { state: "approved", name: "Bo Berg" },
    ]);
    expect(window.errors).toEqual([]);
    await window.close();
  });

  test("is approved on a phone without a script, by the keyboard", async () => {
    const window = await openWindow(browser, app.origin, "phone", { javaScriptEnabled: false });
    const { page } = window;
    await page.goto(path);
    expect(await page.getByRole("button", { name: "Play old" }).count()).toBe(0);
    expect(await page.locator("#answer-list audio").count()).toBe(5);
    await page.getByText("Change your answer").focus();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Approve" }).focus();

    await page.keyboard.press("Enter");

    await page.waitForURL(/#approval-/);
    const words = await page.getByRole("region", { name: "Approval" }).getByRole("status").textContent();
    expect(words).toMatch(/^You approved v2 on .*\. Mara Lindqvist has been told\.$/);
    await window.close();
    const scripted = await openWindow(browser, app.origin, "phone");
    await scripted.page.goto(path);
    expect(await inspect(scripted.page, "approval-phone")).toEqual([]);
    expect(scripted.errors).toEqual([]);
    await scripted.close();
  });

  test("of a playlist is approved track by track, and pressing there plays nothing", async () => {
    const window = await openWindow(browser, app.origin, "phone");
    const { page } = window;
    await page.goto(listPath);
    const region = page.getByRole("region", { name: "Approval" });
    const row = region.getByRole("listitem").filter({ hasText: "Night Ferry" });
    expect(await region.getByRole("status").first().textContent()).toBe(
      "Mara Lindqvist asks for your approval of this track.",
    );

    await row.getByText("Approve v2, or ask for changes").click();
    expect(await inspect(page, "approval-list-phone")).toEqual([]);
    await row.getByRole("button", { name: "Approve" }).click();
    await row.getByText(/^You approved v2 on/).waitFor();

    expect(await region.getByRole("status").first().textContent()).toBe(
      "You approved this track. Mara Lindqvist has been told.",
    );
    expect(await page.locator("#play").getAttribute("aria-label")).toBe("Play");
    expect(window.errors).toEqual([]);
    await window.close();
  });
});

describe.skipIf(!BROWSER_PATH)("a link that asks for an answer, in a browser", () => {
  test("takes it beside the note, stays where it is, and lets the recipient change it; the Enter key answers nothing", async () => {
    const window = await openWindow(browser, app.origin, "phone");
    const { page } = window;
    await page.goto(pitchPath);
    const region = page.getByRole("region", { name: "Answer" });
    const group = region.getByRole("group", { name: "Your answer" });
    const said = region.getByRole("status");
    expect(await said.textContent()).toBe("Mara Lindqvist asks for your answer.");
    expect(await inspect(page, "answer-phone")).toEqual([]);
    await page.evaluate("window.isSamePage = true");

    await group.getByRole("textbox", { name: "Note" }).fill("Send stems?");
    await group.getByRole("textbox", { name: "Note" }).press("Enter");
    await group.getByRole("button", { name: "Need instrumental" }).click();
    await said.getByText("Mara Lindqvist has your answer: Need instrumental.").waitFor();

    await region.getByText("“Send stems?”").waitFor();
    expect(await inspect(page, "answer-said-phone")).toEqual([]);
    await region.getByText("Change").click();
    await group.getByRole("button", { name: "Pass" }).click();
    await said.getByText("Mara Lindqvist has your answer: Pass.").waitFor();
    expect(await page.evaluate("window.isSamePage")).toBe(true);
    expect(app.deps.db.select().from(shareAnswers).all()).toMatchObject([
      { answer: "pass", text: "Send stems?" },
    ]);
    expect(window.errors).toEqual([]);
    await window.close();
  });

  test("says before it opens when that is by the clock of its visitor", async () => {
    const context = await browser.newContext({ baseURL: app.origin, timezoneId: "Asia/Tokyo" });
    const page = await context.newPage();
    await page.goto(laterPath);
    await page.getByRole("heading", { name: "This opens on 4 March 2027 at 03:00." }).waitFor();
    expect(await page.getByText("That is your local time.").count()).toBe(1);
    expect(await inspect(page, "early")).toEqual([]);
    await context.close();
  });
});
