import { Database } from "bun:sqlite";
import { join } from "node:path";
import type { Browser, CDPSession, Page } from "playwright-core";
import { MAX_NOTES } from "../../../src/modules/sharing/comments/shapes.ts";
import { atMost, type Figure, median } from "../figures.ts";
import { openConsole, type Place, rowsInView } from "./place.ts";
import { zooming } from "./sound.ts";

const OPEN_MS = 300;
/** Later than this, a frame of 60 per second was missed. */
const LATE_MS = 25;
/** Of 60 per second. */
const FRAME_MS = 1000 / 60;

/** A track with as many notes as one may have: opening it, scrolling through them, and the marks on its wave. */
export async function thread(
  browser: Browser,
  place: Place,
  { quick }: { quick: boolean },
): Promise<Figure[]> {
  const { id } = place.song;
  const notes = quick ? 500 : MAX_NOTES;
  const bare = await zooming(browser, place);
  writeNotes(join(place.dataDir, "dubplate.db"), id, notes);
  try {
    const [opened, whole]: [number[], number[]] = [[], []];
    for (let sample = 0; sample < (quick ? 1 : 5); sample++) {
      const { page, close } = await openConsole(browser, place);
      const times = await open(page, place, notes);
      opened.push(times.shown);
      whole.push(times.whole);
      await close();
    }
    const ms = median(opened);
    return [
      {
        what: `opening a thread of ${notes} notes in the console, until notes show`,
        figure: `${ms.toFixed(0)} ms`,
        yardstick: `all of them read ${median(whole).toFixed(0)} ms`,
        aim: atMost(ms, OPEN_MS, "ms"),
      },
      ...(await scrolling(browser, place, quick ? 120 : 600)),
      {
        ...(await zooming(browser, place)),
        what: `wave zoom with ${notes} notes, a step on the main thread`,
        yardstick: `without notes ${bare.figure}`,
      },
    ];
  } finally {
    new Database(join(place.dataDir, "dubplate.db")).run("DELETE FROM comments WHERE track_id = ?", [id]);
  }
}

/** Every third is a range, every fourth is answered, and their texts have one to four lines. */
function writeNotes(file: string, trackId: string, count: number): void {
  const db = new Database(file);
  const { versionId, seconds, authorId } = db
    .query<{ versionId: string; seconds: number; authorId: string }, [string]>(
      `SELECT t.active_version_id AS versionId, a.duration_sec AS seconds, m.person_id AS authorId
         FROM tracks t JOIN analyses a ON a.version_id = t.active_version_id
         JOIN members m ON m.account_id = t.owner_id WHERE t.id = ?`,
    )
    .get(trackId) ?? { versionId: "", seconds: 60, authorId: "" };
  const add = db.prepare(
    `INSERT INTO comments (id, track_id, author_id, author_name, text, position_sec, end_sec, created_at, version_id, heard_label,
       resolved_at, resolved_by, resolved_name, resolved_in)
     VALUES (?, ?, ?, 'Ana', ?, ?, ?, ?, ?, 'v1', ?, ?, ?, ?)`,
  );
  const words = "The kick is too loud against the bass here, and the vocal sits behind it. ";
  const rowOf = (at: number) => {
    const sec = (at * 0.618_034 * seconds) % (seconds - 3);
    const answer = at % 4 === 0 ? [Date.now(), authorId, "Bo", versionId] : [null, null, null, null];
    const id = `cmt_${at.toString(16).padStart(32, "0")}`;
    const end = at % 3 === 0 ? sec + 2 : null;
    const when = Date.now() - at * 60_000;
    return [id, trackId, authorId, words.repeat(1 + (at % 5)), sec, end, when, versionId, ...answer];
  };
  db.transaction(() => {
    for (let at = 0; at < count; at++) add.run(...rowOf(at));
  })();
  db.close();
}

/** Opens the sheet in a console that has shown another one before. */
async function open(page: Page, place: Place, notes: number): Promise<{ shown: number; whole: number }> {
  await page.goto("/library");
  await rowsInView(page);
  // The newest track is the song; the script of the sheet comes with the sheet of another one.
  await page.locator('[role="row"] a[href*="/library/tracks/"]').nth(1).click();
  await page.getByRole("slider", { name: /^Position in / }).waitFor();
  await page.goBack();
  await rowsInView(page);
  return (await page.evaluate(`(async () => {
    const until = (is) => new Promise((done) => {
      const look = () => is() ? requestAnimationFrame(() => done(performance.now() - startedAt)) : requestAnimationFrame(look);
      look();
    });
    const startedAt = performance.now();
    document.querySelector('[role="row"] a[href$="${place.song.id}"]').click();
    const note = () => document.querySelector('ul[aria-label="Comments"] > li[data-key]');
    const shown = await until(note);
    const whole = await until(() => note().ariaSetSize === "${notes}");
    return { shown, whole };
  })()`)) as { shown: number; whole: number };
}

/** Scrolls the notes by 60 pixels a frame, beside frames in which nothing happens. */
async function scrolling(browser: Browser, place: Place, frames: number): Promise<Figure[]> {
  const { page, cdp, close } = await openConsole(browser, place);
  await page.goto(`/library/tracks/${place.song.id}`);
  await page.getByRole("list", { name: "Comments" }).waitFor();
  await page.waitForLoadState("networkidle");
  const late = (px: number) =>
    page.evaluate(`new Promise((done) => {
      const box = document.querySelector('ul[aria-label="Comments"]');
      let [left, late, before] = [${frames}, 0, performance.now()];
      const step = (now) => {
        if (now - before > ${LATE_MS}) late++;
        before = now;
        box.scrollTop += ${px};
        if (left-- > 0) requestAnimationFrame(step);
        else done(late);
      };
      requestAnimationFrame(step);
    })`) as Promise<number>;
  await cdp.send("Performance.enable");
  const still = await late(0);
  const before = await busyMs(cdp);
  const moving = await late(60);
  const ms = ((await busyMs(cdp)) - before) / frames;
  await close();
  return [
    {
      what: "a frame in which the notes scroll, on the main thread",
      figure: `${ms.toFixed(1)} ms`,
      aim: atMost(ms, Math.floor(FRAME_MS), "ms"),
    },
    {
      what: `late of ${frames} frames while the notes scroll`,
      figure: String(moving),
      yardstick: `while nothing moves ${still}`,
      aim: atMost(moving, still, "as at rest"),
    },
  ];
}

/** Milliseconds that the page was at work so far. */
async function busyMs(cdp: CDPSession): Promise<number> {
  const { metrics } = await cdp.send("Performance.getMetrics");
  return 1000 * (metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0);
}
