/**
 * An afternoon of review on one song: three people make seven notes on the first mix, two of them through links and one in the
 * console; the second mix is trimmed, lacks a passage and answers five. The owner steps through by keyboard, replies and asks for
 * approval; the recipients answer on phones, one of them without a script; and the notes go to the workstation.
 *
 * usage: bun scripts/review-afternoon.ts [--pictures FOLDER]
 *   --pictures  also takes pictures of every step, in the light and in the dark
 *
 * Exit 1 when somebody waited more than a second for what another did, something did not show, or a browser wrote an error to its
 * console. ffmpeg makes the second mix.
 */
import "./support/help.ts";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { mixPiece } from "../src/demo/mix.ts";
import { DEMO_PIECES } from "../src/demo/pieces.ts";
import { encodeWav } from "../src/demo/wav.ts";
import { closeLibrary } from "../src/library.ts";
import { beginSession, createAccount } from "../src/modules/people/accounts/service.ts";
import { createKey } from "../src/modules/people/keys/service.ts";
import { addMember } from "../test/support/team.ts";
import { createStage, PHONE } from "./afternoon/stage.ts";
import { type Client, call } from "./backup/items.ts";
import { openLibraryIn, untilIdle } from "./bench/library.ts";
import { DUBPLATE, freePort, spawnDubplate, temporaryFolder } from "./bench/processes.ts";

const RATE_HZ = 44_100;
const SONG_SEC = 29;
/** What the second mix lacks: its beginning, and a passage. */
const [TRIMMED_SEC, CUT_FROM_SEC, CUT_TO_SEC] = [1.5, 14, 19.3];

const dataDir = temporaryFolder("review-afternoon");
const firstMix = join(dataDir, "first.wav");
const port = freePort();
const people = await prepare();
const server = spawnDubplate({ dataDir, port, log: join(dataDir, "log") });
await server.healthy();
const client: Client = { address: server.address, key: people.key, token: people.ana };
const trackId = await upload();
const SHEET = `/library/tracks/${trackId}`;
const { faults, person, seen, picture, play } = createStage(() => server.address);

await play(afternoon, () => server.stop());

async function afternoon(): Promise<void> {
  const bo = await link("Bo", { allowReview: true });
  const cy = await link("Cy", { allowReview: true });
  const ana = await person("Ana", people.ana);
  await ana.goto(SHEET);
  await ana.getByRole("list", { name: "Versions" }).getByRole("listitem").first().waitFor();
  const boHere = await person("Bo");
  await makeNotes(ana, boHere, { bo, cy });
  await sendSecondMix(ana);
  await stepThrough(ana);
  await askForApproval(ana);
  await approveOnPhone(ana, bo);
  await approveWithoutScript(ana, cy);
  await pullIntoWorkstation();
}

/** Seven notes on the first mix: four by Bo, two by Cy, one by Ben. */
async function makeNotes(ana: Page, bo: Page, links: { bo: string; cy: string }): Promise<void> {
  await bo.goto(links.bo);
  const said = [
    ["0:04", "Kick too loud", "Bo"],
    ["0:09", "Vocal sits behind the bass", "Bo"],
    ["0:16", "Is this bar meant to be empty?", "Bo"],
    ["0:25", "Hi-hat hisses", "Bo"],
    ["0:06", "Reverb tail is cut off", "Cy"],
    ["0:27", "Softer ending", "Cy"],
  ] as const;
  for (const [at, text, name] of said) {
    if (name === "Cy" && !bo.url().endsWith(links.cy)) await bo.goto(links.cy);
    await noteOnPage(bo, at, text);
    await seen("Ana", `${name}'s note at ${at}`, noteIn(ana, text));
  }
  await picture(bo, "page-with-notes");
  const ben = await person("Ben", people.ben);
  await ben.goto(SHEET);
  await ben.getByRole("slider", { name: /^Position in / }).fill("22");
  await ben.getByRole("button", { name: "Comment at 0:22" }).waitFor();
  await ben.keyboard.press("c");
  await ben.getByRole("textbox", { name: "Comment", exact: true }).fill("Delay on the snare?");
  await ben.keyboard.press("Control+Enter");
  await seen("Ana", "Ben's note at 0:22", noteIn(ana, "Delay on the snare?"));
  await picture(ana, "sheet-with-notes");
}

async function noteOnPage(page: Page, at: string, text: string): Promise<void> {
  const form = page.locator("#comment-form");
  if (!(await form.isVisible())) await page.locator("#comment-open").click();
  await page.getByRole("textbox", { name: "Time, such as 1:23" }).fill(at);
  await page.getByRole("textbox", { name: "Comment", exact: true }).fill(text);
  await page.getByRole("button", { name: "Send comment" }).click();
  await page.locator("#comment-list").getByText(text).waitFor();
}

function noteIn(page: Page, text: string): Locator {
  return page.getByRole("list", { name: "Comments" }).getByRole("listitem").filter({ hasText: text });
}

