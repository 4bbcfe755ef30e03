import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { startMailSender } from "../../src/modules/mail/outbox/sending/sender.ts";
import { BROWSER_PATH, inspect } from "../pages/browser.ts";
import type { Json } from "../support/app.ts";
import { type MailReceiver, receiveMails } from "../support/mail-receiver.ts";
import { createConsole } from "./console.ts";
import { addSongs } from "./songs.ts";

let receiver: MailReceiver;
let desk: Awaited<ReturnType<typeof createConsole>>;
let trackId: string;
beforeAll(async () => {
  if (!BROWSER_PATH) return;
  receiver = await receiveMails();
  desk = await createConsole({ mail: relayAt(receiver.port) });
  await call("PATCH", "/app/account/brand", { accent: "#2f9f68" });
  [trackId = ""] = await addSongs(desk, [{ title: "Night Ferry", seconds: 2 }]);
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

  test.each([
    ["the team", "/library/settings/team", "kim@example.com"],
    ["a room", "/library/playlists/", "lee@example.com"],
  ])("invites somebody into %s", async (_, path, email) => {
    const isRoom = path.endsWith("/");
    const playlist = isRoom
      ? (await call("POST", "/app/playlists", { name: "Rough mixes" })).body.data.id
      : "";
    const { page, errors, close } = await desk.open(path + playlist);
    if (isRoom) {
      await page.getByRole("button", { name: "More actions" }).first().click();
      await page.getByRole("menuitem", { name: "People in this room…" }).click();
    }
    await page.getByRole("button", { name: "Invite someone" }).last().click();
    const dialog = page.getByRole("dialog", { name: "Invite someone" });
    await dialog.getByRole("textbox", { name: "E-mail" }).fill(email);
    expect(await inspect(page, `console-invite-mail-${isRoom ? "room" : "team"}`)).toEqual([]);
    await dialog.getByRole("button", { name: "Send to 1 person" }).click();
    await dialog.waitFor({ state: "detached" });
    await handOver();

    const row = page.getByRole("table", { name: "Invitations" }).getByRole("row", { name: email });
    await row.getByText("Handed over").waitFor();
    expect(receiver.received.at(-1)?.to).toBe(email);
    expect(errors).toEqual([]);
    await close();
  });
});

