import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { provePlayer } from "../../src/modules/pocket/players/service.ts";
import { BROWSER_PATH, inspect, launchBrowser, openWindow } from "../pages/browser.ts";
import { createConsole } from "./console.ts";

let desk: Awaited<ReturnType<typeof createConsole>>;
beforeAll(async () => {
  if (BROWSER_PATH) desk = await createConsole();
});
afterAll(() => desk?.close());

describe.skipIf(!BROWSER_PATH)("Devices", () => {
  test("say without https why nothing is kept and nothing recorded", async () => {
    const { port } = new URL(desk.origin);
    const browser = await launchBrowser("--host-resolver-rules=MAP music.test 127.0.0.1");
    const { page, context, close } = await openWindow(browser, `http://music.test:${port}`, "phone");
    const session = { name: "dubplate_session", value: desk.account.token, domain: "music.test", path: "/" };
    await context.addCookies([session]);

    await page.goto("/library/settings/devices");
    await page.getByText("Keeping music on a device needs https.").waitFor();
    await page.goto("/library/uploads");
    await page.getByText("Recording in the browser needs https.").waitFor();

    expect(await page.getByRole("button", { name: "Record" }).count()).toBe(0);
    await close();
    await browser.close();
  });

  test.each(["desktop", "phone"] as const)(
    "let music apps in, add one, show its password and remove it on a %s",
    async (window) => {
      const { page, errors, close } = await desk.open("/library/settings/devices", window);
      const letIn = page.getByRole("switch", { name: "Let music apps in" });
      const textOf = (name: string) => page.getByRole("textbox", { name, exact: true }).inputValue();
      const isIn = async () =>
        provePlayer(desk.deps, await textOf("User name"), { secret: await textOf("Password") }) !== undefined;

      await letIn.click();
      await page.getByRole("button", { name: "Add an app" }).click();
      await page.getByRole("textbox", { name: "Name" }).fill("Car");
      await page.getByRole("radio", { name: "Original files" }).check({ force: true });
      expect(await inspect(page, `console-devices-add-${window}`)).toEqual([]);
      await page.getByRole("dialog").getByRole("button", { name: "Create" }).click();

      await page.getByRole("img", { name: "The server's address as a QR code" }).waitFor();
      expect(await isIn()).toBe(true);
      expect(await textOf("API key")).toBe(
        `${await textOf("User name")}.${(await textOf("Password")).replaceAll("-", "")}`,
      );
      expect(await textOf("Server")).toMatch(/^http:/);
      await page.getByText("Without https, anybody on the same network can read this password.").waitFor();
      await page.getByRole("button", { name: "Copy Password" }).click();
      await page.getByRole("status").getByText("Password copied").last().waitFor();
      expect(await inspect(page, `console-devices-password-${window}`)).toEqual([]);
      await page.getByRole("button", { name: "Done" }).click();

      const row = page.getByRole("table", { name: "Music apps" }).getByRole("row", { name: /Car/ });
      await row.getByText("Original files").waitFor();
      expect(await inspect(page, `console-devices-${window}`)).toEqual([]);
      await row.getByRole("button", { name: "Show password of Car" }).click();
      expect(await isIn()).toBe(true);
      await page.getByRole("button", { name: "Done" }).click();

      await letIn.click();
      await page.getByText("1 app loses access at once. They may keep what they have downloaded.").waitFor();
      await page.getByRole("alertdialog").getByRole("button", { name: "Shut out" }).click();
      await page.locator("[role=switch][aria-checked=false]").waitFor();
      await row.getByRole("button", { name: "Remove Car" }).click();
      await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
      await page.getByRole("status").getByText("Car removed").last().waitFor();
      await row.waitFor({ state: "detached" });
      expect(errors).toEqual([]);
      await close();
    },
  );
});