/** The second mix arrives, and its notes are carried. */
async function sendSecondMix(ana: Page): Promise<void> {
  const form = new FormData();
  form.set("file", new File([secondMix()], "Night Drive v2.wav"));
  form.set("label", "v2");
  form.set("activate", "true");
  await call(client, "POST", `/api/v1/tracks/${trackId}/versions`, form);
  await untilIdle(dataDir);
  await ana.getByRole("status").filter({ hasText: "v2: 0 of 7 notes answered" }).waitFor();
  await ana.getByText("Not in v2: this part was cut").first().waitFor();
  await picture(ana, "sheet-v2");
  const listed = (await call(client, "GET", `/api/v1/tracks/${trackId}/comments`)) as Noted[];
  const { activeVersionId } = (await call(client, "GET", `/api/v1/tracks/${trackId}/versions`)) as {
    activeVersionId: string;
  };
  const placed = (await call(
    client,
    "GET",
    `/api/v1/tracks/${trackId}/comments?versionId=${activeVersionId}`,
  )) as Noted[];
  for (const { text, positionSec } of listed) {
    const place = placed.find((note) => note.text === text)?.place;
    const wanted = inSecondMix(positionSec);
    const found = place?.positionSec ?? undefined;
    const isRight = wanted === undefined ? place?.how === "gone" : Math.abs((found ?? 1e9) - wanted) <= 0.02;
    if (!isRight) faults.push(`“${text}” at ${positionSec} s is ${JSON.stringify(place)} in v2`);
    console.log(`${positionSec.toFixed(3)} s -> ${found?.toFixed(3) ?? "gone"} (${place?.how})  ${text}`);
  }
}

type Noted = { text: string; positionSec: number; place?: { positionSec: number | null; how: string } };

function inSecondMix(sec: number): number | undefined {
  if (sec < CUT_FROM_SEC) return sec - TRIMMED_SEC;
  return sec < CUT_TO_SEC ? undefined : sec - TRIMMED_SEC - (CUT_TO_SEC - CUT_FROM_SEC);
}

/** The owner steps through by keyboard: answers five, and replies to the others. */
async function stepThrough(ana: Page): Promise<void> {
  await ana.goto(`${SHEET}?tab=review`);
  await ana.getByRole("heading", { level: 2, name: "Round v2" }).waitFor();
  await picture(ana, "round");
  await ana.keyboard.press("r");
  const open = ["Is this bar meant to be empty?", "Softer ending"];
  const region = ana.getByRole("region", { name: /^Note \d of 7$/ });
  const text = region.locator(".step-text");
  await text.waitFor();
  await picture(ana, "step");
  await ana.keyboard.press("x");
  await ana.keyboard.press("x");
  for (let note = 1; note <= 7; note++) {
    const said = (await text.textContent()) ?? "";
    const name = await region.getAttribute("aria-label");
    if (open.includes(said)) {
      await picture(ana, said === open[0] ? "step-cut" : "step-open");
      await ana.keyboard.press("w");
      await ana.getByRole("textbox", { name: "Reply" }).fill(`About “${said}”: see v2`);
      await ana.keyboard.press("Control+Enter");
      await region.getByText(`About “${said}”: see v2`).waitFor();
    } else {
      await ana.keyboard.press("1");
      await region.getByRole("button", { name: "Reopen" }).waitFor();
    }
    await ana.keyboard.press("j");
    console.log(`${name}, “${said}”: ${open.includes(said) ? "replied to" : "answered"}`);
    if (note < 7) await text.filter({ hasNotText: said }).waitFor();
  }
  await picture(ana, "step-end");
  await ana.goto(`${SHEET}?tab=review`);
  await ana.getByRole("status").filter({ hasText: "v2: 5 of 7 notes answered" }).waitFor();
  await picture(ana, "round-after");
}

async function askForApproval(ana: Page): Promise<void> {
  await ana.goto(SHEET);
  await ana.keyboard.press("s");
  const dialog = ana.getByRole("dialog").first();
  await dialog.waitFor();
  await dialog.getByText("Ask for approval").first().waitFor();
  await picture(ana, "share-dialog");
  await ana.keyboard.press("Escape");
  await ana.goto(SHEET);
}

/** Bo hears the answers on a phone, finds one not right, and approves. */
async function approveOnPhone(ana: Page, path: string): Promise<void> {
  const bo = await person("Bo", undefined, PHONE);
  await bo.goto(path);
  await bo.getByText("Ana asks for your approval of v2.").waitFor();
  await bo.getByText("v2 answers 3 of your 4 notes.").waitFor();
  await picture(bo, "phone");
  const first = bo.locator("#answer-list > li").first();
  await first.scrollIntoViewIfNeeded();
  await picture(bo, "phone-answers");
  await first.getByRole("textbox", { name: "What is still missing?" }).fill("Still a little loud");
  await first.getByRole("button", { name: "Still not right" }).click();
  await seen("Ana", "that a note is open again", ana.getByText("Still a little loud").first());
  await bo.getByRole("button", { name: "Approve" }).click();
  await bo.getByText(/^You approved v2 on /).waitFor();
  await picture(bo, "phone-approved");
  await seen("Ana", "that Bo approved v2", ana.getByText("Approved by Bo").first());
  await picture(ana, "sheet-approved");
}

