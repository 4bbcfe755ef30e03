import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { BROWSER_PATH, inspect } from "../pages/browser.ts";
import { createConsole } from "./console.ts";
import { addSongs } from "./songs.ts";

let desk: Awaited<ReturnType<typeof createConsole>>;
let trackIds: string[];
beforeAll(async () => {
  if (!BROWSER_PATH) return;
  desk = await createConsole();
  trackIds = await addSongs(desk, [
    { title: "Night Ferry", artist: "The Lowlands" },
    { title: "Last Train" },
  ]);
});
afterAll(() => desk?.close());

async function share(settings: object = {}): Promise<{ id: string; url: string }> {
  const { body } = await desk.signedIn(desk.account.token)("POST", "/app/shares", {
    trackId: trackIds[0],
    ...settings,
  });
  return body.data;
}

describe.skipIf(!BROWSER_PATH)("the links", () => {
  test("begin with a sentence that says what to do", async () => {
    const { page, errors, close } = await desk.open("/library/links");

    await page.getByRole("heading", { level: 2, name: "Nothing shared yet" }).waitFor();

    expect(await inspect(page, "console-links-empty")).toEqual([]);
    expect(errors).toEqual([]);
    await close();
  });

  test.each(["desktop", "phone"] as const)("are shown in a table on a %s", async (name) => {
    await share({ recipient: "Ada at Harbour Records" });
    await share({ recipient: "Benno" });
    const revoked = await share();
    await desk.signedIn(desk.account.token)("DELETE", `/app/shares/${revoked.id}`);
    const { page, errors, close } = await desk.open("/library/links", name);
    const table = page.getByRole("table", { name: "Links" });

    const row = table.getByRole("row", { name: /Ada at Harbour Records/ }).first();
    await row.getByRole("cell", { name: "Night Ferry", exact: true }).waitFor();
    expect(await row.getByText("Live").count()).toBe(1);
    expect(
      await table
        .getByRole("row", { name: /Anyone with the link/ })
        .first()
        .textContent(),
    ).toContain("Revoked");
    expect(await inspect(page, `console-links-${name}`)).toEqual([]);
    await page.getByRole("combobox", { name: "Filter by person" }).fill("benno");
    await row.waitFor({ state: "detached" });

    expect(new URL(page.url()).search).toBe("?for=benno");
    expect(errors).toEqual([]);
    await close();
  });

  test("thousands of links are shown without drawing them all", async () => {
    const many = await createConsole();
    const [track = ""] = await addSongs(many, [{ title: "Night Ferry", seconds: 2 }]);
    const call = many.signedIn(many.account.token);
    for (let n = 0; n < 450; n++)
      await call("POST", "/app/shares", { trackId: track, recipient: `Person ${n}` });
    const { page, errors, close } = await many.open("/library/links");
    const table = page.getByRole("table", { name: "Links" });

    await page.getByText("450", { exact: true }).waitFor();
    const drawn = await table.getByRole("row").count();
    await page.getByRole("link", { name: "Person 449" }).waitFor();
    await page.getByRole("main").evaluate((main) => main.scrollTo(0, main.scrollHeight));
    await page.getByRole("link", { name: "Person 0", exact: true }).waitFor();

    expect(drawn).toBeLessThan(80);
    expect(await table.getAttribute("aria-rowcount")).toBe("451");
    expect(errors).toEqual([]);
    await close();
    await many.close();
  });
});
