import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { startMailSender } from "../../src/modules/mail/outbox/sending/sender.ts";
import { BROWSER_PATH, inspect } from "../pages/browser.ts";
import { createVisitor } from "../pages/visitor.ts";
import type { Json } from "../support/app.ts";
import { type MailReceiver, receiveMails } from "../support/mail-receiver.ts";
import { addMember } from "../support/team.ts";
import { createConsole, PASSWORD, until } from "./console.ts";
import { addSongs } from "./songs.ts";

const FROM = { name: "Night Label", address: "music@label.example" };

let receiver: MailReceiver;
let desk: Awaited<ReturnType<typeof createConsole>>;
beforeAll(async () => {
  if (!BROWSER_PATH) return;
  receiver = await receiveMails();
  const relay = { host: "127.0.0.1", port: receiver.port, isTls: false, needsTls: false };
  const mail = { ...relay, user: undefined, password: undefined, from: FROM, perDay: 200 };
  desk = await createConsole({ mail, publicUrl: "https://music.example.com" });
});
afterAll(async () => {
  await desk?.close();
  await receiver?.close();
});

const MAIL = "/library/settings/mail";
const wishes = async (token: string) => (await desk.signedIn(token)("GET", "/app/mail-wishes")).body.data;
const often = (page: Page, name: string) => page.getByRole("radio", { name, exact: true });

