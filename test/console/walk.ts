import type { Locator, Page, Request } from "playwright-core";
import { until } from "./console.ts";

/** What a walk leaves alone: it would end the session or the walk, or have the browser ask for a file. */
const LEFT_ALONE =
  /^(Sign out|Leave |End |Upload$|Add version|New version|Choose |Add demo|Remove from|Delete playlist)/;
const PRESS_MS = 1000;

/** The requests of each window that have no answer yet, but for its stream. */
const unanswered = new WeakMap<Page, Set<Request>>();

function follow(page: Page): void {
  const open = new Set<Request>();
  unanswered.set(page, open);
  page.on("request", (request) => request.url().includes("/app/events") || open.add(request));
  page.on("requestfinished", (request) => open.delete(request));
  page.on("requestfailed", (request) => open.delete(request));
}

/** Notes what the server refuses the role of the person or fails at, from now on. */
export function refusalsOf(page: Page): string[] {
  const refused: string[] = [];
  page.on("response", (response) => {
    const { pathname } = new URL(response.url());
    // Where there is no ffmpeg, listeners have nothing to play.
    const isFault = response.status() >= 500 && !pathname.startsWith("/media/");
    if (response.status() !== 403 && !isFault) return;
    refused.push(`${response.request().method()} ${pathname} at ${page.url()}`);
  });
  return refused;
}

/**
 * Presses every button in a part of a screen, and everything that its menus offer, one after the other: one of each kind,
 * whatever things of the library it names. Returns what was pressed.
 *
 * @param things What the things of the library are called.
 */
export async function pressEverything(
  page: Page,
  path: string,
  part: Locator,
  things: RegExp,
): Promise<string[]> {
  if (!unanswered.has(page)) follow(page);
  const open = () => goTo(page, path);
  await page.goto(path);
  await open();
  const pressed: string[] = [];
  for (const name of kindsOf(await part.evaluate(namesOfButtons), things)) {
    await open();
    const button = part.getByRole("button", { name, exact: true }).first();
    if (!(await button.isVisible())) continue;
    const items = await press(button);
    pressed.push(name, ...items.map((item) => `${name} > ${item}`));
    for (const item of items) {
      await open();
      await press(button);
      await page
        .getByRole("menuitem", { name: item, exact: true })
        .click({ timeout: PRESS_MS })
        .catch(nothing);
    }
  }
  return pressed;
}

const KEYS = ["j", "x", "s", "a", "t", "e", "c", "v", "Delete", "Shift+q", "u", "z", "g k", "g n"].flatMap(
  (key) => [...key.split(" "), "Escape"],
);

/** Presses the keys of tracks and screens. */
export async function pressKeys(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.getByRole("main").getByRole("button").first().waitFor();
  for (const key of KEYS) await page.keyboard.press(key);
}

/** Looks for things in the palette: by their names, by tags and by people. */
export async function lookInPalette(page: Page): Promise<void> {
  // A dialog that one of the keys before has opened may still be on its way.
  await page.goto("/library");
  await page.getByRole("main").getByRole("heading").first().waitFor();
  await page.keyboard.press("Control+k");
  const field = page.getByRole("combobox", { name: "Type a command or search" });
  await field.fill("@ida");
  await page.getByText("Nothing found").waitFor();
  await field.fill("ferry");
  await page.getByRole("option", { name: "Night Ferry" }).waitFor();
  await page.keyboard.press("Escape");
}

/** Closes what is open, and comes back to a screen if a press has left it. */
async function goTo(page: Page, path: string): Promise<void> {
  // A title that is being edited has no heading.
  await page.keyboard.press("Escape");
  for (let tries = 0; tries < 3 && (await page.locator("dialog[open], [role=menu]").count()) > 0; tries++)
    await page.keyboard.press("Escape");
  const { pathname, search } = new URL(page.url());
  if (`${pathname}${search}` !== path) await page.goto(path);
  await page.getByRole("main").getByRole("heading").first().waitFor();
  // "networkidle" would wait half a second each time.
  await until(async () => unanswered.get(page)?.size ?? 0, 0);
}

/** Presses a button. Returns what the menu offers that it opens. */
async function press(button: Locator): Promise<string[]> {
  const isMenu = (await button.getAttribute("aria-haspopup")) === "menu";
  await button.click({ timeout: PRESS_MS }).catch(nothing);
  if (!isMenu) return [];
  const names = await button.page().locator("[role=menuitem] > span:first-child").allTextContents();
  return names.filter((item) => !LEFT_ALONE.test(item));
}

const nothing = () => undefined;

const namesOfButtons = (part: Element) =>
  [...part.querySelectorAll("button")].flatMap((button) =>
    button.checkVisibility() && !button.disabled
      ? [(button.getAttribute("aria-label") ?? button.textContent ?? "").trim()]
      : [],
  );

/** One name of each kind. */
function kindsOf(names: readonly string[], things: RegExp): string[] {
  const kinds = new Map<string, string>();
  for (const name of names) kinds.set(name.replace(things, ""), name);
  return [...kinds.values()].filter((name) => name !== "" && !LEFT_ALONE.test(name));
}
