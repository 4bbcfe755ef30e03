/**
 * A pitch, walked from both ends: an owner sends one song to twelve people by mail, three are interested, one needs an instrumental,
 * two pass, one stops the mail, one only listens, and four are reminded a week later. The mails go to a receiver on this machine.
 *
 * usage: bun scripts/pitch-afternoon.ts [--pictures FOLDER]
 *   --pictures  also takes pictures of every step, in the light and in the dark
 *
 * Exit 1 when a mail is missing, came twice or says something else than its page, somebody waited more than a second for what
 * another did, something did not show, or a browser wrote an error to its console.
 */
import "./support/help.ts";
import { join } from "node:path";
import { type ParsedMail, simpleParser } from "mailparser";
import type { Page } from "playwright-core";
import { openDb } from "../db/client.ts";
import { mixPiece } from "../src/demo/mix.ts";
import { DEMO_PIECES } from "../src/demo/pieces.ts";
import { encodeWav } from "../src/demo/wav.ts";
import { closeLibrary } from "../src/library.ts";
import { beginSession, createAccount } from "../src/modules/people/accounts/service.ts";
import { createKey } from "../src/modules/people/keys/service.ts";
import { receiveMails } from "../test/support/mail-receiver.ts";
import { createStage, PHONE } from "./afternoon/stage.ts";
import { type Client, call } from "./backup/items.ts";
import { openLibraryIn, untilIdle } from "./bench/library.ts";
import { freePort, spawnDubplate, temporaryFolder } from "./bench/processes.ts";

const DAY_MS = 24 * 3_600_000;
const WEEK_MS = 8 * DAY_MS;
const PATIENCE_MS = 20_000;
const LOOK_EVERY_MS = 50;
const TITLE = "Night Drive";
const MESSAGE = "The new one, as promised.\nTell me what you think.";
const NAMES = ["Ada", "Bo", "Cy", "Dee", "Eli", "Fay", "Gus", "Hal", "Ida", "Jon", "Kim", "Lou"] as const;
type Name = (typeof NAMES)[number];
const addressOf = (name: string) => `${name.toLowerCase()}@example.com`;
/** A browser without a screen says so, and counts as a machine that opens links. */
const USER_AGENT =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
/** Those who do nothing for a week. */
const SILENT: readonly Name[] = ["Ida", "Jon", "Kim", "Lou"];

const dataDir = temporaryFolder("pitch-afternoon");
const port = freePort();
const receiver = await receiveMails();
const ana = await prepare();
const settings = {
  SMTP_URL: `smtp://127.0.0.1:${receiver.port}`,
  MAIL_FROM: "Night Label <music@label.example>",
  PUBLIC_URL: `http://127.0.0.1:${port}`,
  NETWORK_ALLOW: "127.0.0.1",
};
const server = spawnDubplate({ dataDir, port, log: join(dataDir, "log"), settings });
await server.healthy();
const client: Client = { address: server.address, ...ana };
const trackId = await upload();
const { faults, person, seen, picture, play } = createStage(() => server.address);

await play(afternoon, async () => {
  await server.stop();
  await receiver.close();
});

async function afternoon(): Promise<void> {
  const owner = await person("Ana", ana.token);
  await sendToTwelve(owner);
  const links = await readMails();
  await answer(owner, links);
  await hearBack(owner);
  await remind(owner, links);
}

/** The owner writes to twelve people at once, after a look at what they get. */
async function sendToTwelve(owner: Page): Promise<void> {
  await owner.goto(`/library/tracks/${trackId}`);
  await owner.getByRole("heading", { level: 1, name: TITLE }).waitFor();
  await owner.keyboard.press("s");
  const dialog = owner.getByRole("dialog").first();
  const whom = dialog.getByRole("combobox", { name: "For whom" });
  for (const name of NAMES) {
    await whom.fill(`${name} <${addressOf(name)}>`);
    await whom.press("Enter");
  }
  await dialog.getByRole("switch", { name: "Ask for an answer" }).check();
  await dialog.getByRole("textbox", { name: "Message" }).fill(MESSAGE);
  await picture(owner, "share-dialog");
  await dialog.getByRole("button", { name: "Preview" }).click();
  const preview = owner.getByRole("dialog", { name: "Preview of the mail" });
  for (const tab of ["Light", "Dark", "Text"]) {
    await preview.getByRole("tab", { name: tab }).click();
    await picture(owner, `preview-${tab.toLowerCase()}`);
  }
  await owner.keyboard.press("Escape");
  await dialog.getByRole("button", { name: "Send to 12 people" }).click();
  await seen("Ana", "that all mails were handed over", dialog.getByText(/Handed over/).nth(NAMES.length - 1));
  await picture(owner, "sent");
  await owner.keyboard.press("Escape");
}

