import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { BROWSER_PATH, inspect } from "../pages/browser.ts";
import type { Json } from "../support/app.ts";
import { createConsole, until } from "./console.ts";
import { CLIPS, clip, openBrief, send, sendFiles, shortlistTwo } from "./submissions.ts";

let desk: Awaited<ReturnType<typeof createConsole>>;
let call: ReturnType<typeof desk.signedIn>;
beforeAll(async () => {
  if (!BROWSER_PATH) return;
  desk = await createConsole();
  call = desk.signedIn(desk.account.token);
});
afterAll(() => desk?.close());

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

describe.skipIf(!BROWSER_PATH)("the pack of a brief", () => {
  test("the pack has the submissions that were kept: ranked, one of each song, with credits and a link each", async () => {
    const brief = await openBrief(desk);
    await shortlistTwo(desk, brief.id);
    await send(desk, brief.publicUrl, 0, CLIPS);
    await sendFiles(desk, brief.publicUrl, 950, [clip(0, "Clip 000 v2")]);
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
    const rows = (await call("GET", `/app/playlists/${made[0]?.entityId}/tracks`)).body.data;
    expect(rows.map(({ id }: Json) => id)).toEqual(
      songs.flatMap(({ isIn, trackId }: Json) => (isIn ? [trackId] : [])),
    );
    if (process.env.INBOX_CLIPS) console.log(`A pack of ${rows.length} songs out of ${CLIPS}: ${tookMs} ms`);
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
});
