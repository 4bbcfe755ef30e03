/**
 * A walk through the console in Firefox and WebKitGTK, by `bun run test:engines`. They are too large for every run of the tests.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import axe from "axe-core";
import { createServedApp } from "../../pages/browser.ts";
import { drumLoop, FOUR_TO_THE_FLOOR } from "../../support/signals.ts";
import { PASSWORD } from "../console.ts";
import { wavOf } from "../track-songs.ts";
import type { Driver } from "./driver.ts";
import { FIREFOX_PATH, startFirefox } from "./firefox.ts";
import { HANDS } from "./hands.ts";
import { HAS_WEBKIT, startWebKit } from "./webkit.ts";

const ENGINES = [
  { name: "Firefox", isHere: FIREFOX_PATH !== null, start: startFirefox, packages: "firefox-esr" },
  { name: "WebKitGTK", isHere: HAS_WEBKIT, start: startWebKit, packages: "webkit2gtk-driver xvfb" },
];
for (const { name, isHere, packages } of ENGINES)
  if (!isHere) console.log(`Not checked in ${name}: this needs Debian's ${packages}`);

const EMAIL = "mara@example.com";

describe.each(ENGINES.filter(({ isHere }) => isHere))("the console in $name", ({ start }) => {
  let app: Awaited<ReturnType<typeof createServedApp>>;
  let driver: Driver;
  let accountId: string;
  let tempo: number;
  /** Does something with {@link HANDS}, as in `hands.press("button", "Share")`. */
  const can = (deed: string) =>
    driver.evaluate(`(async () => { const hands = ${HANDS}; return ${deed}; })()`);
  beforeAll(async () => {
    app = await createServedApp();
    accountId = app.createAccount(EMAIL).accountId;
    driver = await start();
  });
  afterAll(async () => {
    await driver?.close();
    await app?.close();
  });

  test("leads from signing in to an empty library", async () => {
    await driver.open(`${app.origin}/library`);
    await can(`hands.type("textbox", /^E-mail/, ${JSON.stringify(EMAIL)})`);
    await can(`hands.type("textbox", /^Password/, ${JSON.stringify(PASSWORD)})`);
    await can(`hands.press("button", "Sign in")`);

    expect(await can(`hands.see("heading", "Drop your music here")`)).toBe("Drop your music here");
    expect(await findings()).toEqual([]);
  });

  test("takes a dropped song, and shows what was heard in it", async () => {
    const song = Buffer.from(wavOf(drumLoop(16_000, 16, 124, FOUR_TO_THE_FLOOR))).toString("base64");
    await can(`hands.drop("Night Bus.wav", "${song}")`);
    await can(`hands.text(/1 of 1 uploaded/)`);
    await app.drainJobs();
    const api = app.as(app.createKey(accountId));
    const { body } = await api("GET", "/tracks");
    const single = await api("GET", `/tracks/single?id=${body.data[0].id}`);
    tempo = Math.round(single.body.data.track.audio_profile.bpm);
    await driver.open(`${app.origin}/library`);

    expect(await can(`hands.see("row", /^Night Bus/)`)).toContain("Night Bus");
    expect(await can(`hands.see("link", "Night Bus")`)).toBe("Night Bus");
    expect(await findings()).toEqual([]);
  });

  test("finds it by its tempo, plays it, and makes a link to it", async () => {
    await driver.open(`${app.origin}/library/search?q=around+${tempo}+bpm`);
    await can(`hands.see("grid", "Results")`);
    await can(`hands.press("link", "Night Bus")`);
    await can(`hands.see("heading", "Night Bus")`);
    await can(`hands.press("button", "Play")`);
    await can(`hands.see("button", "Pause")`);
    await can(`hands.press("button", "Share")`);
    await can(`hands.press("button", "Create link")`);

    expect(await can(`hands.see("textbox", /^Public link/)`)).toContain("Public link");
    expect(await findings()).toEqual([]);
    await can(`hands.press("button", "Done")`);
  });

  test("goes back to where one was", async () => {
    await driver.open(`${app.origin}/library`);
    await can(`hands.press("link", "Playlists")`);
    await can(`hands.see("heading", "Playlists")`);
    await driver.evaluate("history.back()");

    expect(await can(`hands.see("heading", /^Library/)`)).toContain("Library");
    expect(await can(`hands.see("link", "Night Bus")`)).toBe("Night Bus");
    expect(await findings()).toEqual([]);
  });

  /** What axe finds wrong with the page as it stands. */
  async function findings(): Promise<string[]> {
    await driver.evaluate(`(() => { ${axe.source}; return true; })()`);
    return (await driver.evaluate(
      `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).join(" | ")))`,
    )) as string[];
  }
});
