import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { moreSound, placesOf, recordOutput, soundOf } from "../../scripts/bench/console/recorder.ts";
import { BROWSER_PATH, inspect } from "../pages/browser.ts";
import { addMember } from "../support/team.ts";
import { createConsole, until } from "./console.ts";
import { addMix, firstMix, RATE_HZ, uploadSong } from "./track-songs.ts";

const SEED = 21;
/** What the second mix lacks: its first seconds, and a passage. */
const CUT_SEC = 1.5;
const GONE_FROM_SEC = 8;
const GONE_TO_SEC = 16;
/** Softer, and turned over: the sign of the sound says which of the two it is. */
const SECOND_GAIN = -0.5;
let desk: Awaited<ReturnType<typeof createConsole>>;
let ana: ReturnType<typeof addMember>;
let trackId: string;
let firstId: string;
let secondId: string;
beforeAll(async () => {
  if (!BROWSER_PATH) return;
  desk = await createConsole();
  ana = addMember(desk, desk.account.accountId, { role: "listener" });
  const name = desk.deps.db.$client.query("UPDATE people SET name = ? WHERE id = ?");
  name.run("Ana", ana.personId);
  name.run("Mara", desk.account.accountId);
  trackId = await uploadSong(desk, "Glass Weather", "The Lowlands", SEED);
  firstId = (await owner()("GET", `/app/tracks/${trackId}/versions`)).body.data[0].id;
  const song = firstMix(SEED);
  const second = Float32Array.from([
    ...song.subarray(CUT_SEC * RATE_HZ, GONE_FROM_SEC * RATE_HZ),
    ...song.subarray(GONE_TO_SEC * RATE_HZ),
  ]).map((sample) => SECOND_GAIN * sample);
  secondId = await addMix(desk, trackId, "v2", second);
});
afterAll(() => desk?.close());

const owner = () => desk.signedIn(desk.account.token);
const address = (query = "?tab=review") => `/library/tracks/${trackId}${query}`;

type Said = { text: string; positionSec: number | null; endSec?: number };
const VOCALS: Said = { text: "Vocals too loud", positionSec: 4 };
const BASS: Said = { text: "Bass comes in late", positionSec: 12 };
const SNARE: Said = { text: "Snare is dry", positionSec: 19, endSec: 21.5 };

/** Begins anew: notes of Ana's on the first mix, which the second has inherited. Returns their ids. */
async function begin(...notes: Said[]): Promise<string[]> {
  const { $client: db } = desk.deps.db;
  db.run("DELETE FROM reviews");
  db.run("DELETE FROM comments");
  const made: string[] = [];
  for (const said of notes) made.push((await write(ana.token, said)).id);
  for (const id of [firstId, secondId])
    await owner()("POST", `/app/library/tracks/${trackId}/versions/${id}/activate`);
  await desk.drainJobs();
  return made;
}

async function write(token: string, said: object): Promise<{ id: string }> {
  const body = { versionId: firstId, ...said };
  return (await desk.signedIn(token)("POST", `/app/tracks/${trackId}/comments`, body)).body.data;
}

const answer = (token: string, id: string, answered: boolean) =>
  desk.signedIn(token)("PATCH", `/app/comments/${id}`, { answered });
const openTexts = async () => {
  const path = `/app/tracks/${trackId}/comments?notes=true&state=open`;
  return (await owner()("GET", path)).body.data.map(({ text }: { text: string }) => text).toSorted();
};

const list = (page: Page) => page.getByRole("list", { name: "Notes", exact: true });
const item = (page: Page, text: string) => list(page).getByRole("listitem").filter({ hasText: text });
const names = (page: Page) =>
  list(page)
    .locator("> li")
    .evaluateAll((all) => all.map((each) => each.getAttribute("aria-label")));
const status = (page: Page, text: string | RegExp) => page.getByRole("status").filter({ hasText: text });
const step = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