describe.skipIf(!BROWSER_PATH)("mails in the settings", () => {
  test.each(["desktop", "phone"] as const)("a member chooses what to hear of on a %s", async (window) => {
    const { token } = addMember(desk, desk.account.accountId, { role: "producer" });
    const { page, errors, close } = await desk.open(MAIL, window, token);
    await page.getByRole("heading", { level: 1, name: "E-mail" }).waitFor();

    expect(await often(page, "Off").isChecked()).toBe(true);
    expect(await page.getByRole("checkbox", { name: /^Answers/ }).isDisabled()).toBe(true);
    await often(page, "Daily").check();
    await until(async () => (await wishes(token)).every, "daily");
    await page.getByRole("checkbox", { name: /^Notes/ }).uncheck();
    await until(async () => (await wishes(token)).kinds.includes("notes"), false);
    expect(await inspect(page, `console-settings-mail-${window}`)).toEqual([]);
    await page.reload();
    await page.getByText("At most one mail a day").waitFor();

    expect(await often(page, "Daily").isChecked()).toBe(true);
    expect(await page.getByRole("checkbox", { name: /^Notes/ }).isChecked()).toBe(false);
    // Who listened is for those who see it, and the server is for its operator.
    expect(await page.getByRole("checkbox", { name: /^Listens/ }).count()).toBe(0);
    expect(await page.getByRole("button", { name: "Send a test" }).count()).toBe(0);
    expect(errors).toEqual([]);
    await close();
  });

  test("the operator sees where mails go, and sends one to themselves", async () => {
    const { page, errors, close } = await desk.open("/library/settings/profile");
    await page
      .getByRole("navigation", { name: "Settings" })
      .getByRole("link", { name: "E-mail", exact: true })
      .click();
    await page.getByText("Night Label <music@label.example>").waitFor();
    await page.getByText(`127.0.0.1:${receiver.port}`).waitFor();

    await page.getByRole("button", { name: "Send a test" }).click();
    await page.getByRole("status").getByText("A mail to mara@example.com was handed over.").waitFor();

    expect(receiver.received.map(({ to }) => to)).toEqual(["mara@example.com"]);
    expect(await inspect(page, "console-settings-mail-operator")).toEqual([]);
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Type a command or search" }).fill("smtp");
    await page.getByRole("option", { name: "Mails of this server" }).waitFor();
    await page.getByRole("combobox", { name: "Type a command or search" }).fill("interested");
    await page.getByRole("option", { name: "Answers to links" }).click();
    await page.waitForURL("**/library/inbox?show=answers");
    await page.getByRole("heading", { level: 2, name: "No answers wait for you" }).waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  test("a new address waits until it is confirmed, and the old one can stay", async () => {
    const { token } = desk.createAccount("kim@example.com");
    const { page, errors, close } = await desk.open("/library/settings/profile", "desktop", token);

    await page.getByRole("textbox", { name: "E-mail" }).fill("kim@new.example");
    await page.getByRole("textbox", { name: "Current password" }).fill(PASSWORD);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("A link is on its way to kim@new.example").waitFor();

    await page.getByText("Until then you sign in with kim@example.com.").waitFor();
    expect(await page.getByRole("textbox", { name: "E-mail" }).inputValue()).toBe("kim@example.com");
    expect(await inspect(page, "console-settings-address")).toEqual([]);
    await page.getByRole("button", { name: "Keep kim@example.com" }).click();
    await page.getByText("Your address stays kim@example.com").waitFor();
    expect(await page.getByText("Until then you sign in").count()).toBe(0);
    expect(errors).toEqual([]);
    await close();
  });

  test("a session that has ended leads to a new password", async () => {
    const { token } = addMember(desk, desk.account.accountId, { role: "artist" });
    const { page, close } = await desk.open("/library/settings/profile", "desktop", token);
    await page.getByRole("heading", { level: 1, name: "Profile" }).waitFor();
    await desk.signedIn(token)("POST", "/auth/logout");

    const dialog = page.getByRole("dialog", { name: "Sign in again" });
    const link = dialog.getByRole("link", { name: "Forgotten your password?" });

    expect(await link.getAttribute("href")).toBe("/forgot");
    await close();
  });
});

describe.skipIf(!BROWSER_PATH)("the mail of somebody who was asked", () => {
  test("goes again after a refusal, and is cancelled while it waits", async () => {
    const call = owner();
    const brief = (await call("POST", "/app/briefs", { name: "Trailer", status: "open" })).body.data;
    await call("POST", `/app/briefs/${brief.id}/requests`, { email: "nobody@example.com", mail: true });
    const { mail } = desk.deps.settings;
    if (!mail) throw new Error("The server sends mails");
    const sender = startMailSender(desk.deps, mail);
    await sender.idle();
    await sender.stop();
    const { page, errors, close } = await desk.open(`/library/briefs/${brief.id}`);
    const asked = page.getByRole("table", { name: "Asked" });

    await asked.getByText("Refused: 550 5.1.1 No such mailbox").waitFor();
    await page.getByText("Of 1 person asked: 1 could not be reached.").waitFor();
    await asked.getByRole("button", { name: "Send again to nobody@example.com" }).click();
    await page.getByText("Of 1 person asked: 1 waits for the mail.").waitFor();
    await asked.getByRole("button", { name: "Cancel the mail to nobody@example.com" }).click();
    await asked.getByText("Cancelled").waitFor();
    await page.getByText("Of 1 person asked: 1 got no mail.").waitFor();

    expect(errors).toEqual([]);
    await close();
  });
});

/** Makes a link for somebody that asks for an answer, and answers by its page. */
async function pitch(trackId: string, who: Json, answer?: string, note = ""): Promise<Json> {
  const share = { trackId, askAnswer: true, ...who };
  const { data: link } = (await owner()("POST", "/app/shares", share)).body;
  expect(link).toMatchObject({ askAnswer: true });
  if (answer === undefined) return link;
  const visitor = createVisitor(desk, "203.0.113.9", desk.origin);
  const path = `/track/${link.link}`;
  const { text } = await visitor.open(path);
  const hidden = (name: string) =>
    new RegExp(`name="${name}" value="([^"]+)"`).exec(pitchForm(text))?.[1] ?? "";
  const fields = { e: hidden("e"), s: hidden("s"), track: hidden("track"), version: hidden("version") };
  expect((await visitor.post(`${path}/answer`, { ...fields, answer, note })).status).toBe(303);
  return link;
}

const pitchForm = (page: string) => /<form[^>]*class="pitch-form"[\s\S]*?<\/form>/.exec(page)?.[0] ?? "";
const owner = () => desk.signedIn(desk.account.token);
const answered = (page: Page, name: string) => page.getByRole("article", { name });

describe.skipIf(!BROWSER_PATH)("answers to links", () => {
  let trackId = "";
  beforeAll(async () => {
    const songs = ["Night Drive", "Night Drive (Instrumental)"].map((title) => ({ title, seconds: 2 }));
    [trackId = ""] = await addSongs(desk, songs);
    await pitch(trackId, { recipient: "Bo", recipientEmail: "bo@example.com" }, "interested", "Send stems?");
    await pitch(trackId, { recipient: "Cy" }, "instrumental");
    await pitch(trackId, { recipient: "Di" }, "pass");
    await pitch(trackId, { recipient: "Ed" });
  });

  test("arrive in the Inbox, and are answered and put away by keys alone", async () => {
    const { page, errors, close } = await desk.open("/library/inbox");
    await page.getByRole("radio", { name: "Answers" }).check();
    const bo = answered(page, "Bo · Interested · Night Drive");
    await bo.getByText("“Send stems?”").waitFor();

    expect(await page.getByRole("article").count()).toBe(3);
    expect(await bo.getByRole("link", { name: "Reply" }).getAttribute("href")).toStartWith(
      "mailto:bo%40example.com?subject=Night%20Drive",
    );
    const cy = answered(page, "Cy · Need instrumental · Night Drive");
    expect(await cy.getByRole("link", { name: "Reply" }).count()).toBe(0);
    expect(await inspect(page, "console-inbox-answers")).toEqual([]);

    await page.keyboard.press("j");
    await page.keyboard.press("1");
    await page.getByText("Done: Di · Pass · Night Drive").waitFor();
    await until(() => page.getByRole("article").count(), 2);
    await until(async () => (await owner()("GET", "/app/answers")).body.openCount, 2);
    await page.keyboard.press("1");
    await until(() => page.getByRole("article").count(), 1);
    await page.keyboard.press("z");
    await cy.waitFor();
    await page.getByRole("checkbox", { name: "Show those that are done" }).check();
    await until(() => page.getByRole("article").count(), 3);

    expect(errors).toEqual([]);
    await close();
  });

  test("lead to a link of the instrumental for whoever needs one", async () => {
    const { page, errors, close } = await desk.open("/library/inbox?show=answers", "phone");
    const cy = answered(page, "Cy · Need instrumental · Night Drive");

    expect(await inspect(page, "console-inbox-answers-phone")).toEqual([]);
    await cy.getByRole("button", { name: "Make an instrumental link" }).click();
    const dialog = page.getByRole("dialog", { name: "Share Night Drive (Instrumental)" });
    await dialog.getByRole("button", { name: "Remove Cy" }).waitFor();
    await dialog.getByRole("button", { name: "Create link" }).click();
    await dialog.getByRole("textbox", { name: "Link for Cy" }).waitFor();

    expect(errors).toEqual([]);
    await close();
  });

  test("are counted in the Insights, and told on the link and on the track", async () => {
    const { page, errors, close } = await desk.open("/library/insights");

    await page
      .getByText("Of 4 people: 1 interested, 1 needs an instrumental, 1 passed, 1 not opened.")
      .waitFor();
    expect(await inspect(page, "console-insights-answers")).toEqual([]);
    // Ed, and the instrumental for Cy: whoever answered has opened theirs.
    expect(await page.getByRole("list", { name: "Not opened yet" }).getByRole("listitem").count()).toBe(2);
    await page.goto(`/library/tracks/${trackId}?tab=activity`);
    await page.getByText("Bo answered: Interested, “Send stems?”").waitFor();
    await page.goto("/library/links");
    await page.getByRole("link", { name: "Bo", exact: true }).click();
    await page.getByRole("list", { name: "Answered" }).getByText("Interested").waitFor();
    await page.getByText(/^Bo answered /).waitFor();
    expect(await inspect(page, "console-link-answers")).toEqual([]);
    await page.getByRole("button", { name: /^Notifications/ }).click();
    await page.getByRole("link", { name: /is interested in Night Drive/ }).click();
    await page.waitForURL("**/library/inbox?show=answers");

    expect(errors).toEqual([]);
    await close();
  });
});
