import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { BROWSER_PATH } from "../pages/browser.ts";
import { createConsole } from "./console.ts";
import { addSongs } from "./songs.ts";

let desk: Awaited<ReturnType<typeof createConsole>>;
beforeAll(async () => {
  if (!BROWSER_PATH) return;
  desk = await createConsole();
  // The addresses of sounds carry the server's time, and the browser has its own.
  desk.clock.advance(Date.now() - desk.clock.now());
  Object.assign(desk.account, desk.createAccount("today@example.com"));
  await addSongs(desk, [
    { title: "Night Ferry", artist: "The Lowlands" },
    { title: "Last Train", seconds: 4 },
  ]);
});
afterAll(() => desk?.close());

describe.skipIf(!BROWSER_PATH)("a tap on a row of the Library", () => {
  test("fetches the sound at once, and asks for nothing before", async () => {
    const { page, errors, close } = await desk.open("/library");
    const row = page.getByRole("row", { name: "Night Ferry, The Lowlands" });
    await row.hover();
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));

    await row.getByRole("button", { name: "Play Night Ferry" }).click();
    await page.getByRole("region", { name: "Player" }).getByRole("button", { name: "Pause" }).waitFor();
    await page.getByText("0:01 /").waitFor();

    expect(asked.filter((path) => /single$|versions$/.test(path))).toEqual([]);
    expect(asked.some((path) => path.startsWith("/media/"))).toBe(true);
    expect(errors).toEqual([]);
    await close();
  });
});
