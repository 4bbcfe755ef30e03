import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { oauthGrants } from "../../db/schema.ts";
import { clientName } from "../../src/console/app/screens/settings/client-name.ts";
import { contrasts } from "../../src/console/app/screens/settings/contrast.ts";
import { DEEDS } from "../../src/console/app/screens/settings/deeds.ts";
import { PURPOSES } from "../../src/console/app/screens/settings/purposes.ts";
import { ASSIGNABLE_SCOPES } from "../../src/kernel/scopes.ts";
import { TOOLS } from "../../src/mcp/tools.ts";
import { startSender } from "../../src/modules/outward/webhooks/sender.ts";
import { contrastsOf } from "../../src/modules/people/brand/colour.ts";
import { PNG } from "../contract/files.ts";
import { legacyRequest } from "../mcp/support.ts";
import { BROWSER_PATH, inspect } from "../pages/browser.ts";
import { jsonOf } from "../support/app.ts";
import { addMember } from "../support/team.ts";
import { createReceiver, stopAll } from "../webhooks/support.ts";
import { createConsole, PASSWORD, until } from "./console.ts";
import { songFile } from "./songs.ts";

let desk: Awaited<ReturnType<typeof createConsole>>;
beforeAll(async () => {
  if (BROWSER_PATH) desk = await createConsole({ networkAllow: ["127.0.0.1"] });
});
afterAll(() => desk?.close());

const owner = () => desk.signedIn(desk.account.token);
const GRANT = {
  id: "ogr_1",
  clientId: "https://agent.example/client.json",
  clientName: "Studio agent",
  redirectUri: "http://127.0.0.1/callback",
  resource: "http://127.0.0.1/mcp",
  scopes: ["read:tracks"],
};
const NEW_PASSWORD = "another battery staple";

test("every scope that an owner can give is for a purpose", () => {
  const told = PURPOSES.flatMap(({ scopes }) => [...scopes]);

  expect(new Set<string>(told)).toEqual(new Set<string>(ASSIGNABLE_SCOPES));
});

test("every tool has words for what it does", () => {
  expect(Object.keys(DEEDS).toSorted()).toEqual(TOOLS.map(({ name }) => name).toSorted());
});

test.each([
  ["Claude", { keyId: "grt_1", name: "Claude", client: "python-httpx/0.28" }],
  ["Claude", { keyId: "key_1", name: "test", client: "Claude/1.4" }],
  ["Claude", { keyId: "key_1", name: "test", client: "claude-ai 0.1.0" }],
  ["Claude Code", { keyId: "key_1", name: "test", client: "claude-code/2.1.3 (cli)" }],
  ["Visual Studio Code", { keyId: "key_1", name: "test", client: "Visual Studio Code 1.107.0" }],
  ["Studio script", { keyId: "key_1", name: "Studio script", client: "" }],
  ["An assistant", { keyId: "key_1", name: null, client: "" }],
])("%s is named alone, without its version and the name of its key", (said, by) => {
  expect(clientName(by)).toBe(said);
});

test.each(["#2f8f5e", "#ffee88", "#101030", "#d8481f", "#808080"])(
  "the console and the server find the same contrast of %s",
  (accent) => {
    expect(contrasts(accent)).toEqual(contrastsOf(accent));
  },
);

