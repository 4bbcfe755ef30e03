import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { BROWSER_PATH, inspect } from "../pages/browser.ts";
import { createConsole } from "./console.ts";
import { shortlistTwo } from "./submissions.ts";

let desk: Awaited<ReturnType<typeof createConsole>>;
let call: ReturnType<typeof desk.signedIn>;
beforeAll(async () => {
  if (!BROWSER_PATH) return;
  desk = await createConsole();
  call = desk.signedIn(desk.account.token);
});
afterAll(() => desk?.close());

describe.skipIf(!BROWSER_PATH)("composers", () => {
  test("are added, checked, merged by hand, and two again after undo", async () => {
    const { page, errors, close } = await desk.open("/library/composers");
    await page.getByRole("heading", { level: 2, name: "Who wrote it?" }).waitFor();

    for (const [name, ipi] of [
      ["Ada Berg", "00017798451"],
      ["A. Berg", ""],
    ] as const) {
      await page.getByRole("button", { name: "New composer" }).click();
      const dialog = page.getByRole("dialog", { name: "New composer" });
      await dialog.getByRole("textbox", { name: "Full name" }).fill(name);
      await dialog.getByRole("textbox", { name: "IPI", exact: true }).fill(ipi);
      await dialog.getByRole("button", { name: "Create" }).click();
      await dialog.waitFor({ state: "detached" });
    }
    const table = page.getByRole("table", { name: "Composers" });
    await table.getByText("IPI wrong").waitFor();
    expect(await inspect(page, "console-composers-desktop")).toEqual([]);
    await table.getByRole("link", { name: "Ada Berg" }).click();
    await page.getByRole("heading", { level: 1, name: "Ada Berg" }).waitFor();
    await page.getByRole("textbox", { name: "IPI", exact: true }).fill("00017798450");
    await page.getByRole("textbox", { name: "PRO" }).fill("PRS");
    await page.getByRole("textbox", { name: "Publisher", exact: true }).focus();
    await page.getByText("The check digits are wrong").waitFor({ state: "detached" });
    expect(await inspect(page, "console-composer-desktop")).toEqual([]);
    await page.goBack();
    await page.getByRole("button", { name: /^Merge .* and / }).click();
    const dialog = page.getByRole("dialog", { name: "Merge composers" });
    await dialog.getByRole("radio", { name: /^Ada Berg/ }).check();
    await dialog.getByRole("button", { name: "Merge" }).click();
    await table.getByRole("link", { name: "A. Berg" }).waitFor({ state: "detached" });
    await page.keyboard.press("z");
    await table.getByRole("link", { name: "A. Berg" }).waitFor();

    expect(errors).toEqual([]);
    await close();
  });

  test("fit a telephone", async () => {
    const { page, errors, close } = await desk.open("/library/composers", "phone");

    await page.getByRole("table", { name: "Composers" }).getByRole("link", { name: "Ada Berg" }).waitFor();

    expect(await inspect(page, "console-composers-phone")).toEqual([]);
    expect(errors).toEqual([]);
    await close();
  });
});

describe.skipIf(!BROWSER_PATH)("a brief", () => {
  test("a brief is written beside its page and opened, and a person is asked by name", async () => {
    const { page, errors, close } = await desk.open("/library/briefs");
    await page.getByRole("heading", { level: 2, name: "Ask for music" }).waitFor();
    expect(await inspect(page, "console-briefs-empty")).toEqual([]);

    await page.getByRole("button", { name: "New brief" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("Night drive");
    await page.getByRole("textbox", { name: "Description" }).fill("Dark and slow, no vocals");
    await page.getByRole("textbox", { name: "Deadline" }).fill("2099-12-24");
    await page.getByRole("textbox", { name: "Contact e-mail" }).fill("mara@example.com");
    await page.getByRole("switch", { name: "Public page" }).click();
    await page.getByRole("button", { name: "Open brief" }).click();
    await page.getByRole("heading", { level: 1, name: "Night drive" }).waitFor();
    await page.getByRole("button", { name: "Close brief" }).waitFor();
    const preview = page.getByRole("region", { name: "Preview" });
    await preview.getByText("Dark and slow, no vocals").waitFor();
    await preview.getByText("Until the end of 24 December 2099 (UTC)").waitFor();
    const address = await page.getByRole("textbox", { name: "Address of the page" }).inputValue();
    await page.getByRole("button", { name: "Ask someone" }).click();
    const dialog = page.getByRole("dialog", { name: "Ask someone" });
    await dialog.getByRole("textbox", { name: "Name" }).fill("Ada Berg");
    await dialog.getByRole("button", { name: "Create link" }).click();
    await page.getByRole("table", { name: "Asked" }).getByText("Ada Berg").waitFor();

    expect(await (await fetch(`${desk.origin}${new URL(address).pathname}`)).text()).toContain(
      "Dark and slow, no vocals",
    );
    expect(await inspect(page, "console-brief-desktop")).toEqual([]);
    await page.reload();
    await page.getByRole("textbox", { name: "Description" }).waitFor();
    expect(await page.getByRole("textbox", { name: "Deadline" }).inputValue()).toBe("2099-12-24");
    expect(errors).toEqual([]);
    await close();
  });

  test("a shortlist goes out as one playlist, with a link for each person", async () => {
    const brief = (await call("GET", "/app/briefs")).body.data[0];
    await shortlistTwo(desk, brief.id);
    const { page, errors, close } = await desk.open(`/library/briefs/${brief.id}`, "phone");
    const list = page.getByRole("list", { name: "Goes out" });

    await list.getByText("No composers").first().waitFor();
    await list.getByRole("checkbox", { name: "Include Sunday" }).click();
    await page.getByRole("list", { name: "More that fits" }).getByText("Sunday").waitFor();
    expect(await inspect(page, "console-brief-phone")).toEqual([]);
    await page.getByRole("button", { name: "Send 1 song…" }).click();
    const dialog = page.getByRole("dialog", { name: "Send the shortlist" });
    await dialog.getByRole("textbox", { name: "For whom" }).fill("Ida\nBen");
    await dialog.getByRole("button", { name: "Create links" }).click();
    const link = await dialog.getByRole("textbox", { name: "Link for Ida" }).inputValue();
    const other = await dialog.getByRole("textbox", { name: "Link for Ben" }).inputValue();

    expect(link).not.toBe(other);
    const shares = (await call("GET", "/app/links")).body.data.filter(
      ({ recipient }: { recipient: string | null }) => recipient !== null,
    );
    expect(shares.every(({ expiresAt }: { expiresAt: string | null }) => expiresAt !== null)).toBe(true);
    expect(await (await fetch(`${desk.origin}${new URL(link).pathname}`)).text()).toContain("Night Ferry");
    expect(errors).toEqual([]);
    await close();
  });

  test("a brief leads to what the library has that fits", async () => {
    const brief = (await call("GET", "/app/briefs")).body.data[0];
    const { page, errors, close } = await desk.open(`/library/briefs/${brief.id}`);

    await page.getByRole("link", { name: "What have we got that fits" }).click();
    await page.getByRole("heading", { level: 1, name: "Search" }).waitFor();

    const text = await page.getByRole("textbox", { name: "Describe the music" }).inputValue();
    expect(text).toBe("Night drive. Dark and slow, no vocals");
    await page.getByRole("button", { name: "Mood: Dark, edit" }).waitFor();
    await page.getByRole("grid", { name: "Results" }).getByRole("link").first().waitFor();
    expect(errors).toEqual([]);
    await close();
  });
});
