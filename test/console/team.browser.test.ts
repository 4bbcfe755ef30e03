import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { BROWSER_PATH, inspect } from "../pages/browser.ts";
import { addMember, joinToo } from "../support/team.ts";
import { addTrackRows } from "../support/track-rows.ts";
import { createConsole, PASSWORD, until } from "./console.ts";
import { addSongs } from "./songs.ts";
import { lookInPalette, pressEverything, pressKeys, refusalsOf } from "./walk.ts";

const TEAM = "/library/settings/team";

let desk: Awaited<ReturnType<typeof createConsole>>;
/** The screens of the library, with what there is on them. */
let paths: string[] = [];
beforeAll(async () => {
  if (!BROWSER_PATH) return;
  desk = await createConsole();
  paths = await fill();
});
afterAll(() => desk?.close());

/** Adds somebody to the library, under a name. */
function join(name: string, role: Parameters<typeof addMember>[2]["role"], more = {}) {
  const member = addMember(desk, desk.account.accountId, { role, ...more });
  desk.deps.db.$client.run("UPDATE people SET name = ?, email = ? WHERE id = ?", [
    name,
    `${name.toLowerCase().replaceAll(" ", ".")}@example.com`,
    member.personId,
  ]);
  return member;
}

const THINGS = /Night Ferry|Sunday|Hers|Mine|Together|Estuary|\d+:\d+|[\d.]+ BPM/g;
/** Addresses that neither a listener nor an artist can open. */
const CLOSED = [
  "links",
  "briefs",
  "inbox",
  "composers",
  "insights",
  "welcome",
  "assistant",
  "settings/brand",
  "settings/registrations",
  "settings/checks",
];

/** Notes which library the requests of a window name, from now on. */
function namesOfLibrary(page: Page): string[] {
  const names: string[] = [];
  page.on("request", (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (!pathname.startsWith("/app/")) return;
    names.push(request.headers()["x-library"] ?? searchParams.get("in") ?? `none: ${pathname}`);
  });
  return names;
}

/** Fills the library with what screens show. */
async function fill(): Promise<string[]> {
  const call = desk.signedIn(desk.account.token);
  const idOf = async (path: string, body: unknown) => (await call("POST", path, body)).body.data.id;
  const titles = ["Night Ferry", "Sunday", "Gone"].map((title) => ({ title, seconds: 3 }));
  const [ferry = "", sunday = "", gone] = await addSongs(desk, titles);
  const trackIds = [ferry, sunday];
  const playlist = await idOf("/app/playlists", { name: "Hers", trackIds });
  const album = await idOf("/app/playlists", { name: "Estuary", kind: "album", trackIds });
  await call("DELETE", `/app/tracks/${gone}`);
  await call("POST", `/app/tracks/${ferry}/comments`, { text: "Louder", positionSec: 1 });
  await call("POST", "/app/shares", { trackId: ferry, recipient: "Ida" });
  return [
    "/library",
    "/library/search?q=warm+piano",
    `/library/tracks/${ferry}`,
    "/library/playlists",
    `/library/playlists/${playlist}`,
    `/library/albums/${album}`,
    "/library/deleted",
    "/library/settings/profile",
    TEAM,
    "/library/settings/security",
    "/library/settings/devices",
    "/library/settings/keys",
    "/library/settings/assistants",
  ];
}

/** Adds a comment and, where the role allows it, a playlist. Returns the addresses of playlists. */
async function addOwn(call: ReturnType<typeof desk.signedIn>, trackId = ""): Promise<string[]> {
  await call("POST", `/app/tracks/${trackId}/comments`, { text: "Mine", positionSec: 2 });
  const { status, body } = await call("POST", "/app/playlists", { name: "Mine", trackIds: [trackId] });
  return status === 403 ? [] : [`/library/playlists/${body.data.id}`];
}