describe.skipIf(!BROWSER_PATH)("the settings", () => {
  test("lead from one to the other, from the frame and from the account menu", async () => {
    const { page, errors, close } = await desk.open();
    const main = page.getByRole("navigation", { name: "Main" });

    await main.getByRole("link", { name: "Settings", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Profile" }).waitFor();
    const settings = page.getByRole("navigation", { name: "Settings" });
    await settings.getByRole("link", { name: "Server" }).waitFor();
    for (const name of await settings.getByRole("link").allTextContents()) {
      await settings.getByRole("link", { name, exact: true }).click();
      await page.getByRole("heading", { level: 1, name, exact: true }).waitFor();

      expect(await page.title()).toBe(`${name} · Dubplate`);
      expect(await settings.locator("[aria-current=page]").allTextContents()).toEqual([name]);
      expect(await main.locator("[aria-current=page]").allTextContents()).toEqual(["Settings"]);
    }
    await page.getByRole("button", { name: "Account" }).click();
    await page.getByRole("menuitem", { name: "Settings" }).click();
    await page.getByRole("heading", { level: 1, name: "Profile" }).waitFor();

    expect(errors).toEqual([]);
    await close();
  });

  test.each(["desktop", "phone"] as const)("change name and address on a %s", async (window) => {
    const { page, errors, close } = await desk.open("/library/settings/profile", window);

    await page.getByRole("textbox", { name: "Name" }).fill(`Mara on a ${window}`);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("status").getByText("Saved").waitFor();
    expect(await inspect(page, `console-settings-profile-${window}`)).toEqual([]);
    await page.getByRole("textbox", { name: "Name" }).fill(" ");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Enter a name.").waitFor();
    await page
      .locator(":focus")
      .and(page.getByRole("textbox", { name: "Name" }))
      .waitFor();

    await page.getByRole("textbox", { name: "Name" }).fill(`Mara on a ${window}`);
    await page.getByRole("textbox", { name: "E-mail" }).fill(`${window}@example.com`);
    await page.getByRole("textbox", { name: "Current password" }).fill("not it at all");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("This is not the password of this account.").waitFor();
    await page.getByRole("textbox", { name: "Current password" }).fill(PASSWORD);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("textbox", { name: "Current password" }).waitFor({ state: "detached" });

    const { name, email } = (await owner()("GET", "/app/account")).body.data;
    expect([name, email]).toEqual([`Mara on a ${window}`, `${window}@example.com`]);
    await owner()("PATCH", "/app/account", { email: "mara@example.com", currentPassword: PASSWORD });
    expect(errors.filter((error) => !error.includes("400"))).toEqual([]);
    await close();
  });

  test.each(["desktop", "phone"] as const)("make, rotate and revoke a key on a %s", async (window) => {
    const { page, errors, close } = await desk.open("/library/settings/keys", window);
    const table = page.getByRole("table", { name: "API keys" });
    const call = async (key: string, path: string) =>
      (await fetch(`${desk.origin}/api/v1${path}`, { headers: { "x-api-key": key } })).status;
    const shownKey = async () => {
      const key = await page.getByRole("textbox", { name: "API key" }).inputValue();
      await page.getByRole("button", { name: "Copy", exact: true }).click();
      await page.getByRole("status").getByText("Key copied").last().waitFor();
      await page.getByRole("button", { name: "Done" }).click();
      return key;
    };

    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("Studio script");
    await page.getByRole("checkbox", { name: "Share by link" }).check();
    await page.getByLabel("Expires").selectOption("In 90 days");
    expect(await inspect(page, `console-settings-create-key-${window}`)).toEqual([]);
    await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
    const first = await shownKey();
    const row = table.getByRole("row", { name: /Studio script/ });
    await row.getByText("Read the library, Share by link").waitFor();
    expect([await call(first, "/tracks"), await call(first, "/analytics/dashboard")]).toEqual([200, 403]);

    await page.getByRole("button", { name: "Rotate Studio script" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Rotate" }).click();
    const second = await shownKey();
    expect([await call(first, "/tracks"), await call(second, "/tracks")]).toEqual([401, 200]);

    await page.reload();
    await page.getByRole("table", { name: "Usage" }).getByText("GET /tracks").first().waitFor();
    expect(await inspect(page, `console-settings-keys-${window}`)).toEqual([]);
    await page.getByRole("button", { name: "Revoke Studio script" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Revoke" }).click();
    await page.getByText("There are no keys yet.").waitFor();
    expect(await call(second, "/tracks")).toBe(401);
    expect(errors).toEqual([]);
    await close();
  });

  test.each(["desktop", "phone"] as const)("give each client the text to copy on a %s", async (window) => {
    const { page, errors, context, close } = await desk.open("/library/settings/assistants", window);
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const copied = async (index: number) => {
      await page.getByRole("button", { name: "Copy", exact: true }).nth(index).click();
      await page.getByRole("status").getByText("Copied").first().waitFor();
      return page.evaluate<string>("navigator.clipboard.readText()");
    };

    await page.getByRole("heading", { name: "With a key" }).waitFor();
    expect(await copied(1)).toMatch(
      /^claude mcp add --scope user --transport http dubplate http:\S+\/mcp --header "X-API-Key: key_\.\.\./,
    );
    expect(await inspect(page, `console-settings-assistants-${window}`)).toEqual([]);
    await page.getByRole("tablist", { name: "Client" }).getByRole("tab", { name: "VS Code" }).click();
    expect(JSON.parse(await copied(0)).servers.dubplate).toEqual({
      type: "http",
      url: expect.stringMatching(/\/mcp$/),
    });

    expect(errors).toEqual([]);
    await close();
  });

  test("turn off and on again that assistants ask before they delete", async () => {
    const { page, errors, close } = await desk.open("/library/settings/assistants");
    const asks = page.getByRole("switch", { name: "Ask before an assistant deletes" });
    const kept = async () => (await owner()("GET", "/app/account")).body.data.assistantConfirm;

    await asks.click();
    await page.locator("[role=switch][aria-checked=false]").waitFor();
    expect(await kept()).toBe("never");
    await asks.click();
    await page.locator("[role=switch][aria-checked=true]").waitFor();
    expect(await kept()).toBe("deletes");

    expect(errors).toEqual([]);
    await close();
  });

  test("list the programs with access, and remove one", async () => {
    const times = { createdAt: desk.deps.now(), lastUsedAt: null, expiresAt: desk.deps.now() + 60_000 };
    desk.deps.db
      .insert(oauthGrants)
      .values({ ...GRANT, ...times, accountId: desk.account.accountId })
      .run();
    const { page, errors, close } = await desk.open("/library/settings/assistants");

    const row = page.getByRole("table", { name: "Programs" }).getByRole("row", { name: /Studio agent/ });
    await row.getByText("read:tracks").waitFor();
    await page.getByRole("button", { name: "Remove Studio agent" }).click();
    await page.getByText("No program has access yet.").waitFor();

    expect((await owner()("GET", "/app/grants")).body.data).toEqual([]);
    expect(errors).toEqual([]);
    await close();
  });

  test.each(["desktop", "phone"] as const)("set up and test a webhook on a %s", async (window) => {
    const { body } = await owner()("POST", "/integration/api-keys", { name: `Robot on a ${window}` });
    const { id } = body.data;
    const { page, errors, context, close } = await desk.open(`/library/settings/webhooks?key=${id}`, window);
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);

    await page.getByText("Nothing has been sent yet.").waitFor();
    await page.getByRole("textbox", { name: "Address" }).fill("https://93.184.215.14/hook");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("textbox", { name: "Signing secret" }).waitFor();
    await page.getByRole("button", { name: "Send test event" }).click();
    const table = page.getByRole("table", { name: "Deliveries" });
    await table.getByRole("button", { name: "webhook.test", exact: true }).click();
    await table.getByRole("heading", { name: "Request" }).waitFor();
    await page.getByText("How to verify a delivery").click();
    expect(await inspect(page, `console-settings-webhooks-${window}`)).toEqual([]);
    await page.getByRole("button", { name: "Send again: webhook.test" }).click();
    await page.getByRole("status").getByText("webhook.test is being sent again").waitFor();
    await page.getByRole("switch", { name: "Send events" }).click();
    await table.getByText("Cancelled").waitFor();

    const setting = (await owner()("GET", `/integration/api-keys/${id}/webhook`)).body.data;
    expect(setting).toMatchObject({ webhookUrl: "https://93.184.215.14/hook", webhookActive: false });
    expect(errors).toEqual([]);
    await close();
  });

  test("show why a delivery failed, and send it again", async () => {
    const receiver = createReceiver(desk.deps.now, () => new Response("out of order", { status: 500 }));
    const sender = startSender(desk.deps, { random: () => 0.5, attemptTimeoutMs: 2000 });
    const { id } = (await owner()("POST", "/integration/api-keys", { name: "Desk lamp" })).body.data;
    const { page, errors, close } = await desk.open(`/library/settings/webhooks?key=${id}`);
    await page.getByRole("textbox", { name: "Address" }).fill(receiver.url);
    await page.getByRole("button", { name: "Save" }).click();

    await page.getByRole("button", { name: "Send test event" }).click();
    await page.getByText("Test event on its way").waitFor();
    await sender.idle();
    await page.getByRole("button", { name: "Refresh" }).click();
    const table = page.getByRole("table", { name: "Deliveries" });
    await table.getByRole("cell", { name: "500" }).waitFor();
    await table.getByRole("button", { name: "webhook.test", exact: true }).click();
    await table.getByRole("heading", { name: "Try 1: 500" }).waitFor();
    await table.getByText("out of order").waitFor();
    receiver.respond(() => new Response(null, { status: 204 }));
    await page.getByRole("button", { name: "Send again: webhook.test" }).click();
    await page.getByRole("status").getByText("webhook.test is being sent again").waitFor();
    await sender.idle();
    await page.getByRole("button", { name: "Refresh" }).click();
    await table.getByRole("cell", { name: "204", exact: true }).waitFor();

    expect(receiver.received.length).toBeGreaterThanOrEqual(2);
    expect(await inspect(page, "console-settings-deliveries")).toEqual([]);
    expect(errors).toEqual([]);
    await sender.stop();
    await stopAll();
    await close();
  });

  test.each(["desktop", "phone"] as const)(
    "the settings say what assistants did in sentences on a %s, and take it back",
    async (window) => {
      const key = desk.createKey(desk.account.accountId);
      const api = desk.as(key);
      const use = async (name: string, input: object) => {
        const headers = { "x-api-key": key, "user-agent": "Claude/1.4" };
        const request = legacyRequest("tools/call", { name, arguments: input }, headers);
        return (await jsonOf(await fetch(`${desk.origin}/mcp`, request))).result.structuredContent;
      };
      const form = new FormData();
      form.append("files", songFile({ title: "Wanderer", seconds: 2 }, window.length));
      const [{ id: trackId }] = (await api("POST", "/tracks/upload", form)).body.data.uploaded;
      await api("POST", "/tracks/cover-art", { trackId, base64: Buffer.from(PNG).toString("base64") });
      const list = (await api("POST", "/playlists", { name: "Spring", trackIds: [trackId] })).body.data;
      const playlistId = list.playlist.id;
      const email = `ines-${window}@example.com`;
      const { composer } = await use("create_composer", { fullName: "Ines Okafor", email });
      await use("update_track_details", { trackId, title: "Wanderer (renamed)" });
      await use("update_playlist", { playlistId, name: "Spring 2027" });
      await use("update_track_tags", { trackId, genres: ["Techno"], dryRun: true });
      await use("update_composer", { composerId: composer.id, publisher: "Lind Songs" });
      await use("delete_composer", { composerId: composer.id });
      const { page, errors, close } = await desk.open("/library/assistant", window);
      const calls = page.getByRole("list", { name: "Calls" }).getByRole("listitem");
      const says = (sentence: string) => calls.filter({ has: page.getByRole("heading", { name: sentence }) });
      const said = says("Claude renamed Wanderer to Wanderer (renamed)").first();

      await said.waitFor();
      await until(
        () => page.evaluate<boolean>(`document.querySelector(".call img.cover")?.naturalWidth > 0`),
        true,
      );
      await says("Claude renamed the playlist Spring to Spring 2027").first().waitFor();
      await says("Claude deleted the composer Ines Okafor").first().waitFor();
      // The composer is gone, and so is the name.
      await says("Claude changed a composer").first().waitFor();
      expect(await said.getByText(trackId).isVisible()).toBe(false);
      await said.getByText("Details", { exact: true }).click();
      // What was sent and what it changed is the same value, which shows once.
      expect(await said.getByRole("definition").getByText("Wanderer (renamed)").count()).toBe(1);
      await said.getByRole("definition").getByText("Claude/1.4").waitFor();
      expect(await inspect(page, `console-assistant-calls-${window}`)).toEqual([]);
      const deleted = says("Claude deleted the composer Ines Okafor").first();
      await deleted.getByRole("button", { name: "Take back" }).click();
      await page
        .getByRole("status")
        .getByText("The change to the composer Ines Okafor was taken back")
        .waitFor();
      await deleted.locator("header").getByText("Taken back").waitFor();
      await says("Claude changed the composer Ines Okafor").first().waitFor();
      await said.getByRole("button", { name: "Take back" }).click();
      await said.locator("header").getByText("Taken back").waitFor();
      await page.getByRole("switch", { name: "Show calls that changed nothing too" }).click();
      await says("Claude added the composer Ines Okafor").first().waitFor();
      await says("Claude would change the tags of Wanderer").first().getByText("Preview").waitFor();

      expect(
        (await api("GET", `/tracks/single?id=${trackId}`)).body.data.track.audio_profile.title,
      ).toBeNull();
      expect(errors).toEqual([]);
      await close();
    },
  );

  test("change the password, and end the other sessions", async () => {
    const signIn = (password: string) =>
      fetch(`${desk.origin}/auth/login`, {
        method: "POST",
        headers: { "content-type": "application/json", "user-agent": "studio-script/2" },
        body: JSON.stringify({ email: "mara@example.com", password }),
      });
    await signIn(PASSWORD);
    await signIn(PASSWORD);
    const { page, close } = await desk.open("/library/settings/security");
    const table = page.getByRole("table", { name: "Sessions" });

    await table.getByText("studio-script").first().waitFor();
    expect(await table.getByText("This one").count()).toBe(1);
    expect(await inspect(page, "console-settings-security")).toEqual([]);
    await page.getByRole("button", { name: "End session of studio-script" }).first().click();
    await page.getByRole("status").getByText("Session ended").waitFor();
    await page.getByRole("button", { name: "End all other sessions" }).click();
    await table.getByText("studio-script").first().waitFor({ state: "detached" });

    await page.getByRole("textbox", { name: "Current password" }).fill("not the password");
    await page.getByRole("textbox", { name: "New password" }).fill(NEW_PASSWORD);
    await page.getByRole("button", { name: "Change password" }).click();
    await page.getByText("This is not the password of this account.").waitFor();
    await page.getByRole("textbox", { name: "Current password" }).fill(PASSWORD);
    await page.getByRole("button", { name: "Change password" }).click();
    await page.getByRole("status").getByText("Password changed").waitFor();

    expect([(await signIn(PASSWORD)).status, (await signIn(NEW_PASSWORD)).status]).toEqual([401, 200]);
    await close();
  });

  test.each(["desktop", "phone"] as const)("tell the operator of the server on a %s", async (window) => {
    const { page, errors, close } = await desk.open("/library/settings/server", window);

    await page.getByText(/Not verified since the server started|fault found/).waitFor();
    await page.getByRole("list", { name: "Findings" }).getByText("data folder").waitFor();
    await page.getByRole("meter", { name: "Disk in use" }).waitFor();
    await page.getByRole("table", { name: "Accounts" }).getByText("Operator").waitFor();
    expect(await inspect(page, `console-settings-server-${window}`)).toEqual([]);
    // The database of the test is not in its folder.
    await page.route("**/app/server/backup", (route) => route.abort("aborted"));
    const asked = page.waitForRequest("**/app/server/backup");
    await page.getByRole("button", { name: "Back up now" }).click();
    expect((await asked).method()).toBe("POST");
    await page.getByRole("status").getByText("Making the backup").waitFor();
    await page.getByRole("button", { name: "Verify files" }).click();
    await page.getByText(/fault found/).waitFor();
    await page.getByText("The database is missing").waitFor();

    expect(errors).toEqual([]);
    await close();
  });

  test("give a library to somebody, and block and let in people", async () => {
    const label = desk.createAccount("label@example.com");
    const { personId } = addMember(desk, label.accountId, { role: "producer" });
    const { page, errors, close } = await desk.open("/library/settings/server");
    const email = `${personId}@example.com`;
    const rowOf = (table: string, name: string) =>
      page.getByRole("table", { name: table, exact: true }).getByRole("row", { name: new RegExp(name) });
    await page.getByRole("list", { name: "Findings" }).waitFor();

    await rowOf("Accounts", "label@example.com")
      .getByRole("button", { name: /^More actions for/ })
      .click();
    await page.getByRole("menuitem", { name: "Give to…" }).click();
    const dialog = page.getByRole("dialog", { name: /^Give Someone to somebody/ });
    await dialog.getByRole("textbox", { name: "E-mail" }).fill(email);
    expect(await inspect(page, "console-settings-give")).toEqual([]);
    await dialog.getByRole("button", { name: "Give" }).click();
    await page.getByRole("status").getByText("The producer is the owner of Someone now").waitFor();
    await rowOf("Accounts", email).getByText("The producer").waitFor();

    await rowOf("People", email).getByRole("button", { name: "Sign-in of The producer" }).click();
    await page.getByRole("menuitem", { name: "Block…" }).click();
    await page
      .getByRole("alertdialog", { name: "Block The producer?" })
      .getByRole("button", { name: "Block The producer" })
      .click();
    await rowOf("People", email).getByText("Blocked").waitFor();
    await rowOf("People", email).getByRole("button", { name: "Sign-in of The producer" }).click();
    await page.getByRole("menuitem", { name: "Let in again" }).click();
    await rowOf("People", email).getByText("Blocked").waitFor({ state: "detached" });

    expect(errors).toEqual([]);
    await close();
  });

  test.each(["desktop", "phone"] as const)(
    "invite, limit, disable and delete accounts on a %s",
    async (window) => {
      const email = `nina.${window}@example.com`;
      const { page, errors, close } = await desk.open("/library/settings/server", window);
      const row = page.getByRole("table", { name: "Accounts" }).getByRole("row", { name: new RegExp(email) });
      const choose = async (name: string) => {
        await page.getByRole("button", { name: `More actions for Nina ${window}` }).click();
        await page.getByRole("menuitem", { name }).click();
      };

      await page.getByRole("button", { name: "Invite someone" }).click();
      await page.getByRole("textbox", { name: "Name" }).fill(`Nina ${window}`);
      await page.getByRole("textbox", { name: "E-mail" }).fill(email);
      expect(await inspect(page, `console-settings-invite-${window}`)).toEqual([]);
      await page.getByRole("button", { name: "Make account" }).click();
      const link = page.getByRole("dialog", { name: `Link for ${email}` });
      expect(await link.getByRole("textbox", { name: "Link" }).inputValue()).toContain("/reset?token=");
      await link.getByRole("button", { name: "Done" }).click();
      await row.waitFor();

      await choose("Set credits…");
      await page.getByRole("spinbutton", { name: "Credits" }).fill("25");
      await page.getByRole("button", { name: "Save" }).click();
      await row.getByText("25", { exact: true }).waitFor();
      await choose("Disable");
      await row.getByText("Disabled").waitFor();
      await choose("Enable");
      await row.getByText("Disabled").waitFor({ state: "detached" });
      await choose("Delete…");
      const remove = page.getByRole("dialog", { name: `Delete Nina ${window} for good?` });
      expect(await remove.getByRole("button", { name: "Delete" }).isDisabled()).toBe(true);
      await remove.getByRole("textbox").fill(email);
      await remove.getByRole("button", { name: "Delete" }).click();
      await row.waitFor({ state: "detached" });

      expect(errors).toEqual([]);
      await close();
    },
  );

  test("show the server to its operator alone", async () => {
    const { token } = desk.createAccount("guest@example.com");
    const { page, context, close } = await desk.open("/library/settings/profile");
    await context.clearCookies();
    await context.addCookies([{ name: "dubplate_session", value: token, url: desk.origin }]);

    await page.goto("/library/settings/server");

    await page.getByText("Only the account of the server's operator may do this").waitFor();
    const settings = page.getByRole("navigation", { name: "Settings" });
    expect(await settings.getByRole("link", { name: "Server" }).count()).toBe(0);
    await close();
  });

  test.each(["desktop", "phone"] as const)("take a brand on a %s", async (window) => {
    const { page, errors, close } = await desk.open("/library/settings/brand", window);
    const accent = page.getByRole("textbox", { name: "Accent colour" });
    const contrast = page.getByRole("list", { name: "Contrast" });

    await page.getByRole("textbox", { name: "Name" }).fill("Harbour Records");
    await accent.fill("#ffee88");
    await contrast.getByText(/On light paper: 1\.\d to 1, hard to see/).waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("This is too light to be seen on light paper.").waitFor();
    await accent.fill("#2f8f5e");
    await page.getByRole("textbox", { name: "Website" }).fill("harbour.example");
    await page.getByLabel("Logo file").setInputFiles({
      name: "logo.gif",
      mimeType: "image/gif",
      buffer: Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64"),
    });
    await page.getByRole("img", { name: "Logo" }).waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("status").getByText("Saved").waitFor();
    await page.getByRole("region", { name: "Preview" }).getByText("Harbour Records").first().waitFor();
    expect(await inspect(page, `console-settings-brand-${window}`)).toEqual([]);
    await page.getByRole("button", { name: "Remove logo" }).click();
    await page.getByRole("img", { name: "Logo" }).waitFor({ state: "detached" });

    expect((await owner()("GET", "/app/account/brand")).body.data).toEqual({
      name: "Harbour Records",
      accent: "#2f8f5e",
      website: "https://harbour.example/",
      logoUrl: null,
    });
    expect(errors.filter((error) => !error.includes("400"))).toEqual([]);
    await close();
  });
});
