import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { BROWSER_PATH } from "../pages/browser.ts";
import type { Json } from "../support/app.ts";
import { addTrackRows } from "../support/track-rows.ts";
import { createConsole, until } from "./console.ts";

describe.skipIf(!BROWSER_PATH)("rights in the console", () => {
  let desk: Awaited<ReturnType<typeof createConsole>>;
  let call: ReturnType<typeof desk.signedIn>;
  let trackId: string;
  let composerId: string;
  beforeAll(async () => {
    desk = await createConsole();
    call = desk.signedIn(desk.account.token);
    trackId = addTrackRows(desk.deps.db, desk.account.accountId, {
      name: "Night Drive.wav",
      title: "Night Drive",
    }).id;
    composerId = (await call("POST", "/app/composers", { fullName: "Ben Rio" })).body.data.id;
    const shareholders = [{ shareholderId: composerId, share: 100, role: "Composer" }];
    await call("PUT", `/app/library/tracks/shareholders?id=${trackId}`, { shareholders });
  });
  afterAll(() => desk?.close());
  const rights = async (): Promise<Json> =>
    (await call("GET", `/app/library/tracks/${trackId}/rights`)).body.data;

  test("are typed on the track, with a wrong number marked, and its papers are saved", async () => {
    const { page, errors, close } = await desk.open(`/library/tracks/${trackId}?tab=rights`);
    const panel = page.getByRole("tabpanel").first();
    await panel.getByLabel("ISWC").fill("T-034.524.680-2");
    await panel.getByLabel("UPC or EAN").fill("4006381333931");
    await panel.getByLabel("Explicit").selectOption({ label: "Clean: edited" });
    await page.getByText("The check digit does not fit. Compare it with the certificate.").waitFor();
    await panel.getByRole("button", { name: "Add a part" }).click();
    await panel.getByLabel("Extent of part 1").selectOption({ label: "Generated" });
    await until(async () => (await rights()).aiUse.map(({ extent }: Json) => extent), ["generated"]);

    expect(await rights()).toMatchObject({
      ...{ iswc: "T-034.524.680-2", upc: "4006381333931", explicit: "clean", problems: ["bad_iswc"] },
      aiUse: [{ part: "vocals", extent: "generated", tool: null, note: null }],
    });
    await panel.getByRole("button", { name: "Papers…" }).click();
    const dialog = page.getByRole("dialog", { name: "Papers of Night Drive" });
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      dialog.getByRole("button", { name: "Save split sheet", exact: true }).click(),
    ]);
    const saved = readFileSync(await download.path(), "utf8");
    await dialog.getByRole("button", { name: "Register" }).click();
    await dialog.getByText("The sender has no name.").waitFor();

    expect(download.suggestedFilename()).toBe("Night Drive split-sheet.csv");
    expect(saved.startsWith("\ufeffwork title,ISWC")).toBe(true);
    expect(saved).toContain("Ben Rio,Composer,,,100.00");
    expect(errors).toEqual([]);
    await close();
  });

  test("are asked of a composer by a link, and what they send is taken from their page", async () => {
    const { page, errors, close } = await desk.open(`/library/composers/${composerId}`);
    await page.getByRole("button", { name: "Ask Ben Rio…" }).click();
    await page
      .getByRole("dialog", { name: "Ask Ben Rio" })
      .getByRole("button", { name: "Create link" })
      .click();
    const link = page.getByRole("dialog", { name: "Link for Ben Rio" });
    const url = new URL(await link.getByLabel("Link").inputValue());
    await link.getByRole("button", { name: "Done" }).click();

    const visitor = await desk.open("/library");
    await visitor.page.goto(desk.origin + url.pathname);
    await visitor.page.getByRole("textbox", { name: "IPI" }).fill("00017798450");
    await visitor.page.getByRole("radio", { name: "This is right", exact: true }).check();
    await visitor.page.getByRole("button", { name: "Send" }).click();
    await visitor.page.getByRole("heading", { name: "Thank you" }).waitFor();
    await visitor.close();

    await page.getByText("Ben Rio sent an IPI: 00017798450").waitFor();
    await page.getByRole("button", { name: "Take it" }).click();
    const ipi = async () => (await call("GET", `/app/composers/${composerId}`)).body.data.ipi;
    await until(ipi, "00017798450");
    expect(errors).toEqual([]);
    await close();
  });
});
