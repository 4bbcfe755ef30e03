import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { reviewByLink } from "../../src/modules/sharing/comments/service.ts";
import { BROWSER_PATH, inspect } from "../pages/browser.ts";
import { createConsole, until } from "./console.ts";
import { addSecondMix, uploadSong } from "./track-songs.ts";

let desk: Awaited<ReturnType<typeof createConsole>>;
let trackId: string;
let secondMixId: string;
beforeAll(async () => {
  if (!BROWSER_PATH) return;
  desk = await createConsole();
  trackId = await uploadSong(desk, "Night Bus", "The Lowlands", 3);
  secondMixId = await addSecondMix(desk, trackId, 3);
});
afterAll(() => desk?.close());

async function openBeside(page: Page): Promise<void> {
  await page.getByRole("button", { name: "More actions for Night Bus" }).click();
  await page.getByRole("menuitem", { name: "Open" }).click();
}

type Answered = { answeredAt: string | null };

const address = (query = "") => `/library/tracks/${trackId}${query}`;

describe.skipIf(!BROWSER_PATH)("around a track", () => {
  test("comments are written at a time, survive a reload unsent, and lead back to their time", async () => {
    const { page, errors, close } = await desk.open(address());
    const slider = page.getByRole("slider", { name: "Position in Night Bus" });
    await slider.waitFor();

    await slider.fill("9");
    await page.getByRole("button", { name: "Comment at 0:09" }).waitFor();
    await page.keyboard.press("c");
    const field = page.getByRole("textbox", { name: "Comment" });
    await field.fill("The bass comes in too late");
    await page.reload();
    expect(await field.inputValue()).toBe("The bass comes in too late");
    await page.getByRole("button", { name: "Send" }).click();
    const comment = page.getByRole("list", { name: "Comments" }).getByRole("listitem");
    await comment.filter({ hasText: "The bass comes in too late" }).waitFor();
    await page.getByRole("button", { name: "Go to 0:09" }).click();
    await until(() => slider.inputValue(), "9");
    expect(await inspect(page, "console-track-comments")).toEqual([]);
    await page.getByRole("button", { name: "Comment at 0:09" }).click();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: /^Delete comment by / }).click();
    await comment.waitFor({ state: "detached" });

    expect(errors).toEqual([]);
    await close();
  });

  test("a comment says which version was heard, also when another one plays than the active one", async () => {
    const api = desk.as(desk.createKey(desk.account.accountId));
    const { versions } = (await api("GET", `/tracks/${trackId}/versions`)).body.data;
    const first = versions.find(({ id }: { id: string }) => id !== secondMixId);
    const { page, errors, close } = await desk.open(address());
    const write = async (text: string) => {
      await page.keyboard.press("c");
      await page.getByRole("textbox", { name: "Comment" }).fill(text);
      await page.getByRole("button", { name: "Send" }).click();
      const item = page
        .getByRole("list", { name: "Comments" })
        .getByRole("listitem")
        .filter({ hasText: text });
      await item.waitFor();
      return item;
    };

    await page.getByRole("slider", { name: "Position in Night Bus" }).waitFor();
    const onActive = await write("On the new one");
    await onActive.getByText("v2", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Play Original" }).click();
    const onOther = await write("On the old one");
    await onOther.getByText("Original", { exact: true }).waitFor();

    const made = (await api("GET", `/tracks/${trackId}/comments`)).body.data;
    expect(made.map(({ text, versionId }: Record<string, string>) => [text, versionId])).toEqual([
      ["On the old one", first.id],
      ["On the new one", secondMixId],
    ]);
    expect(await inspect(page, "console-track-comment-versions")).toEqual([]);
    for (const { id } of made) await api("DELETE", `/comments/${id}`);
    expect(errors).toEqual([]);
    await close();
  });

  test("a range is dragged over or looped, survives a reload, and is answered, reopened and replied to", async () => {
    const { page, errors, close } = await desk.open(address());
    const wave = page.getByRole("region", { name: "Waveform" });
    await page.getByRole("list", { name: "Versions" }).getByText("v2", { exact: true }).waitFor();
    const box = await wave.locator(".wave").boundingBox();
    if (!box) throw new Error("There is no wave");
    const x = (share: number) => box.x + box.width * share;

    await page.mouse.move(x(0.25), box.y + 40);
    await page.mouse.down();
    await page.mouse.move(x(0.3), box.y + 40);
    await page.mouse.move(x(0.5), box.y + 40);
    await page.mouse.up();
    await wave.getByRole("button", { name: "Comment on 0:05–0:11" }).waitFor();
    await page.keyboard.press("Shift+C");
    const field = page.getByRole("textbox", { name: "Comment", exact: true });
    await field.fill("The vocal sits behind the bass");
    await page.reload();
    expect(await field.inputValue()).toBe("The vocal sits behind the bass");
    await page.getByText("Comment on 0:05–0:11").waitFor();
    await field.press("Control+Enter");
    const note = page.getByRole("list", { name: "Comments" }).getByRole("listitem", { name: /at 0:05$/ });
    await note.getByText("–0:11").waitFor();

    await note.getByRole("button", { name: "Reply" }).click();
    await page.getByRole("textbox", { name: "Reply" }).fill("Softer from the second bar on?");
    await page.getByRole("textbox", { name: "Reply" }).press("Control+Enter");
    await note.getByText("Softer from the second bar on?").waitFor();
    await note.getByRole("button", { name: "Mark answered" }).click();
    await note.getByText(/^Answered by .+ in v2, /).waitFor();
    expect(await inspect(page, "console-track-note-answered")).toEqual([]);
    await page.keyboard.press("z");
    await note.getByRole("button", { name: "Mark answered" }).waitFor();
    const comments = async () =>
      (await desk.signedIn(desk.account.token)("GET", `/app/tracks/${trackId}/comments`)).body.data;
    await until(async () => (await comments()).map(({ answeredAt }: Answered) => answeredAt), [null, null]);
    const [reply, range] = await comments();
    expect([range.endSec > range.positionSec + 4, reply.parentId, range.versionId]).toEqual([
      true,
      range.id,
      secondMixId,
    ]);

    await note.getByRole("button", { name: /^Delete comment by / }).click();
    await page
      .getByRole("alertdialog", { name: "Delete the comment and its reply for good?" })
      .getByRole("button", { name: "Delete" })
      .click();
    await note.waitFor({ state: "detached" });
    await until(comments, []);
    expect(errors).toEqual([]);
    await close();
  });

  test("notes are where they belong in the version that plays, and a passage that was cut is placed by hand", async () => {
    const web = desk.signedIn(desk.account.token);
    const { versions } = (await web("GET", `/app/library/tracks/single?id=${trackId}`)).body.data;
    const original = versions.find(({ id }: { id: string }) => id !== secondMixId).id;
    const say = (text: string, positionSec: number) =>
      web("POST", `/app/tracks/${trackId}/comments`, { text, positionSec, versionId: original });
    await say("Late hat", 9.5);
    await say("Click at the start", 0.1);
    await desk.drainJobs();
    const { page, errors, close } = await desk.open(address());
    const notes = page.getByRole("list", { name: "Comments" }).getByRole("listitem");
    const times = () => notes.evaluateAll((items) => items.map((item) => item.getAttribute("aria-label")));
    const byMara = (when: string) => new RegExp(`at ${when}$`);

    await notes.filter({ hasText: "Late hat" }).getByRole("button", { name: "Go to 0:09" }).waitFor();
    const cut = notes.filter({ hasText: "Click at the start" });
    expect((await times()).at(0)).toMatch(byMara("0:09"));
    await cut.getByText("Not in v2: this part was cut").waitFor();
    expect(await page.locator(".wave-mark:visible").count()).toBe(1);
    expect(await inspect(page, "console-track-note-cut")).toEqual([]);
    await page.getByRole("slider", { name: "Position in Night Bus" }).fill("3");
    await cut.getByRole("button", { name: "Place it here" }).click();
    await cut.getByRole("button", { name: "Go to 0:03" }).waitFor();
    await until(() => page.locator(".wave-mark:visible").count(), 2);
    await page.getByRole("button", { name: "Play Original" }).click();
    await cut.getByRole("button", { name: "Go to 0:00" }).waitFor();
    await cut.getByText("Place it here").waitFor({ state: "detached" });

    for (const { id } of (await web("GET", `/app/tracks/${trackId}/comments`)).body.data)
      await web("DELETE", `/app/comments/${id}`);
    expect(errors).toEqual([]);
    await close();
  });

  test("a long thread draws what shows, reaches its last note, and its marks tell how many they are", async () => {
    const now = Date.now();
    const add = desk.deps.db.$client.prepare(
      `INSERT INTO comments (id, track_id, author_name, text, position_sec, created_at, version_id, heard_label)
       VALUES (?, ?, 'Ana', ?, ?, ?, ?, 'v2')`,
    );
    for (let at = 0; at < 450; at++)
      add.run(
        `cmt_${at.toString(16).padStart(32, "0")}`,
        trackId,
        `Note ${at} `.repeat(1 + (at % 40)),
        at / 20,
        now - at,
        secondMixId,
      );
    const { page, errors, close } = await desk.open(address());
    const list = page.getByRole("list", { name: "Comments" });
    await list.locator('[aria-setsize="450"]').first().waitFor();
    expect(await list.getByRole("listitem").count()).toBeLessThan(40);

    await list.getByRole("button", { name: "Reply" }).first().focus();
    await list.evaluate((element) => {
      element.scrollTop = element.scrollHeight;
    });
    await list.getByText("Note 449", { exact: false }).waitFor();
    // What has the focus stays.
    expect(await list.locator("[aria-posinset='1']").count()).toBe(1);
    const marks = page.locator(".wave-mark:visible");
    const counted = async () =>
      (await marks.allTextContents()).reduce((sum, text) => sum + (Number(text) || 1), 0);
    expect(await counted()).toBe(450);
    expect(await inspect(page, "console-track-thread")).toEqual([]);
    await marks.nth(20).click();
    await until(async () => (await counted()) < 200, true);
    await until(() => page.evaluate(() => document.activeElement?.className), "comment");

    desk.deps.db.$client.run("DELETE FROM comments WHERE track_id = ?", [trackId]);
    expect(errors).toEqual([]);
    await close();
  });

  test("versions say who approves them, who asks for changes, and how many notes are open", async () => {
    const web = desk.signedIn(desk.account.token);
    const { versions } = (await web("GET", `/app/library/tracks/single?id=${trackId}`)).body.data;
    const original = versions.find(({ id }: { id: string }) => id !== secondMixId).id;
    const review = (versionId: string, body: object) =>
      web("PUT", `/app/tracks/${trackId}/versions/${versionId}/review`, body);
    const { id: shareId } = (
      await web("POST", "/app/shares", { trackId, recipient: "Bo", allowReview: true })
    ).body.data;
    const share = { id: shareId, ownerId: desk.account.accountId, recipient: "Bo", allowReview: true };
    await review(secondMixId, { state: "approved" });
    desk.clock.advance(1000);
    reviewByLink(desk.deps, { share, trackId, versionId: secondMixId, state: "approved" });
    await review(original, { state: "changes", text: "More bass" });
    const { body } = await web("POST", `/app/tracks/${trackId}/comments`, { text: "Click", positionSec: 4 });
    const { page, errors, close } = await desk.open(address());
    const item = (name: string) =>
      page.getByRole("list", { name: "Versions" }).getByRole("listitem", { name, exact: true });

    await item("v2").getByText("Approved by Bo and 1 more").waitFor();
    await item("v2").getByRole("button", { name: "1 open note" }).waitFor();
    await item("Original").getByText("Changes asked for").waitFor();
    expect(await inspect(page, "console-track-verdicts")).toEqual([]);
    // Live: what changes about notes changes what versions say.
    await web("PATCH", `/app/comments/${body.data.id}`, { answered: true });
    await item("v2").getByRole("button", { name: "1 open note" }).waitFor({ state: "detached" });
    await page.getByRole("tab", { name: "Activity" }).click();
    const activity = page.getByRole("tabpanel");
    await activity.getByText("Bo approved v2").waitFor();
    await activity.getByText("Someone asked for changes to Original: More bass").waitFor();
    await activity.getByText("Someone marked their note at 0:04 answered").waitFor();
    // What was said of a version leads to its round.
    await page.getByRole("button", { name: /^Notifications/ }).click();
    await page.getByRole("link", { name: /^The recipient of a link approved v2 of / }).click();
    await until(async () => new URL(page.url()).search, "?tab=review");

    await web("DELETE", `/app/comments/${body.data.id}`);
    expect(errors).toEqual([]);
    await close();
  });

  test("the links of a track are listed, and its activity by day", async () => {
    const web = desk.signedIn(desk.account.token);
    await web("POST", "/app/shares", { trackId, recipient: "Anna Berg" });
    await web("POST", `/app/tracks/${trackId}/comments`, { text: "Louder", positionSec: 3 });
    const { page, errors, close } = await desk.open(address("?tab=links"));

    await page.getByRole("link", { name: "Anna Berg" }).waitFor();
    await page.getByRole("button", { name: "New link" }).click();
    const dialog = page.getByRole("dialog", { name: /^Share / });
    await dialog.getByRole("button", { name: "Create link" }).waitFor();
    await dialog.getByRole("button", { name: "Close" }).click();
    expect(await inspect(page, "console-track-links")).toEqual([]);
    await page.getByRole("tab", { name: "Activity" }).click();
    const panel = page.getByRole("tabpanel");
    for (const text of [
      "Link for Anna Berg was made",
      "Uploaded",
      "v2 was added",
      /commented at 0:03: Louder/,
    ])
      await panel.getByText(text).waitFor();
    expect(await inspect(page, "console-track-activity")).toEqual([]);

    expect(errors).toEqual([]);
    await close();
  });

  test("the sheet opens beside the list, closes, and fills the window", async () => {
    const { page, errors, close } = await desk.open("/library");
    await page.getByRole("row", { name: /Night Bus/ }).waitFor();

    await openBeside(page);
    const panel = page.getByRole("complementary", { name: "Night Bus" });
    await panel.getByRole("list", { name: "Versions" }).getByText("v2", { exact: true }).waitFor();
    expect(await page.getByRole("heading", { level: 1, name: "Library" }).isVisible()).toBe(true);
    expect(await inspect(page, "console-track-panel")).toEqual([]);
    await panel.getByRole("tab", { name: "Details" }).click();
    await panel.getByRole("textbox", { name: "Album" }).waitFor();
    await panel.getByRole("button", { name: "Close" }).click();
    await panel.waitFor({ state: "detached" });
    await openBeside(page);
    await panel.getByRole("button", { name: "Open whole" }).click();
    await page.getByRole("heading", { level: 1, name: "Night Bus" }).waitFor();

    expect(errors).toEqual([]);
    await close();
  });

  test("notes stay when the version that plays is deleted", async () => {
    const web = desk.signedIn(desk.account.token);
    const { versions } = (await web("GET", `/app/library/tracks/single?id=${trackId}`)).body.data;
    const original = versions.find(({ id }: { id: string }) => id !== secondMixId).id;
    await web("POST", `/app/tracks/${trackId}/comments`, {
      text: "Nice",
      positionSec: 5,
      versionId: original,
    });
    const { page, errors, close } = await desk.open(address());
    const note = page
      .getByRole("list", { name: "Comments" })
      .getByRole("listitem")
      .filter({ hasText: "Nice" });
    await page.getByRole("button", { name: "Play Original" }).click();
    await note.getByRole("button", { name: "Go to 0:05" }).waitFor();

    await web("DELETE", `/app/library/tracks/${trackId}/versions/${original}`);

    await page.getByRole("button", { name: "Play Original" }).waitFor({ state: "detached" });
    await note.getByRole("button", { name: "Place it here" }).waitFor();
    await note.getByText("Original", { exact: true }).waitFor();
    expect(errors).toEqual([]);
    await close();
  });
});
