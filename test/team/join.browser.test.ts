import { describe, expect, test } from "bun:test";
import { BROWSER_PATH, createServedApp, inspect, openWindow, startBrowser } from "../pages/browser.ts";
import { invited, join } from "./inviting.ts";

const PASSWORD = "correct horse battery";
const fresh = () => `ben-${crypto.randomUUID().slice(0, 8)}@example.com`;

describe.skipIf(!BROWSER_PATH)("the page of an invitation", () => {
  test("says in every state what to do, on a desk and a phone, and takes people in without JavaScript", async () => {
    const served = await createServedApp();
    const { deps, origin } = served;
    const owner = served.createAccount("ana@example.com");
    const run = (sql: string, ...values: string[]) => deps.db.$client.query(sql).run(...values);
    run("UPDATE people SET name = 'Ana Lima' WHERE id = ?", owner.accountId);
    run("UPDATE accounts SET name = 'Night Label' WHERE id = ?", owner.accountId);
    const [eva, leo] = [served.createAccount("eva@example.com"), served.createAccount("leo@example.com")];
    const role = { role: "producer", until: "2026-06-01" };
    const forNew = await invited(served, owner.token, { email: fresh(), ...role });
    const forEva = await invited(served, owner.token, { email: eva.email, role: "artist" });
    const gone = await invited(served, owner.token, { email: fresh(), role: "listener" });
    const ofGone = (await join(served, { token: gone.token, name: "Mio", password: PASSWORD })).body.data;
    await served.signedIn(ofGone.token)("POST", "/app/team/leave");
    const back = await invited(served, owner.token, { email: gone.email, role: "manager" });
    const browser = await startBrowser();
    const faults: string[] = [];

    for (const name of ["desktop", "phone"] as const) {
      const { page, context, close, errors, foreign } = await openWindow(browser, origin, name);
      const as = async (token: string) => {
        await context.clearCookies();
        if (token !== "") await context.addCookies([{ name: "dubplate_session", value: token, url: origin }]);
      };
      const look = async (state: string, link: string, token: string, heading: string) => {
        await as(token);
        await page.goto(`/join?token=${link}`);
        await page.getByRole("heading", { level: 1, name: heading, exact: true }).waitFor();
        faults.push(...(await inspect(page, `join-${state}-${name}`)));
      };
      const invites = "Ana Lima invites you to Night Label";
      await look("new", forNew.token, "", invites);
      await look("known", forEva.token, "", invites);
      await look("invited", forEva.token, eva.token, invites);
      await look("other", forEva.token, leo.token, invites);
      await look("locked-out", back.token, "", invites);
      await look("late", gone.token, "", "This invitation no longer works");
      await look("never", "never", "", "This invitation no longer works");
      faults.push(...errors, ...foreign);
      await close();
    }

    const { page, close } = await openWindow(browser, origin, "phone", { javaScriptEnabled: false });
    await page.goto(`/join?token=${forEva.token}`);
    await page.getByRole("link", { name: "Sign in" }).click();
    await page.getByLabel("E-mail address").fill(eva.email);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText(`You are signed in as ${eva.email}.`).waitFor();
    await page.getByRole("button", { name: "Join" }).click();
    await page.waitForURL(/\/library/);
    await page.goto(`/join?token=${forEva.token}`);
    await page.getByRole("heading", { name: "You are in Night Label already" }).waitFor();
    await close();
    const later = await openWindow(browser, origin, "desktop", { javaScriptEnabled: false });
    await later.page.goto(`/join?token=${forNew.token}`);
    expect(await later.page.getByRole("textbox", { name: "E-mail address" }).getAttribute("readonly")).toBe(
      "",
    );
    await later.page.getByRole("textbox", { name: "Your name" }).fill("Ben");
    await later.page.getByLabel("Password").fill(PASSWORD);
    await later.page.getByRole("button", { name: "Join" }).click();
    await later.page.waitForURL(/\/library/);
    await later.close();
    await browser.close();
    await served.close();

    expect(faults).toEqual([]);
  });
});
