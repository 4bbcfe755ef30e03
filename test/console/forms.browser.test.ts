import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Locator } from "playwright-core";
import { issueSentence } from "../../src/console/app/api/field-words.ts";
import { BROWSER_PATH, type WatchedWindow } from "../pages/browser.ts";
import { addMember } from "../support/team.ts";
import { createConsole } from "./console.ts";
import { ANY, type Bad, type FormCase, formCases, type Things } from "./forms.ts";
import { openBrief, send, shortlistTwo } from "./submissions.ts";

const APP = "src/console/app";
/** What draws a form of which somebody writes the fields. */
const FORM =
  /<(?:form|FormDialog|DialogForm|InviteForm|SettingsForm|FilterForm|KeptField|EditInPlace|SettingFields)\b/;
/** What other forms are made of. */
const PARTS = ["ui/form-dialog.tsx", "share/invite-form.tsx", "screens/settings/frame.tsx"];
/** Forms that have no case, and why. */
const WITHOUT_REFUSALS = new Map([
  ["frame/session-dialog.tsx", "it shows when the session has ended: see session-door.test.ts"],
  [
    "share/ask-composer.tsx",
    "it has nothing to write in where no mails are sent: see rights.browser.test.ts",
  ],
  ["share/notes-dialog.tsx", "it has nothing to write in: see notes-export.browser.test.ts"],
  ["screens/links/send-link.tsx", "it shows where mails are sent: see sending.browser.test.ts"],
  ["uploads/record/record-dialog.tsx", "any name will do: see record.browser.test.ts"],
  ["pocket/comment-dialog.tsx", "it waits for a connection: see pocket.browser.test.ts"],
  ["sets/kind-dialog.tsx", "it has the fields of sets/add-dialog.tsx"],
  ["sets/keep-dialog.tsx", "it has the fields of sets/add-dialog.tsx for each track"],
  ["screens/search/search-field.tsx", "any words are a search"],
  ["screens/leaks/index.tsx", "it is sent to be looked at: see leaks.browser.test.ts"],
  ["screens/composers/merge.tsx", "it has nothing to write in"],
  ["readiness/ai-dialog.tsx", "it has nothing to write in"],
  ["readiness/explicit-dialog.tsx", "it has nothing to write in"],
  ["readiness/shares-dialog.tsx", "it is sent once the shares are whole: see readiness.browser.test.ts"],
  ["readiness/text-dialog.tsx", "it shows where something is missing: see readiness.browser.test.ts"],
  ["screens/settings/passkeys.tsx", "it shows where passkeys are on: see passkeys.browser.test.ts"],
  [
    "screens/settings/proof.tsx",
    "it shows when a proof is too old: see passkeys.browser.test.ts and ways-in.browser.test.ts",
  ],
]);
/** Words of the schema, and of programs. */
const TECHNICAL = /must |a string|characters or null|documented form|is required|undefined|null|NaN|object|_/;

const NO_THINGS: Things = {
  trackId: "",
  composerId: "",
  playlistId: "",
  albumId: "",
  shareId: "",
  briefId: "",
};
const CASES = formCases(NO_THINGS);

test("every form of the console has a case, so that a new one cannot be forgotten", async () => {
  const forms: string[] = [];
  for (const file of new Bun.Glob("**/*.tsx").scanSync(APP))
    if (FORM.test(await Bun.file(`${APP}/${file}`).text())) forms.push(file);
  const known = new Set([...CASES.map(({ file }) => file), ...WITHOUT_REFUSALS.keys(), ...PARTS]);

  expect(forms.filter((file) => !known.has(file))).toEqual([]);
  expect([...known].filter((file) => !forms.includes(file))).toEqual([]);
});

