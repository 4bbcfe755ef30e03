import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { wavBytes } from "../media/wave-bytes.ts";
import { BROWSER_PATH, inspect } from "../pages/browser.ts";
import type { Json } from "../support/app.ts";
import { sine } from "../support/signals.ts";
import { createConsole, until } from "./console.ts";
import { CLIPS, openBrief, RATE_HZ, send, shortlistTwo } from "./submissions.ts";

let desk: Awaited<ReturnType<typeof createConsole>>;
let brief: Json;
let call: ReturnType<typeof desk.signedIn>;
beforeAll(async () => {
  if (!BROWSER_PATH) return;
  desk = await createConsole();
  call = desk.signedIn(desk.account.token);
  brief = await openBrief(desk);
  await shortlistTwo(desk, brief.id);
});
afterAll(() => desk?.close());

/** A recording that is loud in one place. */
const LOUD = { seconds: 40, fromSec: 22, toSec: 36 };

function loudFile(): File {
  const samples = [...sine(RATE_HZ, LOUD.seconds, 220, 1)].map((sample, at) => {
    const isLoud = at >= LOUD.fromSec * RATE_HZ && at < LOUD.toSec * RATE_HZ;
    return sample * (isLoud ? 0.8 : 0.05);
  });
  const bytes = wavBytes({ depth: "s16", sampleRateHz: RATE_HZ, samples });
  return new File([bytes as Uint8Array<ArrayBuffer>], "Quiet, then loud.wav");
}

const article = (page: Page) => page.getByRole("article");
const nameOf = (page: Page) => article(page).getAttribute("aria-label");
const counts = async () => (await call("GET", "/app/inbox/counts")).body.data;

