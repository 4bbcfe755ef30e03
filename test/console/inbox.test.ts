import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { wavBytes } from "../media/wave-bytes.ts";
import { BROWSER_PATH, inspect } from "../pages/browser.ts";
import type { Json } from "../support/app.ts";
import { sine } from "../support/signals.ts";
import { createConsole, until } from "./console.ts";
import { addSongs } from "./songs.ts";

/** With more of them the same test is the trial with a full inbox: INBOX_CLIPS=200. */
const CLIPS = Number(process.env.INBOX_CLIPS ?? 12);
/** So many files go into one submission. */
const PER_SUBMISSION = 20;
const RATE_HZ = 8000;

let desk: Awaited<ReturnType<typeof createConsole>>;
let call: ReturnType<typeof desk.signedIn>;
beforeAll(async () => {
  if (!BROWSER_PATH) return;
  desk = await createConsole();
  call = desk.signedIn(desk.account.token);
});
afterAll(() => desk?.close());

const clip = (number: number, name = `Clip ${String(number).padStart(3, "0")}`): File => {
  const samples = [...sine(RATE_HZ, 1, 200 + 7 * number, 0.5)];
  const bytes = wavBytes({ depth: "s16", sampleRateHz: RATE_HZ, samples });
  return new File([bytes as Uint8Array<ArrayBuffer>], `${name}.wav`);
};

/** A recording that is loud in one place. */
const LOUD = { seconds: 40, fromSec: 22, toSec: 36 };

function loudFile(): File {
  const samples = [...sine(RATE_HZ, LOUD.seconds, 220, 1)].map((sample, at) => {
    const isLoud = at >= LOUD.fromSec * RATE_HZ && at < LOUD.toSec * RATE_HZ;
    return sample * (isLoud ? 0.8 : 0.05);
  });
  const bytes = wavBytes({ depth: "s16", sampleRateHz: RATE_HZ, samples });
  return new File([bytes as Uint8Array<ArrayBuffer>], "Quiet, then loud.wav");
}

/** Sends clips through the page of a brief. */
async function send(address: string, from: number, to: number): Promise<void> {
  for (let first = from; first < to; first += PER_SUBMISSION) {
    const count = Math.min(PER_SUBMISSION, to - first);
    await sendFiles(
      address,
      first,
      Array.from({ length: count }, (_, at) => clip(first + at)),
    );
  }
}

/** Sends one submission, as a browser without JavaScript does. */
async function sendFiles(address: string, sender: number, files: readonly File[]): Promise<void> {
  const form = new FormData();
  form.set("name", `Sender ${sender}`);
  form.set("email", `sender${sender}@example.com`);
  form.set("message", "I hope you like it");
  for (const file of files) form.append("files", file);
  const page = `${desk.origin}${new URL(address).pathname}`;
  const { status } = await fetch(page, { method: "POST", body: form, redirect: "manual" });
  expect(status).toBe(303);
}

/** Shortlists what is new, and credits every second song that was chosen. Returns those, and how many were chosen. */
async function creditEverySecond(briefId: string): Promise<{ trackIds: string[]; total: number }> {
  const api = desk.as(desk.createKey(desk.account.accountId));
  const list = async (state: string): Promise<Json[]> =>
    (await call("GET", `/app/inbox?briefId=${briefId}&state=${state}&limit=200`)).body.data;
  for (const { id } of await list("new")) await call("PATCH", `/app/submissions/${id}`, { state: "kept" });
  const chosen = [...(await list("shortlisted")), ...(await list("kept"))].filter(
    ({ senderName }) => senderName !== null,
  );
  const writer = { fullName: "Cleo Mar", email: "cleo@example.com", pro: "STIM", ipi: "00017798450" };
  const { id: shareholderId } = (await api("POST", "/composers", writer)).body.data;
  const trackIds = chosen.flatMap(({ track }, at) => (at % 2 === 0 ? [track.id] : []));
  const shareholders = [{ shareholderId, share: 100, role: "Composer" }];
  for (const id of trackIds) await api("PUT", `/tracks/shareholders?id=${id}`, { shareholders });
  return { trackIds, total: chosen.length };
}

const article = (page: Page) => page.getByRole("article");
const nameOf = (page: Page) => article(page).getAttribute("aria-label");
const counts = async () => (await call("GET", "/app/inbox/counts")).body.data;

