/**
 * An afternoon of three people on one track: the owner on a desk invites a producer and a listener, who join in browsers of their
 * own; they change, comment, upload and are removed, and the others see it. Prints how long each waited for what another did.
 *
 * usage: bun scripts/team-afternoon.ts [--pictures FOLDER]
 *   --pictures  also takes pictures of what they saw
 *
 * Exit 1 when somebody waited more than a second, saw what is not for them, or a browser wrote an error to its console.
 */
import "./support/help.ts";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { mixPiece } from "../src/demo/mix.ts";
import { DEMO_PIECES } from "../src/demo/pieces.ts";
import { encodeWav } from "../src/demo/wav.ts";
import { closeLibrary } from "../src/library.ts";
import { beginSession, createAccount } from "../src/modules/people/accounts/service.ts";
import { createKey } from "../src/modules/people/keys/service.ts";
import { createStage } from "./afternoon/stage.ts";
import { type Client, call } from "./backup/items.ts";
import { openLibraryIn, untilIdle } from "./bench/library.ts";
import { freePort, spawnDubplate, temporaryFolder } from "./bench/processes.ts";

const PASSWORD = "correct horse battery";
const TITLE = "Night Drive (Final)";

const dataDir = temporaryFolder("team-afternoon");
const port = freePort();
const ana = await prepare();
const server = spawnDubplate({ dataDir, port, log: join(dataDir, "log") });
await server.healthy();
const client: Client = { address: server.address, ...ana };
const trackId = await upload();
const SHEET = `/library/tracks/${trackId}`;
const { faults, person, seen, picture, play } = createStage(() => server.address);

await play(afternoon, () => server.stop());

/** The three, each with a browser. */
type Three = { owner: Page; ben: Page; lena: Page };

async function afternoon(): Promise<void> {
  const three = await gather();
  for (const page of Object.values(three)) await openSheet(page);
  await changeTitle(three);
  await comment(three);
  await writeSameField(three);
  await lookFor(three.lena, ["Secret Songwriter", "37.25"]);
  await addVersion(three);
  await remove(three);
}

/** The owner invites two people, and both join. */
async function gather(): Promise<Three> {
  const owner = await person("Ana");
  const cookie = { name: "dubplate_session", value: ana.token, url: server.address, httpOnly: true };
  await owner.context().addCookies([cookie]);
  await owner.goto("/library/settings/team");
  const forBen = await invite(owner, "ben@example.com", "Producer");
  const forLena = await invite(owner, "lena@example.com", "Listener");
  await picture(owner, "invitations");
  const members = owner.getByRole("table", { name: "Members" });
  const ben = await person("Ben");
  await joinBy(ben, forBen, "Ben");
  await seen("Ana", "Ben among the members", members.getByRole("row", { name: /Ben/ }));
  const lena = await person("Lena");
  await joinBy(lena, forLena, "Lena");
  await seen("Ana", "Lena among the members", members.getByRole("row", { name: /Lena/ }));
  await picture(owner, "members");
  return { owner, ben, lena };
}

async function changeTitle({ owner, ben, lena }: Three): Promise<void> {
  await ben.getByRole("button", { name: "Edit title" }).click();
  await ben.getByRole("textbox", { name: "Title" }).fill(TITLE);
  await ben.keyboard.press("Enter");
  const title = (page: Page) => page.getByRole("heading", { level: 1, name: TITLE });
  await Promise.all([
    seen("Ana", "Ben's new title", title(owner)),
    seen("Lena", "Ben's new title", title(lena)),
  ]);
}

async function comment({ owner, ben, lena }: Three): Promise<void> {
  await lena.getByRole("button", { name: /^Comment at / }).click();
  await lena.getByRole("textbox", { name: "Comment" }).fill("The kick is too loud");
  await lena.getByRole("button", { name: "Send" }).click();
  const comments = (page: Page) =>
    page
      .getByRole("list", { name: "Comments" })
      .getByRole("listitem")
      .filter({ hasText: /Lena[\s\S]*The kick is too loud/ });
  await Promise.all([
    seen("Ana", "Lena's comment under her name", comments(owner)),
    seen("Ben", "Lena's comment under her name", comments(ben)),
  ]);
  await picture(owner, "comment");
}

/** Ana edits a field, and meanwhile Ben saves it. */
async function writeSameField({ owner, ben }: Three): Promise<void> {
  await Promise.all([owner, ben].map((page) => page.goto(`${SHEET}?tab=details`)));
  const album = owner.getByRole("textbox", { name: "Album" });
  await album.fill("Ana's idea");
  await ben.getByRole("textbox", { name: "Album" }).fill("Ben's idea");
  await ben.getByRole("textbox", { name: "Notes" }).focus();
  const notice = owner.getByText("Ben changed this to “Ben's idea” just now.");
  await seen("Ana", "what Ben wrote into the field that she edits", notice);
  if ((await album.inputValue()) !== "Ana's idea") faults.push("Ana's text was overwritten while she typed");
  await picture(owner, "same-field");
}

/** A listener without switches looks for splits, and for what a listener does not do. */
async function lookFor(page: Page, secrets: readonly string[]): Promise<void> {
  for (const tab of ["", "?tab=credits", "?tab=details", "?tab=activity"]) {
    await page.goto(`${SHEET}${tab}`);
    await page.getByRole("heading", { level: 1, name: TITLE }).waitFor();
    const text = await page.content();
    for (const secret of secrets)
      if (text.includes(secret)) faults.push(`Lena reads “${secret}” at ${tab || "the top"}`);
  }
  if ((await page.getByRole("button", { name: "Upload" }).count()) > 0)
    faults.push("Lena is offered to upload");
  await picture(page, "listener");
}