describe.skipIf(!BROWSER_PATH)("the inbox", () => {
  test("a submission plays from its loudest passage, and prose finds it", async () => {
    const form = new FormData();
    form.append("files", loudFile());
    const api = desk.as(desk.createKey(desk.account.accountId));
    const { body } = await api("POST", "/tracks/upload", form);
    await desk.drainJobs();
    const trackId = body.data.uploaded[0].id;
    const sent = await call("POST", `/app/briefs/${brief.id}/submissions`, { trackId });
    const { page, errors, close } = await desk.open("/library/inbox?state=all");

    await article(page).waitFor();
    await page.getByRole("button", { name: /^Quiet, then loud/ }).click();
    await page.getByRole("button", { name: "Pause Quiet, then loud" }).waitFor();
    await page.keyboard.press("Space");
    const at = Number(await page.getByRole("slider", { name: "Position", exact: true }).inputValue());
    expect(at).toBeGreaterThanOrEqual(LOUD.fromSec - 1.5);
    expect(at).toBeLessThan(LOUD.toSec);

    await page.keyboard.press("/");
    await page.keyboard.type("dark and slow");
    await page.keyboard.press("Enter");
    const list = page.getByRole("list", { name: "Submissions" });
    await list.getByText(/ %$/).first().waitFor();
    const percents = (await list.getByText(/ %$/).allTextContents()).map((text) => Number.parseInt(text, 10));
    expect(percents).toEqual(percents.toSorted((one, other) => other - one));
    expect(page.url()).toContain("q=dark+and+slow");
    await call("PATCH", `/app/submissions/${sent.body.data.id}`, { state: "passed" });
    expect(errors).toEqual([]);
    await close();
  });

  test("a telephone shows the list, then the submission that was pressed", async () => {
    const { page, errors, close } = await desk.open("/library/inbox?state=shortlisted", "phone");
    const list = page.getByRole("list", { name: "Submissions" });

    await list.getByRole("button", { name: /^Night Ferry/ }).click();
    await page.getByRole("article", { name: "Night Ferry" }).waitFor();
    await page.getByRole("region", { name: /^How well it fits/ }).waitFor();
    expect(await list.isVisible()).toBe(false);
    expect(await inspect(page, "console-inbox-phone")).toEqual([]);
    await page.getByRole("button", { name: "All submissions" }).click();
    await list.waitFor();

    expect(errors).toEqual([]);
    await close();
  });

  test("a list is saved as a table, and as files", async () => {
    const { page, errors, close } = await desk.open("/library/inbox?state=shortlisted");
    await article(page).waitFor();

    const [table] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Save as CSV" }).click(),
    ]);
    const [files] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download ZIP" }).click(),
    ]);

    const lines = (await Bun.file(await table.path()).text()).trim().split(/\r?\n/);
    expect(lines[0]).toContain('"Sent","Brief","Title"');
    expect(lines.slice(1).map((line) => /"(Night Ferry|Sunday)".*"Shortlisted"/.test(line))).toEqual([
      true,
      true,
    ]);
    expect(files.suggestedFilename()).toMatch(/^Submissions .+\.zip$/);
    const zip = await Bun.file(await files.path()).bytes();
    expect(Buffer.from(zip).includes("Night Ferry")).toBe(true);
    expect(errors).toEqual([]);
    await close();
  });

  test("submissions are triaged by keys alone, and the next one arrives by itself", async () => {
    await send(desk, brief.publicUrl, 0, CLIPS);
    const { page, errors, close } = await desk.open("/library");
    await page.getByRole("grid", { name: "Tracks" }).waitFor();

    await page.keyboard.press("g");
    await page.keyboard.press("i");
    await page.getByRole("heading", { level: 1, name: "Inbox" }).waitFor();
    await article(page).waitFor();
    expect(await inspect(page, "console-inbox-desktop")).toEqual([]);
    const thanks = await page.getByRole("link", { name: /^Thank Sender/ }).getAttribute("href");
    expect(thanks).toMatch(/^mailto:sender\d+%40example\.com\?subject=Night%20drive.+&body=Hello%20Sender/);
    // On by itself; without it each decision can be read where it was made.
    const advances = page.getByRole("checkbox", { name: "Next after deciding" });
    expect(await advances.isChecked()).toBe(true);
    await advances.uncheck();
    await page.getByRole("heading", { level: 1, name: "Inbox" }).focus();
    const keys = ["1", "2", "3"];
    const words = ["Shortlisted", "Passed", "Kept"];
    const seen = new Set<string>();
    for (let number = 0; number < CLIPS; number++) {
      if (number > 0) {
        const before = seen.size;
        await page.keyboard.press("j");
        await article(page)
          .and(page.locator(`:not([aria-label="${[...seen].at(-1)}"])`))
          .waitFor();
        expect(seen.size).toBe(before);
      }
      seen.add((await nameOf(page)) ?? "");
      await page.keyboard.press(keys[number % 3] ?? "");
      await article(page)
        .getByText(words[number % 3] ?? "", { exact: true })
        .waitFor();
    }
    await page.getByRole("heading", { level: 2, name: "Inbox is empty" }).waitFor();
    const player = page.getByRole("region", { name: "Player" });
    await player.getByRole("link", { name: [...seen].at(-1) ?? "", exact: true }).waitFor();

    expect(seen.size).toBe(CLIPS);
    const third = Math.ceil(CLIPS / 3);
    const decided = async () => {
      const { new: left, shortlisted } = await counts();
      return [left, shortlisted];
    };
    await until(decided, [0, third + 2]);

    await page.keyboard.press("z");
    await page.getByText("1 to decide").waitFor();
    await page.keyboard.press("w");
    await page.getByRole("textbox", { name: "Note" }).fill("Ask for stems");
    await page.keyboard.press("Enter");
    await page.keyboard.press("c");
    await page.getByRole("textbox", { name: /^Comment at 0:0\d$/ }).fill("The bass is late");
    await page.keyboard.press("Enter");
    await page.getByRole("list", { name: "Comments" }).getByText("The bass is late").waitFor();
    await page.keyboard.press("t");
    const tagging = page.getByRole("dialog", { name: "Tag 1 track" });
    await tagging.getByRole("combobox", { name: "Add tag" }).fill("Techno");
    await page.getByRole("option", { name: "Techno", exact: true }).waitFor();
    await page.keyboard.press("Enter");
    await tagging.getByRole("button", { name: "Apply" }).press("Enter");
    await tagging.waitFor({ state: "detached" });
    await page.getByText("Techno", { exact: true }).waitFor();
    await page.keyboard.press("a");
    await page.getByRole("dialog", { name: "Add to playlist" }).getByRole("combobox").fill("Maybe");
    await page.getByRole("option", { name: "Create “Maybe”" }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByText("Added to Maybe").waitFor();

    await send(desk, brief.publicUrl, 900, 901);
    await page.getByText("2 to decide").waitFor();

    const notes = async () =>
      (await call("GET", "/app/inbox?state=new")).body.data.map(({ note }: Json) => note);
    await until(notes, [null, "Ask for stems"]);
    expect(errors).toEqual([]);
    await close();
  });

  test("a setting opens the next submission after each decision, and both settings stay", async () => {
    await send(desk, brief.publicUrl, 910, 912);
    const { page, errors, close } = await desk.open("/library/inbox");
    await article(page).waitFor();
    const first = await nameOf(page);

    await page.getByRole("checkbox", { name: "Next after deciding" }).check();
    await page.getByRole("checkbox", { name: "Play on open" }).uncheck();
    await page.getByRole("heading", { level: 1, name: "Inbox" }).focus();
    await page.keyboard.press("1");
    await article(page)
      .and(page.locator(`:not([aria-label="${first}"])`))
      .waitFor();
    await page.getByRole("button", { name: "Sentences…" }).click();
    const dialog = page.getByRole("dialog", { name: "Prepared sentences" });
    await dialog.getByRole("textbox", { name: "New" }).fill("{title} is here. Thanks!");
    expect(await inspect(page, "console-inbox-sentences")).toEqual([]);
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "hidden" });
    await page.reload();
    await article(page).waitFor();

    expect(await page.getByRole("checkbox", { name: "Next after deciding" }).isChecked()).toBe(true);
    expect(await page.getByRole("checkbox", { name: "Play on open" }).isChecked()).toBe(false);
    // The sentences come with the account, which may be read after the submission.
    const words = `${await nameOf(page)} is here. Thanks!`;
    const thanks = page.getByRole("link", { name: /^Thank Sender/ });
    await until(
      async () => decodeURIComponent((await thanks.getAttribute("href")) ?? "").includes(words),
      true,
    );
    // Kept with the account, for every browser of it.
    const { new: sentence, passed } = (await call("GET", "/app/account")).body.data.thanks;
    expect([sentence, passed]).toEqual(["{title} is here. Thanks!", null]);
    expect(errors).toEqual([]);
    await close();
  });

  test("an inbox without a brief says what to do", async () => {
    const account = desk.createAccount();
    const { page, errors, close } = await desk.open("/library");
    await page.context().addCookies([{ name: "dubplate_session", value: account.token, url: desk.origin }]);

    await page.goto("/library/inbox");
    await page.getByRole("heading", { level: 2, name: "Inbox is empty" }).waitFor();

    expect(await inspect(page, "console-inbox-empty")).toEqual([]);
    expect(errors).toEqual([]);
    await close();
  });
});