/** Twelve mails came, each with a link of its own. Returns their pages, by name. */
async function readMails(): Promise<Record<Name, Invited>> {
  const mails = await mailsFrom(0, NAMES.length);
  const found: Partial<Record<Name, Invited>> = {};
  for (const name of NAMES) {
    const [mail, second] = mails.filter((each) => toOf(each) === addressOf(name));
    if (!mail || second) throw new Error(`${name} got ${mail ? "two mails" : "no mail"}`);
    found[name] = readInvitation(name, mail);
  }
  const whole = found as Record<Name, Invited>;
  const paths = new Set(Object.values(whole).map(({ path }) => path));
  if (paths.size !== NAMES.length) faults.push(`There are ${paths.size} links for ${NAMES.length} people`);
  return whole;
}

/** Reads a mail, whose HTML and text must say the same. */
function readInvitation(name: Name, mail: ParsedMail): Invited {
  const html = String(mail.html);
  const text = mail.text ?? "";
  const [link = "http://nowhere/"] = /http:\/\/\S+\/track\/\S+/.exec(text) ?? [];
  const [stop = "http://nowhere/"] = /http:\/\/\S+\/mail\/stop\/\S+/.exec(text) ?? [];
  for (const each of [link, stop])
    if (!html.includes(`"${each}"`)) faults.push(`${name}'s mail has ${each} in its text alone`);
  if (!text.includes("as promised")) faults.push(`${name}'s mail lacks what Ana wrote`);
  if (/src="http/.test(html)) faults.push(`${name}'s mail loads something from a server`);
  return { path: new URL(link).pathname, stopPath: new URL(stop).pathname };
}

/** The pages of somebody who got a mail. */
type Invited = { path: string; stopPath: string };

/** Six answer, on desks and phones, with a script and without; one listens; one wants no more mail. */
async function answer(owner: Page, links: Record<Name, Invited>): Promise<void> {
  const visitor = await person("A recipient", undefined, { userAgent: USER_AGENT });
  const phone = await person("A recipient on a phone", undefined, PHONE);
  const bare = await person("A recipient without scripts", undefined, {
    viewport: PHONE.viewport,
    javaScriptEnabled: false,
  });
  await owner.goto("/library/inbox");
  await owner.getByRole("radio", { name: "Answers" }).check();
  const said: readonly [Page, Name, string, string][] = [
    [visitor, "Ada", "Interested", ""],
    [phone, "Bo", "Interested", "Send stems?"],
    [bare, "Cy", "Interested", ""],
    [phone, "Dee", "Need instrumental", "For a car advert"],
    [visitor, "Eli", "Pass", ""],
    [bare, "Fay", "Pass", "Too slow for us"],
  ];
  for (const [page, name, word, note] of said) {
    await page.goto(links[name].path);
    const group = page.getByRole("group", { name: "Your answer" });
    await group.waitFor();
    if (note !== "") await group.getByRole("textbox", { name: "Note" }).fill(note);
    await picture(page, `page-${name.toLowerCase()}`);
    await group.getByRole("button", { name: word }).click();
    await page.getByText(`Ana has your answer: ${word}.`).first().waitFor();
    await picture(page, `page-${name.toLowerCase()}-answered`);
    await seen("Ana", `${name}'s answer`, owner.getByText(new RegExp(`${name}[\\s\\S]*${word}`)).first());
  }
  await visitor.goto(links.Gus.path);
  await visitor.getByRole("button", { name: "Play" }).first().click();
  await visitor.getByRole("group", { name: "Your answer" }).waitFor();
  const response = await fetch(`${server.address}${links.Hal.stopPath}`, {
    method: "POST",
    body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }),
  });
  if (response.status !== 200) faults.push(`Stopping the mail was answered ${response.status}`);
}