async function addVersion({ owner, ben }: Three): Promise<void> {
  await openSheet(owner);
  const benHere = { ...client, token: await tokenOf(ben) };
  await call(benHere, "POST", `/app/library/tracks/${trackId}/versions`, mix("Louder", 1.4));
  const versions = owner.getByRole("list", { name: "Versions" }).getByRole("listitem");
  await seen("Ana", "Ben's new version under his name", versions.filter({ hasText: /Louder[\s\S]*Ben/ }));
  await picture(owner, "version");
}

async function remove({ owner, ben }: Three): Promise<void> {
  await openSheet(ben);
  const cookie = `dubplate_session=${await tokenOf(ben)}`;
  await owner.goto("/library/settings/team");
  await owner.getByRole("button", { name: "More actions for Ben" }).click();
  await owner.getByRole("menuitem", { name: "Remove…" }).click();
  const dialog = owner.getByRole("alertdialog", { name: "Remove Ben?" });
  await dialog.getByText("Ben loses access at once.").waitFor();
  await picture(owner, "remove");
  await dialog.getByRole("button", { name: "Remove Ben" }).click();
  const log = owner.getByRole("list", { name: "What happened" });
  await Promise.all([
    seen("Ben", "that he is out", ben.getByText(/You are no longer in|You are in no library now/).first()),
    seen("Ana", "the removal in the log", log.getByText(/removed Ben/)),
  ]);
  await picture(ben, "removed");
  const { status } = await fetch(`${server.address}/app/tracks`, { headers: { cookie } });
  if (status !== 401) faults.push(`Ben is still answered ${status}`);
}

/** Makes the library, its owner and a key. */
async function prepare(): Promise<{ key: string; token: string }> {
  const deps = openLibraryIn(dataDir);
  const account = await createAccount(deps, { email: "ana@example.com", name: "Ana", password: PASSWORD });
  const { key } = createKey(deps, account.id, { name: "afternoon" });
  const { token } = beginSession(deps, account, { ip: "127.0.0.1", userAgent: null });
  closeLibrary(deps);
  return { key, token };
}

/** Uploads a song with splits. Returns its track. */
async function upload(): Promise<string> {
  const form = new FormData();
  form.append("files", mix("Night Drive", 1).get("file") as File);
  const { uploaded } = (await call(client, "POST", "/api/v1/tracks/upload", form)) as {
    uploaded: { id: string }[];
  };
  const id = uploaded[0]?.id ?? "";
  await call(client, "PATCH", `/api/v1/tracks/details?id=${id}`, { title: "Night Drive" });
  const shareholders = [];
  for (const [fullName, share] of [
    ["Secret Songwriter", 37.25],
    ["Another Writer", 62.75],
  ] as const) {
    const email = `writer${share}@example.com`;
    const composer = (await call(client, "POST", "/api/v1/composers", { fullName, email })) as { id: string };
    shareholders.push({ shareholderId: composer.id, share, role: "Composer" });
  }
  await call(client, "PUT", `/api/v1/tracks/shareholders?id=${id}`, { shareholders });
  await untilIdle(dataDir);
  return id;
}

/** Returns a form with a mix of a piece. */
function mix(label: string, gain: number): FormData {
  const [piece] = DEMO_PIECES;
  if (!piece) throw new RangeError("There is no piece");
  const { left, right } = mixPiece(piece);
  const louder = (samples: Float32Array) => samples.map((sample) => Math.tanh(gain * sample));
  const bytes = encodeWav({ left: louder(left), right: louder(right) }, []) as Uint8Array<ArrayBuffer>;
  const form = new FormData();
  form.set("label", label);
  form.set("file", new File([bytes], `${label}.wav`));
  return form;
}

async function invite(page: Page, email: string, role: string): Promise<string> {
  await page.getByRole("button", { name: "Invite someone" }).click();
  const dialog = page.getByRole("dialog", { name: "Invite someone" });
  await dialog.getByRole("textbox", { name: "E-mail" }).fill(email);
  await dialog.getByRole("radio", { name: role }).check();
  await dialog.getByRole("button", { name: "Create link" }).click();
  const made = page.getByRole("dialog", { name: `Link for ${email}` });
  const link = await made.getByRole("textbox", { name: "Link" }).inputValue();
  await made.getByRole("button", { name: "Done" }).click();
  return link;
}

async function joinBy(page: Page, link: string, name: string): Promise<void> {
  await page.goto(new URL(link).pathname + new URL(link).search);
  await page.getByRole("textbox", { name: "Your name" }).fill(name);
  await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
  await picture(page, `join-${name.toLowerCase()}`);
  await page.getByRole("button", { name: "Join" }).click();
  await page.getByRole("heading", { level: 1, name: "Library" }).waitFor();
}

async function openSheet(page: Page): Promise<void> {
  await page.goto(SHEET);
  await page.getByRole("list", { name: "Versions" }).getByRole("listitem").first().waitFor();
}

async function tokenOf(page: Page): Promise<string> {
  const cookies = await page.context().cookies();
  return cookies.find(({ name }) => name === "dubplate_session")?.value ?? "";
}
