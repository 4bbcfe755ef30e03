import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { BROWSER_PATH, inspect } from "../pages/browser.ts";
import { tune } from "../support/tune.ts";
import { createConsole, until } from "./console.ts";
import { RATE_HZ, wavOf } from "./track-songs.ts";

const SECONDS = 16;
const song = (seed: number, lead = 0.25) => tune(RATE_HZ, SECONDS, seed, { lead }).map((x) => 0.4 * x);

describe.skipIf(!BROWSER_PATH)("what may belong together", () => {
  let desk: Awaited<ReturnType<typeof createConsole>>;
  const ids = new Map<string, string>();
  beforeAll(async () => {
    desk = await createConsole();
    const files: [string, Float32Array<ArrayBuffer>][] = [
      ["Halo", song(1)],
      ["Tide", song(5)],
      ["Ember", song(7)],
      ["Halo (Instrumental)", song(1, 0)],
      ["Tide (Instrumental)", song(9)],
      ["Ember (Clean)", song(11)],
    ];
    for (const [name, samples] of files) await upload(name, samples);
  }, 120_000);
  afterAll(() => desk?.close());

  async function upload(name: string, samples: Float32Array<ArrayBuffer>): Promise<void> {
    const form = new FormData();
    form.set("files", new File([wavOf(samples)], `${name}.wav`));
    const { body } = await desk.as(desk.createKey(desk.account.accountId))("POST", "/tracks/upload", form);
    ids.set(name, body.data.uploaded[0].id);
    desk.clock.advance(60_000);
    await desk.drainJobs();
  }

  test("is asked under Sets with both waves, played in turns, and answered by keys and buttons", async () => {
    const { page, errors } = await desk.open("/library/families");
    const asked = page.getByRole("list", { name: "Questions" });
    const pair = (name: string) => asked.getByRole("listitem", { name });

    await page.getByRole("heading", { level: 1, name: "Sets" }).waitFor();
    await page.getByText("2 files may belong together").waitFor();
    await pair("Tide (Instrumental)").getByText("Is this the instrumental of “Tide”?").waitFor();
    await until(
      () =>
        page.evaluate(
          () =>
            [...document.querySelectorAll<HTMLCanvasElement>("main canvas")].filter(({ width }) => width > 0)
              .length,
        ),
      4,
    );
    const problems = [await inspect(page, "console-families")];
    await pair("Tide (Instrumental)").getByRole("button", { name: "Play both" }).click();
    await pair("Tide (Instrumental)").getByRole("button", { name: "Pause" }).click();
    await pair("Ember (Clean)").getByRole("button", { name: "Choose another song…" }).focus();
    await page.keyboard.press("y");
    await page.getByText("Kept “Ember (Clean)” with “Ember” as its clean version.").waitFor();
    await page.getByText("1 file may belong together").waitFor();
    await pair("Tide (Instrumental)").getByRole("button", { name: "No", exact: true }).click();
    await page.getByText("Nothing to ask").waitFor();

    const call = desk.as(desk.createKey(desk.account.accountId));
    const { body } = await call("GET", `/tracks/${ids.get("Ember (Clean)")}/family`);
    expect(
      body.data.members.map(({ title, kind }: { title: string; kind: string }) => [title, kind]),
    ).toEqual([
      ["Ember", "main"],
      ["Ember (Clean)", "clean"],
    ]);
    expect(problems).toEqual([[]]);
    expect(errors).toEqual([]);
  }, 60_000);

  test("joins by itself where name and sound agree, as Uploads says, and is separated by Undo for good", async () => {
    const { page, errors } = await desk.open("/library/uploads");
    const kept = page.getByRole("list", { name: "Sets" });

    await kept.getByText("Kept with “Halo” as its instrumental.").waitFor();
    const problems = [await inspect(page, "console-families-uploads")];
    await kept.getByRole("button", { name: "Undo: Halo (Instrumental)" }).click();
    await page.getByText("“Halo (Instrumental)” is kept apart from “Halo”.").waitFor();
    await kept.getByRole("listitem").waitFor({ state: "detached" });

    const { data } = (await desk.signedIn(desk.account.token)("GET", "/app/families/questions")).body;
    expect(data.map(({ title }: { title: string }) => title)).not.toContain("Halo (Instrumental)");
    expect(problems).toEqual([[]]);
    expect(errors).toEqual([]);
  }, 60_000);

  test("is asked on the track's own sheet, where another song can be chosen", async () => {
    await upload("Tide (Clean)", song(13));
    const { page, errors } = await desk.open(`/library/tracks/${ids.get("Tide (Clean)")}`);
    const set = page.getByRole("region", { name: "Set" });

    await set.getByText("Is this the clean version of “Tide”?").waitFor();
    const problems = [await inspect(page, "console-families-sheet")];
    await set.getByRole("button", { name: "Choose another song…" }).click();
    const dialog = page.getByRole("dialog", { name: "Which song is “Tide (Clean)” of?" });
    await dialog.getByRole("combobox", { name: "Song" }).fill("Halo");
    await dialog.getByRole("option", { name: "Halo", exact: true }).click();
    await page.getByText("Kept “Tide (Clean)” with “Halo” as its clean version.").waitFor();
    await set.waitFor({ state: "detached" });

    expect(problems).toEqual([[]]);
    expect(errors).toEqual([]);
  }, 60_000);
});