describe.skipIf(!BROWSER_PATH)("links that are mailed", () => {
  test("go out to everybody who has an address, and the others are shown", async () => {
    const { page, errors, close } = await desk.open();
    const dialog = await openShare(page);
    const whom = dialog.getByRole("combobox", { name: "For whom" });
    await whom.fill("Ada Lind <ada@example.com>");
    await whom.press("Enter");
    await whom.fill("Benno");
    await whom.press("Enter");
    await whom.fill("Cleo");
    const emailOf = (name: string) =>
      dialog.getByRole("group", { name }).getByRole("textbox", { name: "E-mail" });
    await emailOf("Cleo").fill("cleo@");
    expect(await emailOf("Ada Lind").inputValue()).toBe("ada@example.com");
    await dialog.getByRole("textbox", { name: "Message" }).fill("The chorus is new.");
    await dialog.getByRole("textbox", { name: "Opens" }).fill("3.3.2999 18:00");
    await dialog.getByRole("button", { name: "Send to 2 people" }).click();
    await dialog.getByText("Enter one e-mail address such as name@example.com, or leave it empty.").waitFor();
    expect(await inspect(page, "console-share-mail")).toEqual([]);
    await phone(page, "console-share-mail-phone");
    await emailOf("Cleo").fill("cleo@example.com");
    await emailOf("Cleo").press("Enter");
    await dialog.getByRole("textbox", { name: "Opens" }).fill("");
    await dialog.getByRole("button", { name: "Preview" }).click();
    const preview = page.getByRole("dialog", { name: "Preview of the mail" });
    await preview.getByText("The chorus is new.").waitFor();
    await preview.getByText("Ada Lind <ada@example.com>, Cleo <cleo@example.com>").waitFor();
    await preview.getByText("Someone sent you “Night Ferry”", { exact: true }).waitFor();
    expect(await inspect(page, "console-mail-preview")).toEqual([]);
    await preview.getByRole("tab", { name: "Dark" }).click();
    expect(await groundOf(page)).toBe("rgb(19, 19, 22)");
    expect(await inspect(page, "console-mail-preview-as-dark")).toEqual([]);
    await phone(page, "console-mail-preview-phone");
    await preview.getByRole("tab", { name: "Light" }).click();
    expect(await groundOf(page)).toBe("rgb(250, 249, 247)");
    await preview.getByRole("tab", { name: "Text" }).click();
    await preview.getByText("> The chorus is new.").waitFor();
    expect(await inspect(page, "console-mail-preview-text")).toEqual([]);
    await preview.getByRole("button", { name: "Close" }).click();
    await dialog.getByRole("button", { name: "Send to 2 people" }).click();

    await dialog.getByRole("textbox", { name: "Link for Benno" }).waitFor();
    await dialog.getByRole("button", { name: "Cancel the mail to Ada Lind" }).waitFor();
    await handOver();
    await dialog.getByText("Handed over").nth(1).waitFor();
    expect(await inspect(page, "console-share-mailed")).toEqual([]);
    const mails = receiver.received.filter(({ source }) => source.includes("The chorus is new."));
    expect(mails.map(({ to }) => to).toSorted()).toEqual(["ada@example.com", "cleo@example.com"]);
    const made = (await call("GET", "/app/links?limit=3")).body.data;
    expect(made.map(({ recipient }: { recipient: string }) => recipient).toSorted()).toEqual([
      "Ada Lind",
      "Benno",
      "Cleo",
    ]);
    expect(errors).toEqual([]);
    await close();
  });

  test("are made for the others when one person asked not to be written to", async () => {
    const { page, close } = await desk.open();
    const stop = /^List-Unsubscribe: <([^>]+)>/m.exec(
      receiver.received.find(({ to }) => to === "ada@example.com")?.source.replaceAll("\r\n ", "") ?? "",
    );
    await fetch(desk.origin + new URL(stop?.[1] ?? "").pathname, { method: "POST" });
    const dialog = await openShare(page);
    const whom = dialog.getByRole("combobox", { name: "For whom" });
    for (const name of ["Ada Lind", "Dora <dora@example.com>"]) {
      await whom.fill(name);
      await whom.press("Enter");
    }
    const ada = dialog.getByRole("group", { name: "Ada Lind" });
    // The address that she was sent a link to before.
    expect(await ada.getByRole("textbox", { name: "E-mail" }).inputValue()).toBe("ada@example.com");
    await dialog.getByRole("button", { name: "Send to 2 people" }).click();

    await ada.getByText("Asked not to be written to: ada@example.com.").waitFor();
    await dialog.getByText("Made already: the link for Dora.").waitFor();
    await ada.getByRole("textbox", { name: "E-mail" }).fill("");
    await dialog.getByRole("button", { name: "Create link" }).click();
    await dialog.getByRole("textbox", { name: "Link for Ada Lind" }).waitFor();
    await dialog.getByRole("textbox", { name: "Link for Dora" }).waitFor();
    const links = (await call("GET", "/app/links?limit=2")).body.data;
    expect(links.map(({ recipient }: { recipient: string }) => recipient)).toEqual(["Ada Lind", "Dora"]);
    await close();
  });

  test("say on the page of their link what became of them, and what can be done", async () => {
    const share = async (recipientEmail: string) =>
      (await call("POST", "/app/shares", { trackId, recipient: "Fay", recipientEmail, mail: {} })).body.data
        .id;
    const refused = await share("nobody2@example.com");
    await handOver();
    const { page, errors, close } = await desk.open(`/library/links/${refused}`);
    const mails = page.getByRole("region", { name: "Mails" });
    await mails.getByText("Refused: 550 5.1.1 No such mailbox").waitFor();
    await mails.getByRole("button", { name: "Send again to Fay" }).click();
    await mails.getByText("Waiting").waitFor();
    await handOver();
    await mails.getByText("Refused: 550 5.1.1 No such mailbox").waitFor();
    await mails.getByRole("button", { name: "Does not arrive at nobody2@example.com" }).click();
    await mails.getByRole("button", { name: "Arrives after all at nobody2@example.com" }).waitFor();
    await mails.scrollIntoViewIfNeeded();
    expect(await inspect(page, "console-link-mails")).toEqual([]);
    await phone(page, "console-link-mails-phone");
    const again = await call("POST", "/app/shares", {
      ...{ trackId, recipient: "Fay", recipientEmail: "nobody2@example.com" },
      mail: {},
    });
    expect(again.body.messageCode).toBe("mail_stopped");

    const plain = await call("POST", "/app/shares", { trackId, recipient: "Fay" });
    await page.goto(`/library/links/${plain.body.data.id}`);
    await mails.getByRole("button", { name: "Send by mail…" }).click();
    const dialog = page.getByRole("dialog", { name: "Send the link for Fay" });
    await dialog.getByRole("textbox", { name: "E-mail" }).fill("fay");
    await dialog.getByRole("button", { name: "Send to 1 person" }).click();
    await dialog.getByText("Enter an e-mail address such as name@example.com.").waitFor();
    expect(await inspect(page, "console-send-link")).toEqual([]);
    await dialog.getByRole("textbox", { name: "E-mail" }).fill("fay@example.com");
    await dialog.getByRole("textbox", { name: "E-mail" }).press("Enter");
    await dialog.getByRole("button", { name: "Send to 1 person" }).click();
    await mails.getByRole("button", { name: "Cancel the mail to Fay" }).click();
    await mails.getByText("Cancelled", { exact: true }).waitFor();
    await handOver();
    expect(receiver.received.filter(({ to }) => to === "fay@example.com")).toEqual([]);
    expect(errors).toEqual([]);
    await close();
  });

  test("go out once, also when the answer was lost and somebody presses again", async () => {
    const { page, context, close } = await desk.open();
    const dialog = await openShare(page);
    await dialog.getByRole("combobox", { name: "For whom" }).fill("Eva <eva@example.com>");
    await context.route("**/app/shares", async (route) => {
      await route.fetch();
      await route.abort();
    });
    await dialog.getByRole("button", { name: "Send to 1 person" }).click();
    await dialog.getByText("There is no connection to the server at the moment.").waitFor();
    await context.unroute("**/app/shares");

    const link = dialog.getByRole("textbox", { name: "Link for Eva" });
    while ((await link.count()) === 0) {
      await dialog.getByRole("button", { name: "Send to 1 person" }).click();
      await Promise.race([link.waitFor(), Bun.sleep(500)]);
    }

    await handOver();
    expect(receiver.received.filter(({ to }) => to === "eva@example.com")).toHaveLength(1);
    await close();
  });

  test("are reminded of once, to those who did not open theirs and are ticked", async () => {
    for (const name of ["Gus", "Hal"])
      await call("POST", "/app/shares", {
        ...{ trackId, recipient: name, recipientEmail: `${name.toLowerCase()}@example.com` },
        mail: {},
      });
    await handOver();
    desk.clock.advance(8 * 86_400_000);
    const { page, errors, close } = await desk.open("/library/links");
    await page.getByRole("heading", { name: /people have not opened their link$/ }).waitFor();
    const people = page.getByRole("list", { name: "Not opened" });
    expect(await inspect(page, "console-reminders")).toEqual([]);
    await phone(page, "console-reminders-phone");
    for (const box of await people.getByRole("checkbox").all()) await box.uncheck();
    await people.getByRole("checkbox", { name: "Gus" }).check();
    await page.getByRole("textbox", { name: "Message" }).fill("Did it reach you?");
    await page.getByRole("button", { name: "Preview" }).click();
    const preview = page.getByRole("dialog", { name: "Preview of the mail" });
    await preview.getByText("Gus <gus@example.com>").waitFor();
    await preview.getByRole("button", { name: "Close" }).click();
    await page.getByRole("button", { name: "Write again to 1 person" }).click();
    await people.getByRole("checkbox", { name: "Gus" }).waitFor({ state: "detached" });
    await handOver();

    const mails = receiver.received.filter(({ source }) => source.includes("Did it reach you?"));
    expect(mails.map(({ to }) => to)).toEqual(["gus@example.com"]);
    expect(await people.getByRole("checkbox", { name: "Hal" }).count()).toBe(1);
    expect(errors).toEqual([]);
    await close();
  });

  test("go out with a pack, each to the address of its line", async () => {
    const { body } = await call("POST", "/app/briefs", { name: "Slow and dark", status: "open" });
    const { id } = body.data;
    const made = await call("POST", `/app/briefs/${id}/submissions`, { trackId });
    await call("PATCH", `/app/submissions/${made.body.data.id}`, { state: "shortlisted" });
    const { page, errors, close } = await desk.open(`/library/briefs/${id}`);
    await page.getByRole("button", { name: "Send 1 song…" }).click();
    const dialog = page.getByRole("dialog", { name: "Send the shortlist" });
    await dialog.getByRole("textbox", { name: "For whom" }).fill("Ben Berg <ben@example.com>\nIda");
    const ida = dialog.getByRole("group", { name: "Ida" }).getByRole("textbox", { name: "E-mail" });
    await ida.fill("ida@example.com");
    await dialog.getByRole("textbox", { name: "Message" }).fill("As you asked.");
    await dialog.getByRole("switch", { name: "Ask for an answer" }).click();
    expect(await inspect(page, "console-pack-mail")).toEqual([]);
    await phone(page, "console-pack-mail-phone");
    await dialog.getByRole("button", { name: "Send to 2 people" }).click();
    await dialog.getByRole("textbox", { name: "Link for Ben Berg" }).waitFor();
    await handOver();

    const mails = receiver.received.filter(({ source }) => source.includes("As you asked."));
    expect(mails.map(({ to }) => to).toSorted()).toEqual(["ben@example.com", "ida@example.com"]);
    const links = (await call("GET", "/app/links?limit=2")).body.data;
    expect(
      links.map(({ recipientEmail, askAnswer }: Json) => [recipientEmail, askAnswer]).toSorted(),
    ).toEqual([
      ["ben@example.com", true],
      ["ida@example.com", true],
    ]);
    expect(errors).toEqual([]);
    await close();
  });
});

/** What colour the paper of a mail has that is looked at. */
const groundOf = (page: Page): Promise<string> =>
  page.evaluate(
    `getComputedStyle(document.querySelector(".mail-preview-letter").shadowRoot.querySelector(".paper")).backgroundColor`,
  );

/** Opens the share dialog of the song. */
async function openShare(page: Page) {
  await page.getByRole("button", { name: "Share Night Ferry" }).click();
  return page.getByRole("dialog", { name: "Share Night Ferry" });
}

/** The same in the width of a telephone. */
async function phone(page: Page, name: string): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await inspect(page, name)).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 860 });
}
