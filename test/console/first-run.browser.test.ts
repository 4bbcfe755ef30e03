import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { DEMO_PIECES } from "../../src/demo/pieces.ts";
import { BROWSER_PATH, inspect, launchBrowser, openWindow } from "../pages/browser.ts";
import { demoFile } from "../support/demo-file.ts";
import { createProgram } from "../support/process.ts";
import { excerptOf } from "../support/recordings.ts";
import { wavBytes } from "../support/signals.ts";
import { createConsole } from "./console.ts";

const SONGS = 10;
const RATE_HZ = 44_100;
const TARGET_SEC = 120;
const PATIENCE_MS = 240_000;

let browser: Browser;
let folder: string;
const paths: string[] = [];
beforeAll(async () => {
  if (!BROWSER_PATH) return;
  browser = await launchBrowser();
  folder = mkdtempSync(join(tmpdir(), "dubplate-first-run-"));
  for (const [number, piece] of DEMO_PIECES.slice(0, SONGS).entries()) {
    const path = join(folder, piece.filename);
    const recording = excerptOf(number, RATE_HZ, 60);
    await Bun.write(path, recording ? wavBytes([recording], RATE_HZ, 16) : await demoFile(piece));
    paths.push(path);
  }
});
afterAll(async () => {
  await browser?.close();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

/** Notes how long each step of a visit takes. */
function stopwatch() {
  const steps: [name: string, sec: number][] = [];
  return {
    step: async <Result>(name: string, run: () => Promise<Result>): Promise<Result> => {
      const began = performance.now();
      const result = await run();
      steps.push([name, (performance.now() - began) / 1000]);
      return result;
    },
    print: () => {
      const sum = steps.reduce((all, [, sec]) => all + sec, 0);
      const lines = steps.map(([name, sec]) => `${name.padEnd(44)}${sec.toFixed(1).padStart(7)} s`);
      console.log(
        `${lines.join("\n")}\n${`in all (target ${TARGET_SEC} s)`.padEnd(44)}${sum.toFixed(1).padStart(7)} s`,
      );
    },
  };
}

const steps = (page: Page) => page.getByRole("region", { name: "First steps" });
const ticked = (page: Page, name: string) =>
  steps(page).locator(`[role=checkbox][aria-label="${name}"][aria-checked=true]`);

describe.skipIf(!BROWSER_PATH)("the first run", () => {
  test("leads from the printed lines to a link for one person", async () => {
    const program = createProgram();
    const { step, print } = stopwatch();
    const server = await step("start the program", () => program.serve());
    const [, setup = ""] = await server.says(/make your account: (\S+)/);
    const [, code = ""] = await server.says(/Set-up code for the first account: (\S+)/);
    const { page, errors, foreign, close } = await openWindow(browser, server.address, "desktop");

    await step("make the account", async () => {
      await page.goto(setup);
      await page.getByRole("textbox", { name: "Your name" }).fill("Mara");
      await page.getByRole("textbox", { name: "E-mail address" }).fill("mara@example.com");
      await page.getByLabel("Password").fill("correct horse battery");
      await page.getByRole("textbox", { name: "Set-up code" }).fill(code);
      await page.getByRole("main").getByRole("button").click();
      await page.getByRole("heading", { name: "Drop your music here" }).waitFor();
    });
    expect(new URL(page.url()).pathname).toBe("/library");
    await steps(page).getByRole("listitem", { name: "Add music" }).waitFor();
    await step(`upload ${SONGS} files`, async () => {
      await page.locator("input[type=file][aria-label='Choose files']").first().setInputFiles(paths);
      await page.locator(`[role=grid][aria-rowcount="${SONGS + 1}"]`).waitFor({ timeout: PATIENCE_MS });
    });
    await ticked(page, "Add music").waitFor();
    await step("the first track is analysed", async () => {
      await ticked(page, "Get it analysed").waitFor({ timeout: PATIENCE_MS });
      await steps(page).getByText("Describe what you are looking for").waitFor();
    });
    const brief = steps(page).getByRole("link").first();
    const words = (await brief.textContent()) ?? "";
    const results = page.getByRole("grid", { name: "Results" });
    await step("find something by a brief of its tags", async () => {
      await brief.click();
      await results.getByRole("row").first().waitFor();
    });
    expect(await page.getByRole("textbox", { name: "Describe the music" }).inputValue()).toBe(words);
    await step("share the first result", async () => {
      await results
        .getByRole("button", { name: /^Share / })
        .first()
        .click();
      const dialog = page.getByRole("dialog", { name: /^Share / });
      await dialog.getByRole("combobox", { name: "For whom" }).fill("Ana");
      await page.keyboard.press("Enter");
      await dialog.getByRole("button", { name: "Create link" }).click();
      await dialog.getByRole("textbox", { name: "Link for Ana" }).waitFor();
      await dialog.getByRole("button", { name: "Done" }).click();
    });
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Library" }).click();
    await page.getByRole("grid", { name: "Tracks" }).waitFor();
    await steps(page).waitFor({ state: "detached" });
    print();

    expect([errors, foreign]).toEqual([[], []]);
    await close();
    await program.close();
  });

  test.each(["desktop", "phone"] as const)("an empty library says what to do on a %s", async (name) => {
    const desk = await createConsole();
    const { page, errors, close } = await desk.open("/library", name);

    await page.getByText("Choose a folder").waitFor();
    await steps(page).getByText("Your own files, or three demo tracks.").waitFor();
    expect(await inspect(page, `console-first-run-${name}`)).toEqual([]);
    await page.getByRole("button", { name: "Add demo tracks" }).click();
    await page.getByText("3 demo tracks added").waitFor();
    await page.locator('[role=grid][aria-rowcount="4"]').waitFor();
    await desk.drainJobs();
    await page.reload();
    await steps(page).getByText("Describe what you are looking for").waitFor();
    expect(await inspect(page, `console-first-steps-${name}`)).toEqual([]);
    const isDismissed = page.waitForResponse((answer) => answer.request().method() !== "GET");
    await page.getByRole("button", { name: "Dismiss first steps" }).click();
    await steps(page).waitFor({ state: "detached" });
    await isDismissed;
    await page.reload();
    await page
      .getByRole("row", { name: /Substation|, / })
      .first()
      .waitFor();
    expect(await steps(page).count()).toBe(0);
    await page.goto("/library/welcome");
    await ticked(page, "Add music").waitFor();
    expect(await inspect(page, `console-welcome-${name}`)).toEqual([]);
    const isKept = page.waitForResponse((answer) => answer.request().method() !== "GET");
    await page.getByRole("button", { name: "Show above the Library" }).click();
    await isKept;
    await page.goto("/library");
    await steps(page).waitFor();

    expect(errors).toEqual([]);
    await close();
    await desk.close();
  });
});