/** The owner reads the answers, and what came of the whole pitch. */
async function hearBack(owner: Page): Promise<void> {
  await picture(owner, "inbox-answers");
  const sentence = "Of 12 people: 3 interested, 1 needs an instrumental, 2 passed, 5 not opened.";
  const until = performance.now() + PATIENCE_MS;
  // Who only listened is noted a few seconds later, with others.
  do {
    await owner.goto("/library/insights");
    await owner.getByText(/^Of 12 people: /).waitFor();
  } while ((await owner.getByText(sentence).count()) === 0 && performance.now() < until);
  await seen("Ana", "what came of the pitch", owner.getByText(sentence));
  await picture(owner, "insights");
}

/** A week later the owner writes again to those who did not open their link, but to nobody who wants no mail. */
async function remind(owner: Page, links: Record<Name, Invited>): Promise<void> {
  const before = receiver.received.length;
  letAWeekPass();
  await owner.goto("/library/links");
  await owner.getByText("4 people have not opened their link").waitFor();
  await picture(owner, "links-reminder");
  await owner.getByRole("button", { name: "Write again to 4 people" }).click();
  const mails = await mailsFrom(before, SILENT.length);
  await Bun.sleep(1000);
  const reminded = mails.map(toOf).sort();
  const wanted = SILENT.map(addressOf).sort();
  if (String(reminded) !== String(wanted)) faults.push(`Reminded were ${reminded}`);
  if (receiver.received.length !== before + SILENT.length)
    faults.push(`${receiver.received.length - before} reminders went out`);
  for (const mail of mails) {
    const name = NAMES.find((each) => addressOf(each) === toOf(mail));
    if (name && !mail.text?.includes(links[name].path)) faults.push(`${name} is reminded of another link`);
  }
  await owner.goto("/library/links");
  await owner.getByRole("heading", { level: 1 }).waitFor();
  await picture(owner, "links-after");
  if ((await owner.getByText(/have not opened their link/).count()) > 0)
    faults.push("The people who were reminded may be reminded again");
}

/** Sets back when the links and mails were made: the program has no other clock than the machine's. */
function letAWeekPass(): void {
  const db = openDb(join(dataDir, "dubplate.db"));
  db.$client.run("UPDATE shares SET created_at = created_at - ?", [WEEK_MS]);
  db.$client.run("UPDATE mails SET created_at = created_at - ?1, ended_at = ended_at - ?1", [WEEK_MS]);
  db.$client.close();
}

/** Waits for mails after the first `from`. */
async function mailsFrom(from: number, count: number): Promise<ParsedMail[]> {
  const until = performance.now() + PATIENCE_MS;
  while (receiver.received.length < from + count && performance.now() < until) await Bun.sleep(LOOK_EVERY_MS);
  const came = receiver.received.slice(from);
  console.log(`${came.length} of ${count} mails came`);
  if (came.length !== count) faults.push(`${came.length} mails came instead of ${count}`);
  return Promise.all(came.map(({ source }) => simpleParser(source)));
}

function toOf({ to }: ParsedMail): string {
  return [to ?? []].flat()[0]?.value[0]?.address ?? "";
}

/** Makes the library, its owner and a key. */
async function prepare(): Promise<{ key: string; token: string }> {
  const deps = openLibraryIn(dataDir);
  const password = "correct horse battery";
  const account = await createAccount(deps, { email: "ana@example.com", name: "Ana", password });
  const { key } = createKey(deps, account.id, { name: "afternoon" });
  const { token } = beginSession(deps, account, { ip: "127.0.0.1", userAgent: null });
  closeLibrary(deps);
  return { key, token };
}

async function upload(): Promise<string> {
  const [piece] = DEMO_PIECES;
  if (!piece) throw new RangeError("There is no piece");
  const bytes = encodeWav(mixPiece(piece), []) as Uint8Array<ArrayBuffer>;
  const form = new FormData();
  form.append("files", new File([bytes], `${TITLE}.wav`));
  const { uploaded } = (await call(client, "POST", "/api/v1/tracks/upload", form)) as {
    uploaded: { id: string }[];
  };
  const id = uploaded[0]?.id ?? "";
  await call(client, "PATCH", `/api/v1/tracks/details?id=${id}`, { title: TITLE });
  await untilIdle(dataDir);
  return id;
}
