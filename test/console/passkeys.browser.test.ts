import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { MINUTE_MS } from "../../src/kernel/time.ts";
import { BROWSER_PATH, inspect } from "../pages/browser.ts";
import { createConsole, PASSWORD, until } from "./console.ts";

let desk: Awaited<ReturnType<typeof createConsole>>;
beforeAll(async () => {
  if (!BROWSER_PATH) return;
  const settings = (port: number) => ({ passkeys: true, publicUrl: `http://localhost:${port}` });
  desk = await createConsole(settings, undefined, "localhost");
});
afterAll(() => desk?.close());

/** Gives the page a device that keeps passkeys and knows its person. */
async function addDevice(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

describe.skipIf(!BROWSER_PATH)("passkeys in a browser", () => {
  test.each(["desktop", "phone"] as const)(
    "are added, sign in, prove and are removed on a %s",
    async (window) => {
      const { page, errors, close } = await desk.open("/library/settings/security", window);
      await addDevice(page);
      const list = page.getByRole("list", { name: "Passkeys" });
      const remove = page.getByRole("button", { name: "Remove Studio" });

      // Signing in was a proof, but long ago.
      desk.clock.advance(11 * MINUTE_MS);
      await page.getByRole("button", { name: "Add a passkey" }).click();
      const proof = page.getByRole("dialog", { name: "Is it you?" });
      await proof.getByRole("textbox", { name: "Your password" }).fill("wrong");
      await proof.getByRole("button", { name: "Continue" }).click();
      await proof.getByText("This is not the password of this account.").waitFor();
      expect(await inspect(page, `console-proof-${window}`)).toEqual([]);
      await proof.getByRole("textbox", { name: "Your password" }).fill(PASSWORD);
      await proof.getByRole("button", { name: "Continue" }).click();
      await page.getByRole("status").getByText("Passkey added").waitFor();
      await list.getByRole("button", { name: /^Rename Chrome/ }).click();
      const rename = page.getByRole("dialog", { name: /^Rename/ });
      await rename.getByRole("textbox", { name: "Name" }).fill("  ");
      await rename.getByRole("button", { name: "Rename" }).click();
      await rename.locator(".field-error", { hasText: "Enter a name." }).waitFor();
      await rename.getByRole("textbox", { name: "Name" }).fill("Studio");
      await rename.getByRole("button", { name: "Rename" }).click();
      await remove.waitFor();
      expect(await inspect(page, `console-settings-passkeys-${window}`)).toEqual([]);

      await page.context().clearCookies();
      await page.goto("/signin?next=/library/settings/security");
      await page.getByRole("button", { name: "Sign in with a passkey" }).waitFor();
      expect(await inspect(page, `signin-passkey-${window}`)).toEqual([]);
      await page.getByRole("button", { name: "Sign in with a passkey" }).click();
      await page.getByRole("heading", { level: 1, name: "Security" }).waitFor();
      const sessions = page.getByRole("table", { name: "Sessions" });
      await sessions.getByRole("row", { name: /This one.*Passkey/ }).waitFor();

      desk.clock.advance(11 * MINUTE_MS);
      await remove.click();
      await page
        .getByRole("dialog", { name: "Remove Studio?" })
        .getByRole("button", { name: "Remove" })
        .click();
      await proof.getByRole("button", { name: "Use a passkey" }).click();
      await page.getByText("You have none yet.").waitFor();

      expect(errors).toEqual([]);
      await close();
    },
  );

  test("are found in the palette", async () => {
    const { page, errors, close } = await desk.open();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Type a command or search" }).fill("fingerprint");
    await page.getByRole("option", { name: "Passkeys", exact: true }).click();
    await page.getByRole("list", { name: "Passkeys" }).or(page.getByText("You have none yet.")).waitFor();

    expect(errors).toEqual([]);
    await close();
  });

  test("say so when the device has none for this server, and the password still works", async () => {
    const { page, errors, close } = await desk.open("/library");
    await page.context().clearCookies();
    await addDevice(page);
    await page.goto("/signin");

    const button = page.getByRole("button", { name: "Sign in with a passkey" });
    await button.click();
    await until(() => page.evaluate<boolean>("!document.querySelector('#passkey button').disabled"), true);
    await page.getByRole("textbox", { name: "E-mail address" }).fill("mara@example.com");
    await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.waitForURL("**/library**");

    expect(errors).toEqual([]);
    await close();
  });
});
