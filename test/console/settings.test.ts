import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { BROWSER_PATH, inspect } from "../pages/browser.ts";
import { createConsole, PASSWORD } from "./console.ts";

let desk: Awaited<ReturnType<typeof createConsole>>;
beforeAll(async () => {
  if (BROWSER_PATH) desk = await createConsole();
});
afterAll(() => desk?.close());

const owner = () => desk.signedIn(desk.account.token);
const NEW_PASSWORD = "another battery staple";

describe.skipIf(!BROWSER_PATH)("the settings", () => {
  test("lead from one to the other, from the frame and from the account menu", async () => {
    const { page, errors, close } = await desk.open();
    const main = page.getByRole("navigation", { name: "Main" });

    await main.getByRole("link", { name: "Settings", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Profile" }).waitFor();
    const settings = page.getByRole("navigation", { name: "Settings" });
    for (const name of await settings.getByRole("link").allTextContents()) {
      await settings.getByRole("link", { name, exact: true }).click();
      await page.getByRole("heading", { level: 1, name, exact: true }).waitFor();

      expect(await page.title()).toBe(`${name} · Dubplate`);
      expect(await settings.locator("[aria-current=page]").allTextContents()).toEqual([name]);
      expect(await main.locator("[aria-current=page]").allTextContents()).toEqual(["Settings"]);
    }
    await page.getByRole("button", { name: "Account" }).click();
    await page.getByRole("menuitem", { name: "Settings" }).click();
    await page.getByRole("heading", { level: 1, name: "Profile" }).waitFor();

    expect(errors).toEqual([]);
    await close();
  });

  test.each(["desktop", "phone"] as const)("change name and address on a %s", async (window) => {
    const { page, errors, close } = await desk.open("/library/settings/profile", window);

    await page.getByRole("textbox", { name: "Name" }).fill(`Mara on a ${window}`);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("status").getByText("Saved").waitFor();
    expect(await inspect(page, `console-settings-profile-${window}`)).toEqual([]);
    await page.getByRole("textbox", { name: "Name" }).fill(" ");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("alert").getByText("Name must not be blank.").waitFor();

    expect((await owner()("GET", "/app/account")).body.data.name).toBe(`Mara on a ${window}`);
    expect(errors.filter((error) => !error.includes("400"))).toEqual([]);
    await close();
  });

  test("change the password, and end the other sessions", async () => {
    const signIn = (password: string) =>
      fetch(`${desk.origin}/auth/login`, {
        method: "POST",
        headers: { "content-type": "application/json", "user-agent": "studio-script/2" },
        body: JSON.stringify({ email: "mara@example.com", password }),
      });
    await signIn(PASSWORD);
    await signIn(PASSWORD);
    const { page, close } = await desk.open("/library/settings/security");
    const table = page.getByRole("table", { name: "Sessions" });

    await table.getByText("studio-script").first().waitFor();
    expect(await table.getByText("This one").count()).toBe(1);
    expect(await inspect(page, "console-settings-security")).toEqual([]);
    await page.getByRole("button", { name: "End session of studio-script" }).first().click();
    await page.getByRole("status").getByText("Session ended").waitFor();
    await page.getByRole("button", { name: "End all other sessions" }).click();
    await table.getByText("studio-script").first().waitFor({ state: "detached" });

    await page.getByRole("textbox", { name: "Current password" }).fill("not the password");
    await page.getByRole("textbox", { name: "New password" }).fill(NEW_PASSWORD);
    await page.getByRole("button", { name: "Change password" }).click();
    await page.getByText("This is not the password of this account.").waitFor();
    await page.getByRole("textbox", { name: "Current password" }).fill(PASSWORD);
    await page.getByRole("button", { name: "Change password" }).click();
    await page.getByRole("status").getByText("Password changed").waitFor();

    expect([(await signIn(PASSWORD)).status, (await signIn(NEW_PASSWORD)).status]).toEqual([401, 200]);
    await close();
  });
});