describe.skipIf(!BROWSER_PATH)("composers", () => {
  test("are added, checked, merged by hand, and two again after undo", async () => {
    const { page, errors, close } = await desk.open("/library/composers");
    await page.getByRole("heading", { level: 2, name: "Who wrote it?" }).waitFor();

    for (const [name, ipi] of [
      ["Ada Berg", "00017798451"],
      ["A. Berg", ""],
    ] as const) {
      await page.getByRole("button", { name: "New composer" }).click();
      const dialog = page.getByRole("dialog", { name: "New composer" });
      await dialog.getByRole("textbox", { name: "Full name" }).fill(name);
      await dialog.getByRole("textbox", { name: "IPI" }).fill(ipi);
      await dialog.getByRole("button", { name: "Create" }).click();
      await dialog.waitFor({ state: "detached" });
    }
    const table = page.getByRole("table", { name: "Composers" });
    await table.getByText("IPI wrong").waitFor();
    expect(await inspect(page, "console-composers-desktop")).toEqual([]);
    await table.getByRole("link", { name: "Ada Berg" }).click();
    await page.getByRole("heading", { level: 1, name: "Ada Berg" }).waitFor();
    await page.getByRole("textbox", { name: "IPI" }).fill("00017798450");
    await page.getByRole("textbox", { name: "PRO" }).fill("PRS");
    await page.getByRole("textbox", { name: "Publisher" }).focus();
    await page.getByText("The check digits do not fit").waitFor({ state: "detached" });
    expect(await inspect(page, "console-composer-desktop")).toEqual([]);
    await page.goBack();
    await page.getByRole("button", { name: /^Merge .* and / }).click();
    const dialog = page.getByRole("dialog", { name: "Make them one" });
    await dialog.getByRole("radio", { name: /^Ada Berg/ }).check();
    await dialog.getByRole("button", { name: "Merge" }).click();
    await table.getByRole("link", { name: "A. Berg" }).waitFor({ state: "detached" });
    await page.keyboard.press("z");
    await table.getByRole("link", { name: "A. Berg" }).waitFor();

    expect(errors).toEqual([]);
    await close();
  });

  test("fit a telephone", async () => {
    const { page, errors, close } = await desk.open("/library/composers", "phone");

    await page.getByRole("table", { name: "Composers" }).getByRole("link", { name: "Ada Berg" }).waitFor();

    expect(await inspect(page, "console-composers-phone")).toEqual([]);
    expect(errors).toEqual([]);
    await close();
  });
});