describe.skipIf(!BROWSER_PATH)("somebody in a library", () => {
  test("is offered what their role allows, and nothing else", async () => {
    const { token } = join("Lena", "listener");
    const { page, errors, close } = await desk.open("/library/settings/profile", "desktop", token);
    const linksOf = (name: string) =>
      page.getByRole("navigation", { name }).getByRole("link").allTextContents();

    await page.getByRole("textbox", { name: "Name" }).waitFor();

    expect(await linksOf("Settings")).toEqual([
      "Profile",
      "Team",
      "Security",
      "Devices",
      "API keys",
      "Assistants",
    ]);
    expect(await linksOf("Main")).toEqual([
      "Search",
      "Library",
      "Recently deleted",
      "Albums",
      "Playlists",
      "Settings",
    ]);
    expect(await page.getByRole("button", { name: "Upload" }).count()).toBe(0);
    await page.getByRole("button", { name: "Account" }).click();
    expect(await page.getByRole("menuitem").locator("span:first-child").allTextContents()).toEqual([
      "Recently deleted",
      "Settings",
      "Keyboard shortcuts",
      "Sign out",
    ]);
    expect(errors).toEqual([]);
    await close();
  });

  test.each(["listener", "artist"] as const)(
    "as %s is refused nothing that the console offers",
    async (role) => {
      const { token } = join(`Walking ${role}`, role);
      const [library = "", , track = "", , playlist = ""] = paths;
      const own = await addOwn(desk.signedIn(token), track.split("/").at(-1));
      const { page, errors, close } = await desk.open("/library", "desktop", token);
      const refused = refusalsOf(page);
      const pressed: string[] = [];
      for (const path of [...paths, ...own])
        pressed.push(...(await pressEverything(page, path, page.getByRole("main"), THINGS)));
      for (const tab of ["tags", "details", "activity"]) await page.goto(`${track}?tab=${tab}`);
      for (const path of CLOSED) {
        const answer = await page.goto(`/library/${path}`);
        expect([path, answer?.status()]).toEqual([path, 404]);
        await page.getByRole("heading", { name: "Nothing here" }).waitFor();
      }
      for (const path of [library, track, playlist]) await pressKeys(page, path);
      await lookInPalette(page);

      expect(refused).toEqual([]);
      expect(errors.filter((error) => !/status of 500/.test(error))).toEqual([]);
      expect(pressed).toContain("More actions for Sunday > Play next");
      expect(pressed.includes("More actions for Sunday > Download")).toBe(role === "artist");
      await close();
    },
  );

  test("is told at once when they were removed, and led to their other library", async () => {
    const ben = join("Ben", "producer");
    const own = desk.createAccount("studio@example.com");
    const run = (sql: string, ...values: string[]) => desk.deps.db.$client.run(sql, values);
    run("UPDATE accounts SET name = 'Ben’s studio' WHERE id = ?", own.accountId);
    run("UPDATE members SET person_id = ? WHERE account_id = ?", ben.personId, own.accountId);
    const { page, close } = await desk.open("/library/settings/profile", "desktop", ben.token);
    await page.getByRole("textbox", { name: "Name" }).waitFor();

    run("DELETE FROM members WHERE id = ?", ben.memberId);
    run("UPDATE sessions SET account_id = ? WHERE person_id = ?", own.accountId, ben.personId);
    await page.getByRole("alert").getByText("You are no longer in Someone.").waitFor();
    expect(await inspect(page, "console-team-left")).toEqual([]);
    await page.getByRole("button", { name: "Go to Ben’s studio" }).click();

    await page.getByRole("heading", { level: 1, name: "Library" }).waitFor();
    await page.getByRole("alert").waitFor({ state: "detached" });
    await close();
  });

  test("who is in two libraries has both open side by side, each in its own addresses", async () => {
    const ben = join("Sam", "producer");
    const studio = desk.createAccount("sams-studio@example.com");
    const run = (sql: string, ...values: string[]) => desk.deps.db.$client.run(sql, values);
    run("UPDATE accounts SET name = 'Sam’s studio' WHERE id = ?", studio.accountId);
    joinToo(desk, studio.accountId, ben.personId, { role: "manager" });
    addTrackRows(desk.deps.db, studio.accountId, { title: "Of the studio" });
    const { page, context, errors, close } = await desk.open("/library/playlists", "desktop", ben.token);
    const label = desk.account.accountId;
    await page.getByRole("banner").getByText("Someone").waitFor();
    expect(new URL(page.url()).search).toBe(`?in=${label}`);
    const named = namesOfLibrary(page);

    await page.getByRole("button", { name: "Account" }).click();
    const choice = page.getByRole("group", { name: "Library" }).getByRole("menuitemradio");
    expect(await choice.allTextContents()).toEqual(["Someone", "Sam’s studio"]);
    expect(await choice.nth(0).getAttribute("aria-checked")).toBe("true");
    expect(await inspect(page, "console-team-switcher", "[role=menu]")).toEqual([]);
    const [other] = await Promise.all([context.newPage(), page.keyboard.press("Escape")]);
    await other.goto(`/library?in=${studio.accountId}`);
    await other.getByRole("row", { name: "Of the studio" }).waitFor();
    await other.getByRole("banner").getByText("Sam’s studio").waitFor();
    await other.getByRole("link", { name: "Playlists" }).click();
    expect(new URL(other.url()).search).toBe(`?in=${studio.accountId}`);

    await page.getByRole("link", { name: "Links" }).click();
    await page.getByRole("heading", { level: 1, name: "Links" }).waitFor();
    expect(new URL(page.url()).search).toBe(`?in=${label}`);
    await until(async () => [...new Set(named)], [label]);
    await page.getByRole("button", { name: "Account" }).click();
    await choice.nth(1).click();
    await page.getByRole("row", { name: "Of the studio" }).waitFor();
    expect(new URL(page.url()).search).toBe(`?in=${studio.accountId}`);
    // The session goes on there, where an address names none.
    await page.goto("/library");
    await page.getByRole("row", { name: "Of the studio" }).waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  test("who has one library sees neither a choice nor `in`, and founds another where the server allows it", async () => {
    const { page, close } = await desk.open("/library/playlists?in=nothing-of-this-person");
    await page.getByRole("heading", { name: "You are not in this library" }).waitFor();
    await page.goto(`/library/playlists?in=${desk.account.accountId}`);
    await page.getByRole("heading", { level: 1, name: "Playlists" }).waitFor();
    await page.getByRole("button", { name: "Account" }).click();

    expect(new URL(page.url()).search).toBe("");
    expect(await page.getByRole("menuitemradio").count()).toBe(0);
    expect(await page.getByRole("banner").getByText("Someone").count()).toBe(0);
    await page.getByRole("menuitem", { name: "New library…" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("Second label");
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByRole("banner").getByText("Second label").waitFor();
    desk.deps.db.$client.run("DELETE FROM accounts WHERE name = 'Second label'");
    await close();
  });

  test("sees another role at once, and keeps what they are typing", async () => {
    const { memberId, token } = join("Rae", "producer");
    const { page, errors, close } = await desk.open(`${paths[2]}?tab=details`, "desktop", token);
    const lyrics = page.getByRole("textbox", { name: "Lyrics" });
    await lyrics.fill("Not saved yet");
    const change = (role: string) =>
      desk.deps.db.$client.run("UPDATE members SET role = ? WHERE id = ?", [role, memberId]);

    change("listener");
    await page.getByRole("status").getByText("You are a listener in Someone now").waitFor();
    await lyrics.waitFor({ state: "detached" });
    expect(await page.getByRole("link", { name: "Links" }).count()).toBe(0);
    change("manager");
    await page.getByRole("link", { name: "Links" }).waitFor();

    expect(await lyrics.inputValue()).toBe("Not saved yet");
    expect(errors).toEqual([]);
    await close();
  });

  test("opens a playlist to everyone, which an artist changes then", async () => {
    const { token } = join("Ari", "artist");
    const owner = await desk.open(paths[4]);
    const ari = await desk.open(paths[4], "desktop", token);
    await ari.page.getByRole("button", { name: "Play all" }).waitFor();
    expect(await ari.page.getByRole("button", { name: "Edit name" }).count()).toBe(0);

    await owner.page.getByRole("button", { name: "More actions", exact: true }).click();
    await owner.page
      .getByRole("menuitemcheckbox", { name: "Everyone may change it", checked: false })
      .click();
    await owner.page.getByText("Collaborative", { exact: true }).waitFor();
    await ari.page.getByText("Collaborative", { exact: true }).waitFor();
    await ari.page.getByRole("button", { name: "Edit name" }).click();
    await ari.page.getByRole("textbox", { name: "Name" }).fill("Together");
    await ari.page.keyboard.press("Enter");

    await owner.page.getByRole("heading", { name: "Together" }).waitFor();
    expect([...owner.errors, ...ari.errors]).toEqual([]);
    await owner.close();
    await ari.close();
  });

  test("sees who else is there, and addresses only when they manage the team", async () => {
    const { token } = join("Nora", "listener", { splits: true });
    const columnsFor = async (who: Awaited<ReturnType<typeof desk.open>>) => {
      const members = who.page.getByRole("table", { name: "Members" });
      await members.getByText("Splits", { exact: true }).waitFor();
      return members.getByRole("columnheader").allTextContents();
    };
    const nora = await desk.open(TEAM, "desktop", token);
    expect(await columnsFor(nora)).toEqual(["Name", "Role", "Also sees", "Since"]);
    await nora.page.getByRole("row", { name: "Nora" }).getByText("You").waitFor();
    expect(await nora.page.getByText("@example.com").count()).toBe(0);

    for (const window of ["desktop", "phone"] as const) {
      const owner = await desk.open(TEAM, window);
      expect(await columnsFor(owner)).toEqual(["Name", "Role", "Also sees", "Since", "Last seen", "Actions"]);
      await owner.page.getByText("nora@example.com").waitFor();
      expect(owner.errors).toEqual([]);
      await owner.close();
    }
    expect(nora.errors).toEqual([]);
    await nora.close();
  });

  test("is invited, given another role and removed by keyboard alone", async () => {
    join("Jo", "producer");
    const { page, context, errors, close } = await desk.open(TEAM);
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const { keyboard } = page;
    const menu = page.getByRole("button", { name: "More actions for Jo" });
    const press = async (...keys: string[]) => {
      for (const key of keys) await keyboard.press(key);
    };

    await page.getByRole("button", { name: "Invite someone" }).focus();
    await press("Enter");
    await page.getByRole("textbox", { name: "E-mail" }).and(page.locator(":focus")).waitFor();
    await keyboard.type("kim@example.com");
    await press("Tab", "ArrowDown");
    await page.getByRole("radio", { name: "Artist", checked: true }).waitFor();
    expect(await page.getByRole("switch", { name: "Sees who listened" }).getAttribute("aria-checked")).toBe(
      "false",
    );
    await press("Enter");
    const link = page.getByRole("dialog", { name: "Link for kim@example.com" });
    const url = await link.getByRole("textbox", { name: "Link" }).inputValue();
    await link.getByRole("button", { name: "Copy" }).focus();
    await press("Enter");
    await page.getByRole("status").getByText("Link copied").waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(url);
    expect(url).toStartWith(`${desk.origin}/join?token=`);
    await press("Escape");
    await page.getByRole("table", { name: "Invitations" }).getByText("kim@example.com").waitFor();

    await menu.focus();
    await press("Enter", "Enter");
    await page.getByRole("radio", { name: "Producer", checked: true }).focus();
    await press("ArrowDown", "Enter");
    await page.getByRole("status").getByText("Role changed to artist").waitFor();
    await page
      .getByRole("table", { name: "Members" })
      .getByRole("row", { name: "Jo" })
      .getByText("Artist")
      .waitFor();

    await menu.focus();
    await press("Enter", "ArrowDown", "Enter");
    await page
      .getByRole("alertdialog", { name: "Remove Jo?" })
      .getByRole("button", { name: "Remove Jo" })
      .focus();
    await press("Enter");
    await page.getByRole("status").getByText("Jo removed").waitFor();
    await page.getByRole("row", { name: "Jo" }).waitFor({ state: "detached" });

    const log = page.getByRole("list", { name: "What happened" }).getByRole("listitem");
    expect((await log.allTextContents()).filter((line) => /Jo|kim/.test(line)).length).toBeGreaterThanOrEqual(
      3,
    );
    expect(errors).toEqual([]);
    await close();
  });

  test.each(["desktop", "phone"] as const)("can be read and changed by everybody on a %s", async (window) => {
    join(`Mo on a ${window}`, "artist", { splits: true });
    const { page, errors, close } = await desk.open(TEAM, window);
    const members = page.getByRole("table", { name: "Members" });
    await members.getByRole("row", { name: "Mo" }).first().waitFor();
    expect(await inspect(page, `console-team-${window}`)).toEqual([]);

    await page.getByRole("button", { name: "Invite someone" }).click();
    await page.getByRole("dialog", { name: "Invite someone" }).waitFor();
    expect(await inspect(page, `console-team-invite-${window}`)).toEqual([]);
    await page.getByRole("textbox", { name: "E-mail" }).fill(`ida.${window}@example.com`);
    await page.getByRole("button", { name: "Create link" }).click();
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByRole("button", { name: `Withdraw invitation for ida.${window}@example.com` }).click();
    await page.getByText(`ida.${window}@example.com`, { exact: true }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: `More actions for Mo on a ${window}` }).click();
    await page.getByRole("menuitem", { name: "Remove…" }).click();
    await page.getByRole("alertdialog").waitFor();
    expect(await inspect(page, `console-team-remove-${window}`)).toEqual([]);
    await page.getByRole("button", { name: "Cancel" }).click();

    expect(errors).toEqual([]);
    await close();
  });

  test("leaves by a question, and only its owner hands the library over", async () => {
    const { token } = join("Finn", "manager");
    const finn = await desk.open(TEAM, "desktop", token);
    await finn.page.getByRole("button", { name: "Invite someone" }).click();
    expect(await finn.page.getByRole("radio").count()).toBe(3);
    await finn.page.keyboard.press("Escape");
    const { page, close } = await desk.open(TEAM);
    await page.getByRole("button", { name: "Hand over the library…" }).click();
    await page.getByRole("combobox", { name: "New owner" }).selectOption("Finn");
    await page.getByRole("textbox", { name: "Your password" }).fill(PASSWORD);
    await page.getByRole("button", { name: "Hand over", exact: true }).click();
    await page.getByRole("status").getByText("Finn is the owner now").waitFor();

    await page.getByRole("button", { name: "Leave Someone" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Leave Someone" }).click();
    await page.waitForURL(/\/signin/);
    await finn.close();
    await close();
  });
});