/** Cy asks for changes on a phone that runs no scripts. */
async function approveWithoutScript(ana: Page, path: string): Promise<void> {
  const cy = await person("Cy", undefined, { viewport: PHONE.viewport, javaScriptEnabled: false });
  await cy.goto(path);
  await cy.getByText("Ana asks for your approval of v2.").waitFor();
  await picture(cy, "phone-no-script");
  await cy.getByRole("textbox", { name: "What should change?" }).fill("A softer ending, please");
  await cy.keyboard.press("Tab");
  await cy.keyboard.press("Enter");
  await cy.getByText(/^You asked for changes to v2 on /).waitFor();
  await picture(cy, "phone-no-script-said");
  await ana.goto(`${SHEET}?tab=review`);
  await seen("Ana", "that Cy asks for changes", ana.getByText("A softer ending, please").first());
  await picture(ana, "round-verdicts");
}

/** `dubplate notes` brings the open notes, as the script for REAPER asks for them. */
async function pullIntoWorkstation(): Promise<void> {
  const child = Bun.spawn(
    [
      ...DUBPLATE,
      "notes",
      "--track",
      trackId,
      "--format",
      "tsv",
      "--url",
      server.address,
      "--key",
      people.key,
    ],
    { stdout: "pipe", stderr: "pipe", env: { PATH: Bun.env.PATH ?? "", DATA_DIR: dataDir } },
  );
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  console.log(stdout.trimEnd());
  if (code !== 0) faults.push(`dubplate notes ended with ${code}: ${stderr}`);
  if (!stdout.includes("Cy: Softer ending")) faults.push("dubplate notes lacks Cy's open note");
  if (stdout.includes("Is this bar meant")) faults.push("dubplate notes has the note whose passage was cut");
}

/** Makes the library, its owner with a key, and a member. */
async function prepare(): Promise<{ key: string; ana: string; ben: string }> {
  const deps = openLibraryIn(dataDir);
  const account = await createAccount(deps, {
    email: "ana@example.com",
    name: "Ana",
    password: "long enough 1",
  });
  const { key } = createKey(deps, account.id, { name: "afternoon" });
  const ana = beginSession(deps, account, { ip: "127.0.0.1", userAgent: null }).token;
  const ben = addMember({ deps }, account.id, { role: "producer" });
  deps.db.$client.run("UPDATE people SET name = 'Ben' WHERE id = ?", [ben.personId]);
  closeLibrary(deps);
  return { key, ana, ben: ben.token };
}

async function upload(): Promise<string> {
  const [piece] = DEMO_PIECES;
  if (!piece) throw new RangeError("There is no piece");
  const { left, right } = mixPiece(piece);
  const part = (samples: Float32Array) => samples.slice(0, SONG_SEC * RATE_HZ);
  const bytes = encodeWav({ left: part(left), right: part(right) }, []) as Uint8Array<ArrayBuffer>;
  writeFileSync(firstMix, bytes);
  const form = new FormData();
  form.append("files", new File([bytes], "Night Drive.wav"));
  const { uploaded } = (await call(client, "POST", "/api/v1/tracks/upload", form)) as {
    uploaded: { id: string }[];
  };
  const id = uploaded[0]?.id ?? "";
  await call(client, "PATCH", `/api/v1/tracks/details?id=${id}`, { title: "Night Drive" });
  await untilIdle(dataDir);
  return id;
}

/** The first mix without its beginning and without a passage, a little louder. */
function secondMix(): Uint8Array<ArrayBuffer> {
  const path = join(dataDir, "second.wav");
  const parts = [
    `[0]atrim=${TRIMMED_SEC}:${CUT_FROM_SEC},asetpts=PTS-STARTPTS[a]`,
    `[0]atrim=${CUT_TO_SEC},asetpts=PTS-STARTPTS[b]`,
    "[a][b]concat=n=2:v=0:a=1,volume=1.5dB",
  ];
  const command = ["ffmpeg", "-v", "error", "-y", "-i", firstMix, "-filter_complex", parts.join(";"), path];
  const { exitCode, stderr } = Bun.spawnSync(command);
  if (exitCode !== 0) throw new Error(`ffmpeg: ${stderr}`);
  return new Uint8Array(readFileSync(path));
}

/** Makes a link for somebody. Returns the path of its page. */
async function link(recipient: string, settings: object): Promise<string> {
  const { url } = (await call(client, "POST", "/app/shares", { trackId, recipient, ...settings })) as {
    url: string;
  };
  return new URL(url).pathname;
}
