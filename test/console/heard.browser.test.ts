import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { CERTAIN, PLACED_NAMES } from "../../src/ears/places.ts";
import { putHeardPassages } from "../../src/modules/library/analysis/places/store.ts";
import { BROWSER_PATH } from "../pages/browser.ts";
import { createConsole } from "./console.ts";
import { addSongs } from "./songs.ts";

let desk: Awaited<ReturnType<typeof createConsole>>;
let trackId: string;
beforeAll(async () => {
  if (!BROWSER_PATH) return;
  desk = await createConsole();
  // The addresses of sounds carry the server's time, and the browser has its own.
  desk.clock.advance(Date.now() - desk.clock.now());
  Object.assign(desk.account, desk.createAccount("today@example.com"));
  [trackId = ""] = await addSongs(desk, [{ title: "Night Ferry", seconds: 18 }]);
  const api = desk.as(desk.createKey(desk.account.accountId));
  await api("PATCH", `/tracks/tags?id=${trackId}`, { instruments: ["Saxophone", "Drums", "Harp"] });
  // Six passages of three seconds.
  const likelihoods = new Uint8Array(6 * PLACED_NAMES.length);
  likelihoods.fill(CERTAIN, 6 * PLACED_NAMES.indexOf("Drums")).fill(0, 6 * PLACED_NAMES.indexOf("Drums") + 6);
  likelihoods.fill(
    CERTAIN,
    6 * PLACED_NAMES.indexOf("Saxophone") + 3,
    6 * PLACED_NAMES.indexOf("Saxophone") + 5,
  );
  putHeardPassages(desk.deps.db, trackId, { stepSec: 3, likelihoods });
});
afterAll(() => desk?.close());

describe.skipIf(!BROWSER_PATH)("the rows under the wave", () => {
  test("show what is heard in the order of its first places, and play from there", async () => {
    const { page, errors, close } = await desk.open(`/library/tracks/${trackId}`);
    const heard = page.getByRole("region", { name: "Heard" });
    await heard.waitFor();

    expect(await heard.getByRole("button").allTextContents()).toEqual(["Drums0:00", "Saxophone0:09"]);
    if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/heard.png` });
    await heard.getByRole("button", { name: "Play Saxophone from 0:09" }).click();
    await page
      .getByText(/0:(09|1\d) \//)
      .first()
      .waitFor();

    expect(errors).toEqual([]);
    await close();
  });
});
