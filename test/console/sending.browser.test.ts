import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { startMailSender } from "../../src/modules/mail/outbox/sending/sender.ts";
import { BROWSER_PATH, inspect } from "../pages/browser.ts";
import { type MailReceiver, receiveMails } from "../support/mail-receiver.ts";
import { createConsole } from "./console.ts";

let receiver: MailReceiver;
let desk: Awaited<ReturnType<typeof createConsole>>;
beforeAll(async () => {
  if (!BROWSER_PATH) return;
  receiver = await receiveMails();
  desk = await createConsole({ mail: relayAt(receiver.port) });
});
afterAll(async () => {
  await desk?.close();
  await receiver?.close();
});

const relayAt = (port: number) => ({
  ...{ host: "127.0.0.1", port, isTls: false, needsTls: false, user: undefined, password: undefined },
  from: { name: null, address: "music@label.example" },
  perDay: 200,
});

const call = (method: string, path: string, body?: object) =>
  desk.signedIn(desk.account.token)(method, path, body);

/** Hands over what waits. The clock of the tests stands still; that of the browser does not. */
async function handOver(): Promise<void> {
  const sender = startMailSender(desk.deps, relayAt(receiver.port), { random: () => 0.5 });
  await sender.idle();
  await sender.stop();
}

describe.skipIf(!BROWSER_PATH)("a mail from the console", () => {
  test("asks somebody for music, and the brief says what became of it", async () => {
    const { body } = await call("POST", "/app/briefs", { name: "Warm piano", status: "open" });
    const { page, errors, close } = await desk.open(`/library/briefs/${body.data.id}`);
    const ask = async (email: string) => {
      await page.getByRole("button", { name: "Ask someone" }).click();
      const dialog = page.getByRole("dialog", { name: "Ask someone" });
      await dialog.getByRole("textbox", { name: "E-mail" }).fill(email);
      await dialog.getByRole("textbox", { name: "Message" }).fill("Two minutes, no drums");
      return dialog;
    };

    const dialog = await ask("ida@example.com");
    await dialog.getByRole("textbox", { name: "E-mail" }).press("Enter");
    expect(await inspect(page, "console-ask-mail")).toEqual([]);
    await dialog.getByRole("button", { name: "Send to 1 person" }).click();
    await dialog.waitFor({ state: "detached" });
    const second = await ask("nobody@example.com");
    await second.getByRole("button", { name: "Send to 1 person" }).click();
    await second.waitFor({ state: "detached" });
    const row = (name: string) => page.getByRole("row", { name });
    await row("ida@example.com").getByText("Waiting").waitFor();
    await handOver();

    await row("ida@example.com").getByText("Handed over").waitFor();
    await row("nobody@example.com").getByText("Refused: 550 5.1.1 No such mailbox").waitFor();
    expect(receiver.received.map(({ to }) => to)).toEqual(["ida@example.com"]);
    expect(receiver.received[0]?.source).toContain("Two minutes, no drums");
    await page.getByRole("table", { name: "Asked" }).evaluate((table) => table.scrollIntoView());
    expect(await inspect(page, "console-asked-mail")).toEqual([]);
    await phone(page, "console-asked-mail-phone");
    expect(errors).toEqual([]);
    await close();
  });
});

/** The same in the width of a telephone. */
async function phone(page: Page, name: string): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await inspect(page, name)).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 860 });
}
