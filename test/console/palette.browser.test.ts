import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { ACTIONS } from "../../src/console/app/ui/actions.ts";
import { ranked } from "../../src/console/app/ui/ranking.ts";
import { SCREENS } from "../../src/console/shared/addresses.ts";
import { COMMAND_WORDS, SCREEN_WORDS, SETTINGS } from "../../src/console/shared/words.ts";
import { BROWSER_PATH } from "../pages/browser.ts";
import { createConsole } from "./console.ts";

const SETTINGS_SCREENS = "src/console/app/screens/settings";
/** Steps within a list, and keys that mean nothing in a list of commands. */
const BY_KEY_ALONE = ["palette", "close", "tenth", "back", "forward"];

const NAMED = SCREENS.flatMap((screen) => (screen.heading === null ? [] : [screen]));

test("every screen with a name has words that it is found by", () => {
  expect(Object.keys(SCREEN_WORDS).toSorted()).toEqual(NAMED.map(({ id }) => id as string).toSorted());
  for (const words of Object.values(SCREEN_WORDS)) expect(words.split(" ").length).toBeGreaterThan(1);
});

test("every part of the settings is in the palette, and nothing else", async () => {
  const headings: string[] = [];
  for (const file of new Bun.Glob("*.tsx").scanSync(SETTINGS_SCREENS)) {
    const text = await Bun.file(`${SETTINGS_SCREENS}/${file}`).text();
    headings.push(...[...text.matchAll(/<Part\s+heading="([^"]+)"/g)].map(([, name = ""]) => name));
  }

  expect(SETTINGS.map(({ name }) => name).toSorted()).toEqual(headings.toSorted());
});

test("every action that the palette offers has other words", () => {
  const offered = Object.entries(ACTIONS)
    .filter(([id, { group }]) => group !== "Lists" && group !== "Go to" && !BY_KEY_ALONE.includes(id))
    .map(([id]) => id);

  expect(offered.filter((id) => COMMAND_WORDS[id] === undefined)).toEqual([]);
});

test("a name goes before other words, and these before letters in their order", () => {
  const things = [
    { id: "1", name: "Wide strings" },
    { id: "2", name: "Recently deleted", words: "restore bin" },
    { id: "3", name: "Restore a backup" },
    { id: "4", name: "Remote storage" },
  ];

  expect(ranked("restore", things, []).map(({ id }) => id)).toEqual(["3", "2", "4"]);
  expect(ranked("restore bin", things, []).map(({ id }) => id)).toEqual(["2"]);
  expect(ranked("rmst", things, []).map(({ id }) => id)).toEqual(["4"]);
});

/** What is typed, and the name of the line that it must find. */
type Sought = [typed: string, name: string];

const screenTexts = (): Sought[] =>
  NAMED.flatMap(({ id, heading }) =>
    [heading, ...SCREEN_WORDS[id].split(" ")].map((typed): Sought => [typed, heading]),
  );
const settingTexts = (): Sought[] =>
  SETTINGS.flatMap(({ name, words }): Sought[] => [
    [name, name],
    [words, name],
  ]);

describe.skipIf(!BROWSER_PATH)("the command palette", () => {
  let desk: Awaited<ReturnType<typeof createConsole>>;
  beforeAll(async () => {
    const relay = { host: "127.0.0.1", port: 2525, isTls: false, needsTls: false };
    const from = { name: null, address: "music@label.example" };
    // Where no mails are sent, nothing of them is found.
    desk = await createConsole({
      mail: { ...relay, user: undefined, password: undefined, from, perDay: 200 },
    });
  });
  afterAll(() => desk?.close());

  test("finds every screen by its heading and by every word for it", async () => {
    const { page, errors, close } = await desk.open();
    await page.keyboard.press("Control+k");
    const field = page.getByRole("combobox", { name: "Type a command or search" });

    for (const [typed, name] of [...screenTexts(), ...settingTexts()]) {
      if (name === "Passkeys") continue; // this server has none: passkeys.browser.test.ts finds them
      await field.fill(typed);
      await page.getByRole("option", { name, exact: true }).first().waitFor();
    }
    await field.fill("password");
    await page.getByRole("option", { name: "Password", exact: true }).first().waitFor();

    expect(await page.getByRole("option", { name: "Passkeys", exact: true }).count()).toBe(0);
    expect(errors).toEqual([]);
    await close();
  });

  test.each([
    ["webhook", "Webhooks", "/library/settings/webhooks"],
    ["restore", "Recently deleted", "/library/deleted"],
    ["deleted", "Recently deleted", "/library/deleted"],
    ["password", "Password", "/library/settings/security"],
    ["statistics", "Insights", "/library/insights"],
  ])("leads from %p to %s", async (typed, name, path) => {
    const { page, close } = await desk.open();

    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Type a command or search" }).fill(typed);
    await page.getByRole("option", { name, exact: true }).first().click();
    await page.waitForURL(`**${path}`);

    await close();
  });

  test("finds briefs and composers by their names", async () => {
    const owner = desk.signedIn(desk.account.token);
    await owner("POST", "/app/briefs", { name: "Rain for a bank" });
    await owner("POST", "/app/composers", { fullName: "Ines Okafor" });
    const { page, close } = await desk.open();

    await page.keyboard.press("Control+k");
    const field = page.getByRole("combobox", { name: "Type a command or search" });
    await field.fill("bank");
    await page.getByRole("option", { name: "Rain for a bank" }).waitFor();
    await field.fill("okafor");
    await page.getByRole("option", { name: "Ines Okafor" }).click();
    await page.getByRole("heading", { level: 1, name: "Ines Okafor" }).waitFor();

    await close();
  });

  test("creates a key and signs out from anywhere", async () => {
    const { page, context, close } = await desk.open("/library/links");
    const type = async (text: string, name: string) => {
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: "Type a command or search" }).fill(text);
      await page.getByRole("option", { name, exact: true }).click();
    };

    await type("key", "Create an API key");
    await page.getByRole("dialog", { name: "Create key" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("heading", { level: 1, name: "API keys" }).waitFor();
    await type("sign out", "Sign out");
    await page.waitForURL("**/signin");

    expect(await context.cookies()).toEqual([]);
    await close();
  });
});
