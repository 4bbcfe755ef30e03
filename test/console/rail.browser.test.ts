import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { BROWSER_PATH, inspect } from "../pages/browser.ts";
import { createTestApp } from "../support/app.ts";
import { addTrackRows } from "../support/track-rows.ts";
import { createConsole } from "./console.ts";

const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
const EACH = 10;

/** Ten tracks for each letter, and as many that begin with a digit. */
const titles = [...LETTERS, "7"].flatMap((letter) =>
  Array.from({ length: EACH }, (_, number) => `${letter} piece ${number}`),
);

describe("the marks of the table", () => {
  test("say where each letter or month begins, in the order of the list", async () => {
    const app = await createTestApp();
    const { accountId, token } = app.createAccount();
    for (const title of ["Äther", "banana", "Beta", "7 inch", "(Intro)", "Zulu"])
      addTrackRows(app.deps.db, accountId, { name: `${title}.wav`, title });
    const marks = async (query: string) =>
      (await app.signedIn(token)("GET", `/app/tracks/marks?${query}`)).body.data.map(
        ({ label, position }: { label: string; position: number }) => `${label} ${position}`,
      );
    const names = async (sort: string) =>
      (await app.signedIn(token)("GET", `/app/tracks?sort=${sort}`)).body.data.map(
        ({ title }: { title: string }) => title,
      );

    const [up, down] = [await marks("sort=name"), await marks("sort=-name")];

    for (const [marked, listed] of [
      [up, await names("name")],
      [down, await names("-name")],
    ])
      for (const mark of marked.filter((each: string) => /^[BZ]/.test(each)))
        expect(listed[Number(mark.split(" ")[1])][0].toUpperCase()).toBe(mark[0]);
    expect(up.filter((each: string) => each.startsWith("#"))).toHaveLength(1);
    expect(await marks("sort=created_at")).toHaveLength(1);
    expect(await marks("sort=name&q=beta")).toEqual(["B 0"]);
    expect(await marks("sort=bpm")).toEqual([]);
    await app.close();
  });
});

describe.skipIf(!BROWSER_PATH)("the rail beside the Library", () => {
  let desk: Awaited<ReturnType<typeof createConsole>>;
  beforeAll(async () => {
    if (!BROWSER_PATH) return;
    desk = await createConsole();
    for (const title of titles)
      addTrackRows(desk.deps.db, desk.account.accountId, { name: `${title}.wav`, title, measured: {} });
  });
  afterAll(() => desk?.close());

  test("jumps to a letter by press and by key, and goes with another order", async () => {
    const { page, errors, close } = await desk.open("/library?sort=name");
    const rail = page.getByRole("group", { name: "Jump to" });

    await rail.getByRole("button", { name: "Jump to T", exact: true }).click();
    await page.getByRole("row", { name: "T piece 0" }).waitFor();
    expect(await page.getByRole("row", { name: "A piece 0" }).count()).toBeLessThan(2);
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await page.getByRole("row", { name: "S piece 0" }).waitFor();
    expect(await inspect(page, "console-library-rail")).toEqual([]);
    await page.getByRole("columnheader", { name: "BPM" }).getByRole("button", { name: "BPM" }).click();
    await rail.waitFor({ state: "detached" });

    expect(errors).toEqual([]);
    await close();
  });

  test("a rail of months leaves the rows' own buttons free", async () => {
    const spread = "UPDATE tracks SET created_at = created_at - (seq % 12) * 2678400000";
    desk.deps.db.$client.run(spread);
    const { page, errors, close } = await desk.open("/library?sort=-created_at");
    const rail = page.getByRole("group", { name: "Jump to" });
    await rail.getByRole("button", { name: "Jump to Jan 26" }).waitFor();

    const dots = page.getByRole("button", { name: /^More actions for/ }).first();
    const icon = await dots.locator("svg").boundingBox();
    const marks = await rail.getByRole("button").all();
    const lefts = await Promise.all(marks.map(async (mark) => (await mark.boundingBox())?.x ?? 0));

    expect((icon?.x ?? 0) + (icon?.width ?? 0)).toBeLessThanOrEqual(Math.min(...lefts));
    expect(await inspect(page, "console-library-months")).toEqual([]);
    expect(errors).toEqual([]);
    await close();
  });
});