describe.skipIf(!BROWSER_PATH)("a refusal", () => {
  let desk: Awaited<ReturnType<typeof createConsole>>;
  /** One for all forms: each is opened on a fresh document. */
  let window: WatchedWindow;
  const things = { ...NO_THINGS };
  beforeAll(async () => {
    desk = await createConsole();
    const call = desk.signedIn(desk.account.token);
    const made = async (path: string, body: unknown) => (await call("POST", path, body)).body.data.id;
    const brief = await openBrief(desk);
    things.briefId = brief.id;
    await send(desk, brief.publicUrl, 0, 1);
    await shortlistTwo(desk, things.briefId);
    things.trackId = (await call("GET", "/app/tracks?q=Ferry")).body.data[0].id;
    things.composerId = await made("/app/composers", { fullName: "Ines Okafor" });
    things.playlistId = await made("/app/playlists", { name: "Evening", trackIds: [things.trackId] });
    things.albumId = await made("/app/playlists", { name: "Estuary", kind: "album" });
    things.shareId = await made("/app/shares", { trackId: things.trackId, recipient: "Ida" });
    await made("/integration/api-keys", { name: "Script" });
    addMember(desk, desk.account.accountId, { role: "artist" });
    window = await desk.open();
  });
  afterAll(() => desk?.close());

  test.each(CASES.map(({ name }, at) => [name, at] as const))("is a sentence in: %s", async (_, at) => {
    const form = formCases(things)[at] as FormCase;
    const { page, errors } = window;
    errors.length = 0;
    const open = async () => {
      await page.goto(form.path);
      return await form.open(page);
    };
    let fields = await open();
    await fields.locator(WRITTEN).first().waitFor();

    expect((await namesOf(fields)).toSorted()).toEqual(Object.keys(form.fields).toSorted());
    const refused = Object.entries(form.fields).filter(([, bad]) => bad !== ANY) as [string, Bad][];
    for (const [index, [name, bad]] of refused.entries()) {
      if (index > 0) fields = await open();
      await refuse(fields, form, name, bad);
      await fields.locator(".field-error", { hasText: bad.says }).waitFor();
      const said = await fields.locator(".field-error").allTextContents();
      expect(said).toContain(bad.says);
      for (const sentence of said) expect(sentence).not.toMatch(TECHNICAL);
      for (const sentence of said) expect(sentence).toMatch(/^[A-Z].*[.!?]$/);
    }
    expect(errors.filter((error) => !/status of 400/.test(error))).toEqual([]);
  });

  test("is not needed for a composer of whom only the name is known", async () => {
    const { page, close } = await desk.open(`/library/tracks/${things.trackId}?tab=credits`);
    await page.getByRole("button", { name: "Add composer" }).click();
    await page.getByRole("combobox", { name: "Composer" }).fill("Ada Lind");
    await page.getByRole("option", { name: "New composer “Ada Lind”" }).click();
    await page.getByRole("button", { name: "Create", exact: true }).click();
    await page.getByRole("spinbutton", { name: "Share of Ada Lind" }).fill("100");
    await page.getByRole("button", { name: "Save credits" }).click();
    await page.getByText("Credits saved").waitFor();
    await page.goto("/library/composers");
    await page.getByRole("link", { name: "Ada Lind" }).waitFor();

    const { body } = await desk.signedIn(desk.account.token)("GET", "/app/composers");
    expect(body.data[0]).toMatchObject({ fullName: "Ada Lind", email: null, trackCount: 1 });
    await close();
  });
});

describe("a sentence about a field", () => {
  test.each([
    [
      "a text that is too long",
      { code: "string_max_length", detail: "must be a string, at most 200 characters" },
      "Shorten this to 200 characters or fewer.",
    ],
    [
      "an optional text that is too long",
      { code: "union", detail: "must be a string, at most 200 characters or null" },
      "Shorten this to 200 characters or fewer.",
    ],
    [
      "an optional address",
      { code: "union", detail: "must be a string, at most 254 characters, in the documented form or null" },
      `Enter an e-mail address such as name@example.com, or leave it empty.`,
    ],
    [
      "a rule that is not known",
      { code: "new_rule", detail: "must be {a: 1}" },
      "Enter an e-mail address such as name@example.com.",
    ],
  ])("says of %s what to do", (_, issue, sentence) => {
    expect(issueSentence({ path: "email", ...issue })).toBe(sentence);
  });

  test("names a field that it knows nothing of", () => {
    const issue = { path: "items.0.leadTime", code: "number", detail: "must be a number" };

    expect(issueSentence(issue)).toBe("Check “lead time”: this cannot be saved as it is.");
  });
});

/** What somebody can write into. */
const WRITTEN =
  "textarea, input:is([type=text], [type=email], [type=password], [type=url], [type=number], [type=date], :not([type])):not([readonly], [hidden])";

/** Returns what the fields are called. */
const namesOf = (fields: Locator): Promise<string[]> =>
  fields.locator(WRITTEN).evaluateAll((all) =>
    all.map((each) => {
      const { labels } = each as HTMLElement & { labels: readonly { textContent: string }[] };
      return each.getAttribute("aria-label") ?? labels[0]?.textContent ?? "";
    }),
  );

const fieldOf = (fields: Locator, name: string) =>
  fields.getByLabel(name, { exact: true }).and(fields.locator(WRITTEN));

/** Writes a bad value, and sends the form or leaves the field. */
async function refuse(
  fields: Locator,
  { before = {}, verb }: FormCase,
  name: string,
  bad: Bad,
): Promise<void> {
  for (const [other, value] of Object.entries(before))
    if (other !== name) await fieldOf(fields, other).fill(value);
  const field = fieldOf(fields, name);
  await field.fill(bad.value);
  if (verb === undefined) await field.blur();
  else await fields.getByRole("button", { name: verb, exact: true }).click();
  await fields.locator(".field-error").first().waitFor();
}