describe.skipIf(!BROWSER_PATH)("the round of a version", () => {
  test("says how many notes are answered, and lists them by their place, with what is gone last", async () => {
    await begin(SNARE, BASS, VOCALS);
    const { page, errors, close } = await desk.open(address(""));

    await status(page, "v2: 0 of 3 notes answered").waitFor();
    await page.getByRole("tab", { name: "Review" }).click();
    await page.getByRole("heading", { level: 2, name: "Round v2" }).waitFor();
    await until(() => names(page), ["Ana at 0:02", "Ana at 0:09", "Ana at 0:12"]);
    await item(page, "Bass comes in late").getByText("Not in v2: this part was cut").waitFor();
    await item(page, "Vocals").getByRole("button", { name: "Mark answered" }).click();
    await status(page, "v2: 1 of 3 notes answered").first().waitFor();
    await until(() => names(page), ["Ana at 0:09", "Ana at 0:12"]);
    await page.getByRole("radio", { name: "Answered" }).check({ force: true });
    await item(page, "Vocals").getByText("Answered by Mara").waitFor();
    await page.getByRole("radio", { name: "New" }).check({ force: true });
    await page.getByText("Nobody has made a note on this version.").waitFor();
    await page.getByRole("combobox", { name: "Round" }).selectOption("Original");
    await page.getByRole("heading", { level: 2, name: "Round Original" }).waitFor();

    expect(errors).toEqual([]);
    await close();
  });

  test("places a note where the player is, and takes a reply", async () => {
    const [id] = await begin(BASS);
    const { page, errors, close } = await desk.open(address());

    await page.getByRole("slider", { name: "Position in Glass Weather" }).fill("7");
    await item(page, "Bass").getByRole("button", { name: "Place it here" }).click();
    await until(() => names(page), ["Ana at 0:07"]);
    const place = async () =>
      (await owner()("GET", `/app/tracks/${trackId}/comments?versionId=${secondId}`)).body.data.find(
        (note: { id: string }) => note.id === id,
      ).place;
    expect(await place()).toMatchObject({ positionSec: 7, how: "placed" });
    await item(page, "Bass").getByRole("button", { name: "Reply" }).click();
    await page.getByRole("textbox", { name: "Reply" }).fill("It was there on purpose");
    await page.keyboard.press("Enter");
    await item(page, "Bass").getByText("It was there on purpose").waitFor();

    expect(errors).toEqual([]);
    await close();
  });

  test("takes all answers back in one step, but not what somebody else changed since", async () => {
    const made = await begin(VOCALS, BASS, SNARE);
    const [vocals = ""] = made;
    const { page, errors, close } = await desk.open(address());

    await button(page, "Mark all answered").click();
    await page.getByText("All 3 notes answered.").waitFor();
    await status(page, "3 notes marked answered").getByRole("button", { name: "Undo" }).click();
    await status(page, "v2: 0 of 3 notes answered").waitFor();
    await button(page, "Mark all answered").click();
    await status(page, "v2: 3 of 3 notes answered").waitFor();
    await answer(ana.token, vocals, false);
    await status(page, "v2: 2 of 3 notes answered").waitFor();
    await page.locator("h1").click();
    await page.keyboard.press("z");
    await status(page, "2 of 3 notes are open again. Others were changed since.").waitFor();
    await status(page, "v2: 0 of 3 notes answered").waitFor();
    await button(page, "Mark all answered").click();
    await status(page, "v2: 3 of 3 notes answered").waitFor();
    for (const id of made) await answer(ana.token, id, false);
    await page.keyboard.press("z");
    await page.getByRole("alert").filter({ hasText: "changed again since" }).waitFor();

    expect(errors).toEqual([]);
    await close();
  });

  test("shows what others do without a reload, and offers to each what they may do", async () => {
    const [vocals = ""] = await begin(VOCALS, BASS);
    await write(desk.account.token, { text: "My own", positionSec: 3 });
    const [mara, anas] = [await desk.open(address()), await desk.open(address(), "desktop", ana.token)];
    await status(anas.page, "v2: 0 of 3 notes answered").waitFor();
    await status(mara.page, "v2: 0 of 3 notes answered").waitFor();

    await answer(desk.account.token, vocals, true);
    await Promise.all([mara, anas].map(({ page }) => status(page, "v2: 1 of 3 notes answered").waitFor()));
    const offered = (text: string) =>
      item(anas.page, text).locator(".comment-tools button").allTextContents();
    expect([await offered("My own"), await offered("Bass")]).toEqual([
      ["Reply"],
      ["Reply", "Mark answered", "Place it here"],
    ]);
    expect(await button(anas.page, "Mark all answered").count()).toBe(0);
    await item(mara.page, "Bass").getByRole("button", { name: "Mark answered" }).click();
    await status(anas.page, "v2: 2 of 3 notes answered").waitFor();
    await anas.page.getByRole("radio", { name: "Answered" }).check({ force: true });
    await item(anas.page, "Bass").getByRole("button", { name: "Reopen" }).click();
    await status(mara.page, "v2: 1 of 3 notes answered").waitFor();
    await mara.page.locator("h1").click();
    await mara.page.keyboard.press("z");
    await mara.page.getByRole("alert").filter({ hasText: "Somebody has changed this note since" }).waitFor();
    expect(await openTexts()).toEqual(["Bass comes in late", "My own"]);

    expect([...mara.errors, ...anas.errors]).toEqual([]);
    await Promise.all([mara.close(), anas.close()]);
  });

  test("is approved, or changes are asked for, and that is taken back", async () => {
    await begin(VOCALS);
    const { page, errors, close } = await desk.open(address());
    const said = page.getByRole("list", { name: "What was said of v2" });

    await button(page, "Approve v2").click();
    await said.getByText(/^You approved v2 on /).waitFor();
    await button(page, "Ask for changes").click();
    await page.getByRole("textbox", { name: "What should change (optional)" }).fill("Half a dB less on top");
    await page.keyboard.press("Enter");
    await said.getByText(/^You asked for changes on /).waitFor();
    await said.getByText("Half a dB less on top").waitFor();
    await desk.signedIn(ana.token)("PUT", `/app/tracks/${trackId}/versions/${secondId}/review`, {
      state: "changes",
    });
    await said.getByText("Ana asks for changes").waitFor();
    await button(page, "Take back").click();
    await until(() => said.getByRole("listitem").count(), 1);

    expect(errors).toEqual([]);
    await close();
  });

  test("has more notes than it shows at first, and shows them all when asked", async () => {
    await begin(VOCALS);
    desk.deps.db.$client.run(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 519)
       INSERT INTO comments (id, track_id, author_id, author_name, text, position_sec, created_at, version_id, heard_label)
       SELECT 'cmt_' || i, track_id, author_id, author_name, 'Note ' || i, i / 30.0, created_at + i, version_id, heard_label
       FROM n, comments`,
    );
    const { page, errors, close } = await desk.open(address());

    await page.getByText("These are the first 500 of 520 notes.").waitFor();
    await button(page, "Show all 520").click();
    await until(() => list(page).getByRole("listitem").first().getAttribute("aria-setsize"), "520");
    expect((await names(page)).length).toBeLessThan(100);

    expect(errors).toEqual([]);
    await close();
  });
});

describe.skipIf(!BROWSER_PATH)("stepping through the notes", () => {
  test("needs the keyboard alone, from the sheet to the last note", async () => {
    await begin(VOCALS, BASS, SNARE);
    const { page, errors, close } = await desk.open(address(""));
    await status(page, "v2: 0 of 3 notes answered").waitFor();

    await page.keyboard.press("r");
    await step(page, "Note 1 of 3").getByText("Vocals too loud").waitFor();
    await page.keyboard.press("1");
    await step(page, "Note 1 of 3").getByText("Answered by Mara").waitFor();
    await page.keyboard.press("j");
    await step(page, "Note 2 of 3").getByText("Snare is dry").waitFor();
    await step(page, "Note 2 of 3").getByRole("button", { name: "Pause" }).waitFor();
    await page.keyboard.press("x");
    await until(() => page.getByRole("radio", { name: "Old: Original" }).isChecked(), true);
    await page.keyboard.press("w");
    await page.keyboard.type("More plate on it");
    await page.keyboard.press("Control+Enter");
    await step(page, "Note 2 of 3").getByText("More plate on it").waitFor();
    await page.keyboard.press("1");
    await step(page, "Note 2 of 3").getByText("Answered by Mara").waitFor();
    await page.keyboard.press("2");
    await page.keyboard.type("No, it is as dry as before");
    await page.keyboard.press("Enter");
    await step(page, "Note 2 of 3").getByText("as dry as before").waitFor();
    await step(page, "Note 2 of 3").getByText("Answered by Mara").waitFor({ state: "detached" });
    await page.keyboard.press("j");
    const gone = step(page, "Note 3 of 3");
    await gone.getByText("Not in v2: this part was cut").waitFor();
    await gone.getByRole("button", { name: "Pause" }).waitFor();
    expect(await gone.getByRole("radio", { name: "New: v2" }).isDisabled()).toBe(true);
    expect(await gone.getByRole("button", { name: "Switch" }).count()).toBe(0);
    await page.keyboard.press("1");
    await page.keyboard.press("k");
    await step(page, "Note 2 of 3").waitFor();
    await page.keyboard.press("1");
    await page.getByText("All 3 notes answered.").waitFor();
    await page.keyboard.press("z");
    await page.getByText("All 3 notes answered.").waitFor({ state: "detached" });
    await page.keyboard.press("1");
    await button(page, "Ask for approval").focus();
    await page.keyboard.press("Enter");
    const share = page.getByRole("dialog", { name: "Share Glass Weather" });
    expect(await share.getByRole("switch", { name: "Ask for approval" }).getAttribute("aria-checked")).toBe(
      "true",
    );
    await page.keyboard.press("Escape");
    await page.keyboard.press("r");
    await page.getByRole("heading", { level: 2, name: "Round v2" }).waitFor();
    await until(() => step(page, "Note 2 of 3").count(), 0);

    expect(errors).toEqual([]);
    await close();
  });

  test("plays old and new at the moment of each note, equally loud, to the sample", async () => {
    await begin(VOCALS, SNARE);
    const { page, errors, close } = await desk.open(address());
    await recordOutput(page);
    await item(page, "Snare").waitFor();

    await page.keyboard.press("r");
    await step(page, "Note 1 of 2").waitFor();
    await page.keyboard.press("j");
    await step(page, "Note 2 of 2").getByRole("button", { name: "Pause" }).waitFor();
    for (let turn = 0; turn < 2; turn++) {
      await moreSound(page, 0.5);
      await page.keyboard.press("x");
    }
    await moreSound(page, 0.5);
    const { heard, file } = await soundOf(page, await playbackUrlOf("Original"));
    await button(page, "Pause").click();

    // It begins two seconds before the note in the old mix, and goes on without a slip.
    const rate = file.length / 24;
    const places = placesOf(heard, file, Math.round(rate / 5), 18 * rate);
    const clean = places.filter(({ likeness }) => likeness > 0.999);
    expect(places.length - clean.length).toBeLessThanOrEqual(4);
    expect(new Set(clean.map(({ lag }) => lag)).size).toBe(1);
    const first = heard.findIndex((sample) => Math.abs(sample) > 0.01);
    expect(((clean[0]?.lag ?? 0) + first) / rate).toBeCloseTo(17, 1);
    const gains = clean.map(({ gain }) => gain);
    expect(gains.some((gain) => gain > 0) && gains.some((gain) => gain < 0)).toBe(true);
    for (const gain of gains) expect(20 * Math.log10(Math.abs(gain / SECOND_GAIN))).toBeCloseTo(0, 0);
    expect(errors).toEqual([]);
    await close();
  });

  test("plays the new version alone until both have been analysed, and says so", async () => {
    await begin(VOCALS);
    const id = await addMix(desk, trackId, "v3", firstMix(SEED), { isActive: false });
    const { page, errors, close } = await desk.open(address(`?tab=review&round=${id}&step=open`));
    const old = page.getByRole("radio", { name: "Old: Original" });

    await page.getByText("Original can be heard here once v3 has been analysed.").waitFor();
    expect(await old.isDisabled()).toBe(true);
    await desk.drainJobs();
    await until(() => old.isDisabled(), false);

    expect(errors).toEqual([]);
    await close();
  });

  test("turns to the next note and back where a finger swipes", async () => {
    await begin(VOCALS, BASS, SNARE);
    const { page, errors, close } = await desk.open(address("?tab=review&step=open"), "phone");
    const at = (number: number) => page.getByRole("region", { name: `Note ${number} of 3` });

    await at(1).waitFor();
    await swipe(page, "Vocals too loud", -120);
    await at(2).waitFor();
    await swipe(page, "Snare is dry", -20);
    await swipe(page, "Snare is dry", -120);
    await at(3).waitFor();
    await swipe(page, "Bass comes in late", 120);
    await at(2).waitFor();

    expect(errors).toEqual([]);
    await close();
  });

  test.each(["desktop", "phone"] as const)("has nothing that axe finds on a %s", async (name) => {
    const [vocals = ""] = await begin(VOCALS, BASS, SNARE, { text: "Good energy", positionSec: null });
    await write(desk.account.token, { parentId: vocals, text: "Down by 1.5 dB" });
    await answer(desk.account.token, vocals, true);
    await owner()("PUT", `/app/tracks/${trackId}/versions/${secondId}/review`, { state: "approved" });
    const { page, errors, close } = await desk.open(address("?tab=review&show=all"), name);

    await page.getByText("Down by 1.5 dB").waitFor();
    expect(await inspect(page, `console-review-${name}`)).toEqual([]);
    await button(page, "Step through").click();
    await button(page, "Next open note").click();
    await page.getByRole("radio", { name: "New: v2" }).waitFor();
    expect(await inspect(page, `console-review-step-${name}`)).toEqual([]);

    expect(errors).toEqual([]);
    await close();
  });
});

/** Moves a finger sideways over a text. */
async function swipe(page: Page, text: string, byPx: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const box = await page.locator(".step-text").getByText(text).boundingBox();
  const [x, y] = [180, (box?.y ?? 0) + (box?.height ?? 0) / 2];
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", touchPoints: { x: number; y: number }[]) =>
    session.send("Input.dispatchTouchEvent", { type, touchPoints });
  await touch("touchStart", [{ x, y }]);
  for (const share of [0.25, 0.5, 0.75, 1]) await touch("touchMove", [{ x: x + share * byPx, y }]);
  await touch("touchEnd", []);
  await session.detach();
}

async function playbackUrlOf(label: string): Promise<string> {
  const { body } = await owner()("GET", `/app/tracks/${trackId}/versions`);
  const version = body.data.find((each: { label: string | null }) => (each.label ?? "Original") === label);
  const { pathname, search } = new URL(version.playbackUrl);
  return pathname + search;
}
