import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { FileChooser, Locator, Page } from "playwright-core";
import { BROWSER_PATH, inspect } from "../pages/browser.ts";
import { addTrackRows } from "../support/track-rows.ts";
import { createConsole, until } from "./console.ts";

const TRACKS = 60;

describe.skipIf(!BROWSER_PATH)("what happened is said", () => {
  let desk: Awaited<ReturnType<typeof createConsole>>;
  beforeAll(async () => {
    desk = await createConsole();
    for (let at = 0; at < TRACKS; at++)
      addTrackRows(desk.deps.db, desk.account.accountId, { title: `Song ${at}`, measured: {} });
  });
  afterAll(() => desk?.close());

  const boxOf = async (place: Locator) => {
    const box = await place.boundingBox();
    if (!box) throw new Error("There is nothing to see");
    return box;
  };

  /** Returns the names of the controls that something covers, all read at one moment: a message goes by itself. */
  const coveredBy = (over: Locator): Promise<string[]> =>
    over.evaluate((toast) => {
      const area = toast.getBoundingClientRect();
      const isCovered = (control: Element) => {
        const box = control.getBoundingClientRect();
        const main = control.closest(".main")?.getBoundingClientRect();
        // What scrolls ends where its part of the page does.
        const bottom = Math.min(box.bottom, main?.bottom ?? Number.POSITIVE_INFINITY);
        const isApart =
          box.left >= area.right || box.right <= area.left || box.top >= area.bottom || bottom <= area.top;
        return box.top < bottom && !isApart && control.closest(".toast") === null;
      };
      return [...toast.ownerDocument.querySelectorAll("a, button")]
        .filter((control) => control.checkVisibility({ visibilityProperty: true }) && isCovered(control))
        .map((control) => control.getAttribute("aria-label") ?? "");
    });

  const hide = async (page: Page) => {
    await page
      .getByRole("button", { name: /^More actions for Song/ })
      .first()
      .click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.locator(".toast").first().waitFor();
  };

  test.each(["desktop", "phone"] as const)("a message covers no control on a %s", async (name) => {
    const { page, errors, close } = await desk.open("/library", name);
    await hide(page);

    expect(await coveredBy(page.locator(".toast").first())).toEqual([]);
    expect(await inspect(page, `console-toast-${name}`)).toEqual([]);
    expect(errors).toEqual([]);
    await close();
  });

  test("a message is swept away by a finger", async () => {
    const { page, close } = await desk.open("/library", "phone");
    await hide(page);
    const { x, y, height } = await boxOf(page.locator(".toast-text"));
    const touch = (type: string, atX: number) =>
      page.locator(".toast").dispatchEvent(type, {
        pointerType: "touch",
        clientX: atX,
        clientY: y + height / 2,
        bubbles: true,
      });

    await touch("pointerdown", x + 10);
    await touch("pointermove", x + 30);
    await touch("pointerup", x + 30);
    expect(await page.locator(".toast").count()).toBe(1);
    await touch("pointerdown", x + 10);
    await touch("pointermove", x + 120);
    await touch("pointerup", x + 120);
    await page.locator(".toast").waitFor({ state: "detached" });

    await close();
  });

  test("Upload opens the file chooser, by its button and by its key", async () => {
    const { page, close } = await desk.open();
    await page.getByRole("grid", { name: "Tracks" }).waitFor();
    // One listener for both: the browser stops reporting choosers between two of them.
    const choosers: FileChooser[] = [];
    page.on("filechooser", (chooser) => choosers.push(chooser));

    await page.getByRole("button", { name: "Upload", exact: true }).click();
    await until(async () => choosers.length, 1);
    await choosers[0]?.setFiles([]);
    await page.keyboard.press("u");
    await until(async () => choosers.length, 2);

    expect(choosers.map((chooser) => chooser.isMultiple())).toEqual([true, true]);
    await close();
  });

  test("Recently deleted is a page below the Library", async () => {
    const { page, close } = await desk.open();
    const main = page.getByRole("navigation", { name: "Main" });
    await main.getByRole("link", { name: "Recently deleted" }).click();
    await page.getByRole("heading", { level: 1, name: "Recently deleted" }).waitFor();

    expect(await main.locator("[aria-current=page]").allTextContents()).toEqual(["Recently deleted"]);
    await close();
  });
});
