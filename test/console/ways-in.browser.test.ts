import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { MINUTE_MS } from "../../src/kernel/time.ts";
import { BROWSER_PATH, inspect } from "../pages/browser.ts";
import { CLIENT, type RunningProvider, SECRET, startProvider } from "../signin/provider.ts";
import { createConsole, PASSWORD } from "./console.ts";

const NAME = "Example ID";

let house: RunningProvider;
let desk: Awaited<ReturnType<typeof createConsole>>;
beforeAll(async () => {
  if (!BROWSER_PATH) return;
  house = await startProvider("http://127.0.0.1/");
  const provider = { clientId: CLIENT, clientSecret: SECRET, name: NAME, joins: "invited" as const };
  desk = await createConsole((port) => ({
    publicUrl: `http://127.0.0.1:${port}`,
    networkAllow: ["127.0.0.1"],
    provider: { ...provider, issuer: house.issuer, sessionMs: 86_400_000 },
  }));
  house.state.callback = `${desk.origin}/auth/provider/callback`;
  house.state.account = { sub: "mara", email: "mara@house.example", email_verified: true };
  // The provider has the machine's clock, which is months later.
  desk.clock.advance(Date.now() - desk.clock.now());
  keepSession();
});
afterAll(async () => {
  await desk?.close();
  await house?.close();
});

/** Lets the session go on as if it had begun now. */
function keepSession(): void {
  const at = desk.clock.now();
  desk.deps.db.$client.run(
    "UPDATE sessions SET created_at = ?1, last_used_at = ?1, absolute_expires_at = ?1 + 90000000",
    [at],
  );
}

describe.skipIf(!BROWSER_PATH)("ways in", () => {
  test.each(["desktop", "phone"] as const)(
    "are the provider, connected, used, proved by and disconnected on a %s",
    async (window) => {
      const { page, errors, close } = await desk.open("/library/settings/security", window);
      desk.deps.db.$client.run("UPDATE sessions SET proved_at = ?", [desk.clock.now()]);

      await page.getByRole("button", { name: `Connect ${NAME}` }).click();
      await page.getByText("Connected as mara@house.example.").waitFor();
      expect(await inspect(page, `console-settings-provider-${window}`)).toEqual([]);

      await page.context().clearCookies();
      await page.goto("/signin?next=/library/settings/security");
      expect(await inspect(page, `signin-provider-${window}`)).toEqual([]);
      await page.getByRole("link", { name: `Sign in with ${NAME}` }).click();
      const sessions = page.getByRole("table", { name: "Sessions" });
      await sessions.getByRole("row", { name: /This one.*Provider/ }).waitFor();

      desk.deps.db.$client.run("UPDATE sessions SET proved_at = 0");
      const disconnect = page.getByRole("button", { name: `Disconnect ${NAME}` });
      await disconnect.click();
      const proof = page.getByRole("dialog", { name: "Is it you?" });
      await proof.getByRole("link", { name: `Use ${NAME}` }).waitFor();
      expect(await inspect(page, `console-proof-provider-${window}`)).toEqual([]);
      await proof.getByRole("link", { name: `Use ${NAME}` }).click();
      await disconnect.click();
      await page.getByRole("button", { name: `Connect ${NAME}` }).waitFor();

      expect(errors).toEqual([]);
      await close();
    },
  );

  test.each(["desktop", "phone"] as const)(
    "are recovery codes, made, used to sign in and to prove on a %s",
    async (window) => {
      const { page, errors, close } = await desk.open("/library/settings/security", window);
      desk.deps.db.$client.run("UPDATE sessions SET proved_at = 0");

      await page.getByRole("button", { name: /^Make (recovery|new) codes$/ }).click();
      const proof = page.getByRole("dialog", { name: "Is it you?" });
      await proof.getByRole("textbox", { name: "Your password" }).fill(PASSWORD);
      await proof.getByRole("button", { name: "Continue" }).click();
      const dialog = page.getByRole("dialog", { name: "Your recovery codes" });
      await dialog.getByRole("listitem").nth(9).waitFor();
      const codes = await dialog.getByRole("listitem").allTextContents();
      expect(codes.length).toBe(10);
      expect(await inspect(page, `console-recovery-codes-${window}`)).toEqual([]);
      await dialog.getByRole("button", { name: "Done" }).click();
      await page.getByText(/^10 codes left, made on/).waitFor();

      await page.context().clearCookies();
      await page.goto("/signin?next=/library/settings/security");
      await page.getByRole("link", { name: "Use a recovery code" }).click();
      expect(await inspect(page, `signin-recovery-${window}`)).toEqual([]);
      await page.getByRole("textbox", { name: "E-mail address" }).fill("mara@example.com");
      await page.getByRole("textbox", { name: "Recovery code" }).fill(codes[0] ?? "");
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByText(/^9 codes left, made on/).waitFor();

      desk.clock.advance(11 * MINUTE_MS);
      await page.getByRole("button", { name: "Delete codes" }).click();
      await proof.getByRole("button", { name: "Use a recovery code" }).click();
      await proof.getByRole("textbox", { name: "Recovery code" }).fill("nonsense");
      await proof.getByRole("button", { name: "Continue" }).click();
      await proof.locator(".field-error").waitFor();
      await proof.getByRole("textbox", { name: "Recovery code" }).fill(codes[1] ?? "");
      await proof.getByRole("button", { name: "Continue" }).click();
      await page.getByRole("status").getByText("Recovery codes deleted").waitFor();
      desk.clock.advance(-11 * MINUTE_MS);

      expect(errors.filter((error) => !/status of 40[03]/.test(error))).toEqual([]);
      await close();
    },
  );

  test("are found in the palette, the provider by its name", async () => {
    const { page, close } = await desk.open();
    await page.keyboard.press("Control+k");
    const field = page.getByRole("combobox", { name: "Type a command or search" });
    for (const [typed, name] of [
      ["single sign-on", NAME],
      ["lost phone", "Recovery codes"],
    ] as const) {
      await field.fill(typed);
      await page.getByRole("option", { name, exact: true }).first().waitFor();
    }
    await close();
  });

  test("are offered where the session has ended, and lead back", async () => {
    const { page, close } = await desk.open("/library/settings/security");
    await page.getByRole("table", { name: "Sessions" }).waitFor();
    // The stream of changes ends with the session, and the tab asks why.
    desk.deps.db.$client.run("DELETE FROM sessions");

    const dialog = page.getByRole("dialog", { name: "Sign in again" });
    const link = dialog.getByRole("link", { name: `Sign in with ${NAME}` });

    expect(await link.getAttribute("href")).toBe("/auth/provider?next=%2Flibrary%2Fsettings%2Fsecurity");
    await close();
  });
});