describe.skipIf(!BROWSER_PATH)("briefs and the inbox", () => {
  test("a brief is written beside its page, opened, and somebody is asked by name", async () => {
    const { page, errors, close } = await desk.open("/library/briefs");
    await page.getByRole("heading", { level: 2, name: "Ask for music" }).waitFor();
    expect(await inspect(page, "console-briefs-empty")).toEqual([]);

    await page.getByRole("button", { name: "New brief" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("Night drive");
    await page.getByRole("textbox", { name: "Description" }).fill("Dark and slow, no vocals");
    await page.getByRole("textbox", { name: "Deadline" }).fill("2099-12-24");
    await page.getByRole("textbox", { name: "Contact e-mail" }).fill("mara@example.com");
    await page.getByRole("switch", { name: "Public page" }).click();
    await page.getByRole("button", { name: "Open brief" }).click();
    await page.getByRole("heading", { level: 1, name: "Night drive" }).waitFor();
    await page.getByRole("button", { name: "Close brief" }).waitFor();
    const preview = page.getByRole("region", { name: "Preview" });
    await preview.getByText("Dark and slow, no vocals").waitFor();
    await preview.getByText("Until the end of 24 December 2099 (UTC)").waitFor();
    const address = await page.getByRole("textbox", { name: "Address of the page" }).inputValue();
    await page.getByRole("button", { name: "Ask someone" }).click();
    const dialog = page.getByRole("dialog", { name: "Ask someone" });
    await dialog.getByRole("textbox", { name: "Name" }).fill("Ada Berg");
    await dialog.getByRole("button", { name: "Create link" }).click();
    await page.getByRole("table", { name: "Asked" }).getByText("Ada Berg").waitFor();

    expect(await (await fetch(`${desk.origin}${new URL(address).pathname}`)).text()).toContain(
      "Dark and slow, no vocals",
    );
    expect(await inspect(page, "console-brief-desktop")).toEqual([]);
    await page.reload();
    await page.getByRole("textbox", { name: "Description" }).waitFor();
    expect(await page.getByRole("textbox", { name: "Deadline" }).inputValue()).toBe("2099-12-24");
    expect(errors).toEqual([]);
    await close();
  });

  test("what was shortlisted goes out as one playlist, with a link for each person", async () => {
    const [night = "", day = ""] = await addSongs(desk, [
      { title: "Night Ferry", seconds: 6 },
      { title: "Sunday", seconds: 6 },
    ]);
    const brief = (await call("GET", "/app/briefs")).body.data[0];
    for (const trackId of [night, day]) {
      const { body } = await call("POST", `/app/briefs/${brief.id}/submissions`, { trackId });
      await call("PATCH", `/app/submissions/${body.data.id}`, { state: "shortlisted" });
    }
    const { page, errors, close } = await desk.open(`/library/briefs/${brief.id}`, "phone");
    const list = page.getByRole("list", { name: "Goes out" });

    await list.getByText("No composers").first().waitFor();
    await list.getByRole("checkbox", { name: "Include Sunday" }).click();
    await page.getByRole("list", { name: "More that fits" }).getByText("Sunday").waitFor();
    expect(await inspect(page, "console-brief-phone")).toEqual([]);
    await page.getByRole("button", { name: "Send 1 song…" }).click();
    const dialog = page.getByRole("dialog", { name: "Send the shortlist" });
    await dialog.getByRole("textbox", { name: "For whom" }).fill("Ida\nBen");
    await dialog.getByRole("button", { name: "Create links" }).click();
    const link = await dialog.getByRole("textbox", { name: "Link for Ida" }).inputValue();
    const other = await dialog.getByRole("textbox", { name: "Link for Ben" }).inputValue();

    expect(link).not.toBe(other);
    const shares = (await call("GET", "/app/links")).body.data.filter(
      ({ recipient }: { recipient: string | null }) => recipient !== null,
    );
    expect(shares.every(({ expiresAt }: { expiresAt: string | null }) => expiresAt !== null)).toBe(true);
    expect(await (await fetch(`${desk.origin}${new URL(link).pathname}`)).text()).toContain("Night Ferry");
    expect(errors).toEqual([]);
    await close();
  });

  test("a submission plays from its loudest passage, and prose finds it", async () => {
    const brief = (await call("GET", "/app/briefs")).body.data[0];
    const form = new FormData();
    form.append("files", loudFile());
    const api = desk.as(desk.createKey(desk.account.accountId));
    const { body } = await api("POST", "/tracks/upload", form);
    await desk.drainJobs();
    const trackId = body.data.uploaded[0].id;
    const sent = await call("POST", `/app/briefs/${brief.id}/submissions`, { trackId });
    const { page, errors, close } = await desk.open("/library/inbox?state=all");

    await article(page).waitFor();
    await page.getByRole("button", { name: /^Quiet, then loud/ }).click();
    await page.getByRole("button", { name: "Pause Quiet, then loud" }).waitFor();
    await page.keyboard.press("Space");
    const at = Number(await page.getByRole("slider", { name: "Position", exact: true }).inputValue());
    expect(at).toBeGreaterThanOrEqual(LOUD.fromSec - 1.5);
    expect(at).toBeLessThan(LOUD.toSec);

    await page.keyboard.press("/");
    await page.keyboard.type("dark and slow");
    await page.keyboard.press("Enter");
    const list = page.getByRole("list", { name: "Submissions" });
    await list.getByText(/ %$/).first().waitFor();
    const percents = (await list.getByText(/ %$/).allTextContents()).map((text) => Number.parseInt(text, 10));
    expect(percents).toEqual(percents.toSorted((one, other) => other - one));
    expect(page.url()).toContain("q=dark+and+slow");
    await call("PATCH", `/app/submissions/${sent.body.data.id}`, { state: "passed" });
    expect(errors).toEqual([]);
    await close();
  });

  test("a telephone shows the list, then the one that was pressed", async () => {
    const { page, errors, close } = await desk.open("/library/inbox?state=shortlisted", "phone");
    const list = page.getByRole("list", { name: "Submissions" });

    await list.getByRole("button", { name: /^Night Ferry/ }).click();
    await page.getByRole("article", { name: "Night Ferry" }).waitFor();
    await page.getByRole("region", { name: /^How well it fits/ }).waitFor();
    expect(await list.isVisible()).toBe(false);
    expect(await inspect(page, "console-inbox-phone")).toEqual([]);
    await page.getByRole("button", { name: "All submissions" }).click();
    await list.waitFor();

    expect(errors).toEqual([]);
    await close();
  });

  test("a list is saved as a table, and as files", async () => {
    const { page, errors, close } = await desk.open("/library/inbox?state=shortlisted");
    await article(page).waitFor();

    const [table] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Save as CSV" }).click(),
    ]);
    const [files] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download ZIP" }).click(),
    ]);

    const lines = (await Bun.file(await table.path()).text()).trim().split(/\r?\n/);
    expect(lines[0]).toContain('"Sent","Brief","Title"');
    expect(lines.slice(1).map((line) => /"(Night Ferry|Sunday)".*"Shortlisted"/.test(line))).toEqual([
      true,
      true,
    ]);
    expect(files.suggestedFilename()).toMatch(/^Submissions .+\.zip$/);
    const zip = await Bun.file(await files.path()).bytes();
    expect(Buffer.from(zip).includes("Night Ferry")).toBe(true);
    expect(errors).toEqual([]);
    await close();
  });

  test("what came in is triaged by keys alone, and the next one arrives by itself", async () => {
    const brief = (await call("GET", "/app/briefs")).body.data[0];
    await send(brief.publicUrl, 0, CLIPS);
    const { page, errors, close } = await desk.open("/library");
    await page.getByRole("grid", { name: "Tracks" }).waitFor();

    await page.keyboard.press("g");
    await page.keyboard.press("i");
    await page.getByRole("heading", { level: 1, name: "Inbox" }).waitFor();
    await article(page).waitFor();
    expect(await inspect(page, "console-inbox-desktop")).toEqual([]);
    const thanks = await page.getByRole("link", { name: /^Thank Sender/ }).getAttribute("href");
    expect(thanks).toMatch(/^mailto:sender\d+%40example\.com\?subject=Night%20drive.+&body=Hello%20Sender/);
    const keys = ["1", "2", "3"];
    const words = ["Shortlisted", "Passed", "Kept"];
    const seen = new Set<string>();
    for (let number = 0; number < CLIPS; number++) {
      if (number > 0) {
        const before = seen.size;
        await page.keyboard.press("j");
        await article(page)
          .and(page.locator(`:not([aria-label="${[...seen].at(-1)}"])`))
          .waitFor();
        expect(seen.size).toBe(before);
      }
      seen.add((await nameOf(page)) ?? "");
      await page.keyboard.press(keys[number % 3] ?? "");
      await article(page)
        .getByText(words[number % 3] ?? "", { exact: true })
        .waitFor();
    }
    await page.getByRole("heading", { level: 2, name: "Inbox is empty" }).waitFor();
    const player = page.getByRole("region", { name: "Player" });
    await player.getByRole("link", { name: [...seen].at(-1) ?? "", exact: true }).waitFor();

    expect(seen.size).toBe(CLIPS);
    const third = Math.ceil(CLIPS / 3);
    const decided = async () => {
      const { new: left, shortlisted } = await counts();
      return [left, shortlisted];
    };
    await until(decided, [0, third + 2]);

    await page.keyboard.press("z");
    await page.getByText("1 to decide").waitFor();
    await page.keyboard.press("w");
    await page.getByRole("textbox", { name: "Note" }).fill("Ask for stems");
    await page.keyboard.press("Enter");
    await page.keyboard.press("c");
    await page.getByRole("textbox", { name: /^Comment at 0:0\d$/ }).fill("The bass is late");
    await page.keyboard.press("Enter");
    await page.getByRole("list", { name: "Comments" }).getByText("The bass is late").waitFor();
    await page.keyboard.press("t");
    const tagging = page.getByRole("dialog", { name: "Tag 1 track" });
    await tagging.getByRole("combobox", { name: "Add tag" }).fill("Techno");
    await page.getByRole("option", { name: "Techno", exact: true }).waitFor();
    await page.keyboard.press("Enter");
    await tagging.getByRole("button", { name: "Apply" }).press("Enter");
    await tagging.waitFor({ state: "detached" });
    await page.getByText("Techno", { exact: true }).waitFor();
    await page.keyboard.press("a");
    await page.getByRole("dialog", { name: "Add to playlist" }).getByRole("combobox").fill("Maybe");
    await page.getByRole("option", { name: "Create “Maybe”" }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByText("Added to Maybe").waitFor();

    await send(brief.publicUrl, 900, 901);
    await page.getByText("2 to decide").waitFor();

    const notes = async () =>
      (await call("GET", "/app/inbox?state=new")).body.data.map(({ note }: Json) => note);
    await until(notes, [null, "Ask for stems"]);
    expect(errors).toEqual([]);
    await close();
  });

  test("what came in and was kept is a pack: ranked, one of each song, with credits, a link each", async () => {
    const brief = (await call("GET", "/app/briefs")).body.data[0];
    await sendFiles(brief.publicUrl, 950, [clip(0, "Clip 000 v2")]);
    await desk.drainJobs();
    const { trackIds, total } = await creditEverySecond(brief.id);
    const startedMs = performance.now();
    const { songs } = (await call("GET", `/app/briefs/${brief.id}/pack`)).body.data;
    const tookMs = Math.round(performance.now() - startedMs);
    const sent: Json[] = songs.filter(({ senderName, isIn }: Json) => isIn && senderName !== null);
    const { page, errors, close } = await desk.open(`/library/briefs/${brief.id}`);
    const list = page.getByRole("list", { name: "Goes out" });
    await list.getByRole("link").first().waitFor();
    await page.getByRole("heading", { name: "Shortlist" }).evaluate((heading) => heading.scrollIntoView());
    expect(await inspect(page, "console-pack-of-submissions")).toEqual([]);
    await page.getByRole("button", { name: /^Send \d+ songs…$/ }).click();
    const dialog = page.getByRole("dialog", { name: "Send the shortlist" });
    await dialog.getByRole("textbox", { name: "For whom" }).fill("Ida\nBen\nCleo");
    await dialog.getByRole("button", { name: "Create links" }).click();
    const links = ["Ida", "Ben", "Cleo"].map((name) =>
      dialog.getByRole("textbox", { name: `Link for ${name}` }).inputValue(),
    );
    const addresses = await Promise.all(links);

    expect(sent).toHaveLength(total - 1);
    const scores = sent.map(({ score }) => score);
    expect(scores).not.toContain(null);
    expect(scores).toEqual(scores.toSorted((one, other) => other - one));
    const versions = sent.filter(({ title }) => title.startsWith("Clip 000"));
    expect(versions.map(({ others }) => others.length)).toEqual([1]);
    for (const { trackId, problems } of sent)
      expect(problems).toEqual(trackIds.includes(trackId) ? [] : ["No composers"]);
    expect(new Set(addresses).size).toBe(3);
    const made: Json[] = (await call("GET", "/app/links")).body.data.slice(0, 3);
    expect(made.map(({ recipient }) => recipient).toSorted()).toEqual(["Ben", "Cleo", "Ida"]);
    expect(made.every(({ expiresAt }) => expiresAt !== null)).toBe(true);
    const rows = (await call("GET", `/app/playlists/${made[0]?.entityId}/tracks?limit=200`)).body.data;
    expect(rows.map(({ id }: Json) => id)).toEqual(
      songs.flatMap(({ isIn, trackId }: Json) => (isIn ? [trackId] : [])),
    );
    if (process.env.INBOX_CLIPS) console.log(`A pack of ${rows.length} songs out of ${CLIPS}: ${tookMs} ms`);
    expect(errors).toEqual([]);
    await close();
  });

  test("a setting opens the next one after each decision, and both settings stay", async () => {
    await send((await call("GET", "/app/briefs")).body.data[0].publicUrl, 910, 912);
    const { page, errors, close } = await desk.open("/library/inbox");
    await article(page).waitFor();
    const first = await nameOf(page);

    await page.getByRole("checkbox", { name: "Next after deciding" }).check();
    await page.getByRole("checkbox", { name: "Play on open" }).uncheck();
    await page.getByRole("heading", { level: 1, name: "Inbox" }).focus();
    await page.keyboard.press("1");
    await article(page)
      .and(page.locator(`:not([aria-label="${first}"])`))
      .waitFor();
    await page.getByRole("button", { name: "Sentences…" }).click();
    const dialog = page.getByRole("dialog", { name: "Prepared sentences" });
    await dialog.getByRole("textbox", { name: "New" }).fill("{title} is here. Thanks!");
    expect(await inspect(page, "console-inbox-sentences")).toEqual([]);
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.reload();
    await article(page).waitFor();

    expect(await page.getByRole("checkbox", { name: "Next after deciding" }).isChecked()).toBe(true);
    expect(await page.getByRole("checkbox", { name: "Play on open" }).isChecked()).toBe(false);
    const thanks = await page.getByRole("link", { name: /^Thank Sender/ }).getAttribute("href");
    expect(decodeURIComponent(thanks ?? "")).toContain(`${await nameOf(page)} is here. Thanks!`);
    // Kept with the account, for every browser of it.
    const { new: sentence, passed } = (await call("GET", "/app/account")).body.data.thanks;
    expect([sentence, passed]).toEqual(["{title} is here. Thanks!", null]);
    expect(errors).toEqual([]);
    await close();
  });

  test("a brief leads to what the library has that fits", async () => {
    const brief = (await call("GET", "/app/briefs")).body.data[0];
    const { page, errors, close } = await desk.open(`/library/briefs/${brief.id}`);

    await page.getByRole("link", { name: "What have we got that fits" }).click();
    await page.getByRole("heading", { level: 1, name: "Search" }).waitFor();

    const text = await page.getByRole("textbox", { name: "Describe the music" }).inputValue();
    expect(text).toBe("Night drive. Dark and slow, no vocals");
    await page.getByRole("button", { name: "Mood: Dark, edit" }).waitFor();
    await page.getByRole("grid", { name: "Results" }).getByRole("link").first().waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  test("a pack is put in order by keys and by hand, and stays so", async () => {
    const { id } = (await call("POST", "/app/briefs", { name: "Slow and dark", status: "open" })).body.data;
    const tracks = (await call("GET", "/app/tracks?limit=200")).body.data as { id: string; title: string }[];
    for (const { id: trackId } of tracks) {
      const { body } = await call("POST", `/app/briefs/${id}/submissions`, { trackId });
      await call("PATCH", `/app/submissions/${body.data.id}`, { state: "shortlisted" });
    }
    const { songs } = (await call("GET", `/app/briefs/${id}/pack`)).body.data;
    const { page, errors, close } = await desk.open(`/library/briefs/${id}`);
    const list = page.getByRole("list", { name: "Goes out" });
    const titles = async () => (await list.getByRole("link").allTextContents()).slice(0, 6);
    await list.getByRole("link").first().waitFor();
    const before = await titles();
    expect(await list.getByRole("listitem").first().getAttribute("aria-setsize")).toBe(String(songs.length));

    await list.getByRole("checkbox", { name: `Include ${before[0]}` }).focus();
    await page.keyboard.press("Alt+ArrowDown");
    await page.keyboard.press("Alt+ArrowDown");
    const placed = (place: number, title = "") =>
      list.getByRole("listitem").nth(place).getByRole("link", { name: title, exact: true }).waitFor();
    await placed(2, before[0]);
    await page.locator(`:focus[aria-label="Include ${before[0]}"]`).waitFor();
    expect(await titles()).toEqual([...before.slice(1, 3), before[0] ?? "", ...before.slice(3)]);
    const handle = list.getByRole("button", { name: `Move ${before[1]}` });
    const target = list.getByRole("button", { name: `Move ${before[3]}` });
    await handle.hover();
    await page.mouse.down();
    const { x = 0, y = 0 } = (await target.boundingBox()) ?? {};
    await page.mouse.move(x + 4, y + 30, { steps: 4 });
    await page.mouse.up();
    const after = [before[2], before[0], before[3], before[1], ...before.slice(4)];
    await placed(3, before[1]);
    expect(await titles()).toEqual(after as string[]);
    expect(await inspect(page, "console-pack-desktop")).toEqual([]);
    const kept = async () => {
      const { songs } = (await call("GET", `/app/briefs/${id}/pack`)).body.data;
      return songs.slice(0, 6).map(({ title }: Json) => title);
    };
    await until(kept, after);
    await page.reload();
    await list.getByRole("link").first().waitFor();

    expect(await titles()).toEqual(after as string[]);
    expect(errors).toEqual([]);
    await close();
  });

  test("an inbox without a brief says what to do", async () => {
    const account = desk.createAccount();
    const { page, errors, close } = await desk.open("/library");
    await page.context().addCookies([{ name: "dubplate_session", value: account.token, url: desk.origin }]);

    await page.goto("/library/inbox");
    await page.getByRole("heading", { level: 2, name: "Inbox is empty" }).waitFor();

    expect(await inspect(page, "console-inbox-empty")).toEqual([]);
    expect(errors).toEqual([]);
    await close();
  });
});
