import type { Locator, Page } from "playwright-core";
import { PASSWORD } from "./console.ts";

/** A value that cannot be right, and the sentence that the console says about it. */
export type Bad = { value: string; says: string };
/** A field that takes any text that fits into it. */
export const ANY = "any text";
export type FormCase = {
  name: string;
  /** The file that draws it, below src/console/app. */
  file: string;
  path: string;
  /** Does what brings the form up on its screen. Returns what holds its fields. */
  open: (page: Page) => Promise<Locator>;
  /** Every field that can be written in, by its name. */
  fields: Readonly<Record<string, Bad | typeof ANY>>;
  /** The button that sends it; left out: a field is saved when it is left. */
  verb?: string;
  /** Written into other fields first, so that they are not in the way. */
  before?: Readonly<Record<string, string>>;
};

const E_MAIL = "Enter an e-mail address such as name@example.com";
const NAMELESS: Bad = { value: " ", says: "Enter a name." };
const NO_ADDRESS: Bad = { value: "nobody", says: `${E_MAIL}.` };
const NO_ADDRESS_OR_NONE: Bad = { value: "nobody", says: `${E_MAIL}, or leave it empty.` };
const NO_DAY: Bad = {
  value: "yesterday",
  says: "Enter a future date such as 24 December 2027, or leave it empty.",
};
const LINK_SETTINGS = {
  Opens: {
    value: "yesterday",
    says: "Enter a future day and time such as 3 March 2027 at 18:00, or leave it empty.",
  },
  Ends: NO_DAY,
  Visits: { value: "0", says: "Enter a whole number, 1 or more, or leave it empty." },
  Password: { value: "abc", says: "Enter a password of at least 4 characters, or leave it empty." },
} as const;

const dialog = (page: Page, name: string | RegExp) => page.getByRole("dialog", { name });
const press = async (page: Page, name: string | RegExp) => page.getByRole("button", { name }).first().click();
const choose = async (page: Page, button: string, item: string) => {
  await press(page, button);
  await page.getByRole("menuitem", { name: item, exact: true }).click();
};
/** Opens a filter of the Library. */
const filter = (item: string, name: string) => async (page: Page) => {
  await choose(page, "Add filter", item);
  return dialog(page, name);
};
const tab = (path: string, name: string) => ({
  path: `${path}?tab=${name}`,
  open: async (page: Page) => page.getByRole("tabpanel").first(),
});

/** The things of the library that forms are about. */
export type Things = {
  trackId: string;
  composerId: string;
  playlistId: string;
  albumId: string;
  shareId: string;
  briefId: string;
};

/** Every form of the console that sends what is written into it, and a bad value for each of its fields. */
export const formCases = (things: Things): FormCase[] => {
  const track = `/library/tracks/${things.trackId}`;
  const playlist = `/library/playlists/${things.playlistId}`;
  const brief = `/library/briefs/${things.briefId}`;
  const composer = `/library/composers/${things.composerId}`;
  return [
    {
      name: "Rename a track",
      file: "actions/rename.tsx",
      path: "/library",
      open: async (page) => {
        await choose(page, "More actions for Night Ferry", "Rename");
        return dialog(page, "Rename Night Ferry");
      },
      fields: { Title: { value: " ", says: "Enter a title." } },
      verb: "Rename",
    },
    {
      name: "Share a track",
      file: "share/share-dialog.tsx",
      path: "/library",
      open: async (page) => {
        await press(page, "Share Night Ferry");
        return dialog(page, "Share Night Ferry");
      },
      fields: { "For whom": ANY, ...LINK_SETTINGS },
      verb: "Create link",
    },
    {
      name: "Share several tracks",
      file: "share/share-dialog.tsx",
      path: "/library",
      open: async (page) => {
        for (const title of ["Night Ferry", "Sunday"])
          await page.getByRole("checkbox", { name: `Select ${title}` }).check();
        await page
          .getByRole("toolbar", { name: "Selection" })
          .getByRole("button", { name: "Share…" })
          .click();
        return dialog(page, "Share 2 tracks");
      },
      fields: { "Playlist name": NAMELESS, "For whom": ANY, ...LINK_SETTINGS },
      verb: "Create link",
    },
    {
      name: "Settings of a link",
      file: "screens/links/link-settings.tsx",
      path: `/library/links/${things.shareId}`,
      open: async (page) => page.getByRole("region", { name: "Settings" }),
      fields: LINK_SETTINGS,
    },
    {
      name: "New playlist",
      file: "playlists/new-playlist-dialog.tsx",
      path: "/library/playlists",
      open: async (page) => {
        await press(page, "New playlist");
        return dialog(page, "New playlist");
      },
      fields: { Name: NAMELESS, Description: ANY },
      verb: "Create",
    },
    ...(["name", "description"] as const).map(
      (part): FormCase => ({
        name: `The ${part} of a playlist`,
        file: "screens/playlists/head.tsx",
        path: playlist,
        open: async (page: Page) => {
          await press(page, `Edit ${part}`);
          return page.locator(".in-place-field");
        },
        fields: { [part === "name" ? "Name" : "Description"]: part === "name" ? NAMELESS : ANY },
      }),
    ),
    {
      name: "Edit many tracks",
      file: "actions/edit-dialog.tsx",
      path: "/library",
      open: async (page) => {
        await page.getByRole("checkbox", { name: "Select Night Ferry" }).check();
        await page.getByRole("toolbar", { name: "Selection" }).getByRole("button", { name: "Edit…" }).click();
        return dialog(page, "Edit 1 track");
      },
      fields: {
        Artist: ANY,
        Album: ANY,
        Label: ANY,
        Year: ANY,
        Genre: ANY,
        Notes: ANY,
        "Label of the active version": ANY,
      },
      verb: "Apply",
    },
    {
      name: "An invitation into a playlist",
      file: "screens/playlists/cast-invite.tsx",
      path: playlist,
      open: async (page) => {
        await page.getByRole("button", { name: "More actions", exact: true }).click();
        await page.getByRole("menuitem", { name: "People in this room…" }).click();
        await dialog(page, /^People in/)
          .getByRole("button", { name: "Invite someone" })
          .click();
        return dialog(page, "Invite someone");
      },
      fields: { "E-mail": NO_ADDRESS, Until: NO_DAY },
      before: { "E-mail": "kim@example.com" },
      verb: "Create link",
    },
    {
      name: "Album details",
      file: "screens/playlists/album.tsx",
      path: `/library/albums/${things.albumId}`,
      open: async (page) => {
        await press(page, "Edit details");
        return dialog(page, "Album details");
      },
      fields: {
        Title: NAMELESS,
        Artist: ANY,
        Label: ANY,
        "Catalogue number": ANY,
        "Release date": {
          value: "soon",
          says: "Enter a day, a month or a year, such as 2026-03-27, 2026-03 or 2026, or leave it empty.",
        },
        "UPC or EAN": {
          value: "12345",
          says: "Enter the 12 digits of a UPC or the 13 of an EAN, or leave it empty.",
        },
      },
      verb: "Save",
    },
    {
      name: "Filter by album",
      file: "screens/library/filter-dialogs.tsx",
      path: "/library",
      open: filter("Album…", "Filter by album"),
      fields: { Album: ANY },
      verb: "Apply",
    },
    {
      name: "Filter by BPM",
      file: "screens/library/filter-dialogs.tsx",
      path: "/library",
      open: filter("BPM…", "Filter by BPM"),
      before: { From: "120" },
      fields: {
        From: { value: "-1", says: "Enter 0 or more." },
        To: { value: "90", says: "Enter the first number, or a higher one." },
      },
      verb: "Apply",
    },
    {
      name: "Filter by length",
      file: "screens/library/filter-dialogs.tsx",
      path: "/library",
      open: filter("Length…", "Filter by length"),
      before: { "From, in seconds": "120" },
      fields: {
        "From, in seconds": { value: "-1", says: "Enter 0 or more." },
        "To, in seconds": { value: "90", says: "Enter the first number, or a higher one." },
      },
      verb: "Apply",
    },
    {
      name: "Filter by the day",
      file: "screens/library/filter-dialogs.tsx",
      path: "/library",
      open: filter("Added…", "Filter by the day it was added"),
      before: { "First day": "2026-05-02" },
      fields: {
        "First day": ANY,
        "Last day": { value: "2026-05-01", says: "Enter the first day, or a later one." },
      },
      verb: "Apply",
    },
    {
      name: "Add a track to a set",
      file: "sets/add-dialog.tsx",
      path: `${track}?tab=set`,
      open: async (page) => {
        await press(page, "Add to set…");
        const add = dialog(page, /^Add to the set of/);
        await add.getByRole("option").first().click();
        await add.getByLabel("Length in seconds").waitFor();
        return add;
      },
      fields: {
        "Length in seconds": {
          value: "3",
          says: "Enter 5 to 600 seconds, or nothing for the whole song.",
        },
      },
      verb: "Add",
    },
    {
      name: "The name of a track",
      file: "screens/track/head.tsx",
      path: track,
      open: async (page) => {
        await press(page, "Edit title");
        return page.locator(".in-place-field");
      },
      fields: { Title: ANY },
    },
    {
      name: "A comment",
      file: "screens/track/composer.tsx",
      path: track,
      open: async (page) => {
        await press(page, /^Comment at/);
        return page.locator(".comment-form");
      },
      fields: { Comment: ANY },
    },
    {
      name: "A reply to a comment",
      file: "screens/track/replies.tsx",
      path: track,
      open: async (page) => {
        await press(page, /^Comment at/);
        await page.getByRole("textbox", { name: "Comment" }).fill("Bass");
        await press(page, "Send");
        await press(page, "Reply");
        return page.locator(".reply-line");
      },
      fields: { Reply: ANY },
    },
    {
      name: "What should change in a version",
      file: "screens/track/review/verdicts.tsx",
      path: `${track}?tab=review`,
      open: async (page) => {
        await press(page, "Ask for changes");
        return page
          .locator("form")
          .filter({ has: page.getByRole("textbox", { name: /^What should change/ }) });
      },
      fields: { "What should change (optional)": ANY },
    },
    {
      name: "Rename a version",
      file: "screens/track/version-item.tsx",
      path: `${track}?tab=versions`,
      open: async (page) => {
        await choose(page, "More actions for Original", "Rename");
        return dialog(page, "Rename Original");
      },
      fields: { Label: ANY, Name: NAMELESS },
      verb: "Save",
    },
    {
      name: "Rights of a track",
      file: "screens/track/rights.tsx",
      ...tab(track, "rights"),
      fields: {
        ISWC: ANY,
        "UPC or EAN": ANY,
        "Release date": {
          value: "someday",
          says: "Enter a year, a month or a day: 2026, 2026-03 or 2026-03-27.",
        },
        "Your work number": { value: "123456789012345", says: "A work number has at most 14 characters." },
        "℗ line": ANY,
        "© line": ANY,
      },
    },
    {
      name: "Words of a track",
      file: "screens/track/lyrics/index.tsx",
      ...tab(track, "lyrics"),
      fields: { Words: ANY },
    },
    {
      name: "Details of a track",
      file: "screens/track/details.tsx",
      ...tab(track, "details"),
      fields: {
        Album: ANY,
        Year: ANY,
        ISRC: {
          value: "DE-1",
          says: "An ISRC has two letters, three letters or digits, and seven digits: DE-AB1-26-00042.",
        },
        Label: ANY,
        "Composer (text)": ANY,
        Language: ANY,
        BPM: { value: "0", says: "Enter a tempo from 1 to 999, or leave it empty." },
        Key: ANY,
        Lyrics: ANY,
        Notes: ANY,
      },
    },
    {
      name: "A composer of a track",
      file: "screens/track/new-composer.tsx",
      path: `${track}?tab=credits`,
      open: async (page) => {
        await press(page, "Add composer");
        await page.getByRole("combobox", { name: "Composer" }).fill("Ada Lind");
        await page.getByRole("option", { name: "New composer “Ada Lind”" }).click();
        return dialog(page, "New composer");
      },
      fields: { "Full name": NAMELESS, "E-mail": NO_ADDRESS_OR_NONE, PRO: ANY, IPI: ANY },
      verb: "Create",
    },
    {
      name: "A new composer",
      file: "screens/composers/new.tsx",
      path: "/library/composers",
      open: async (page) => {
        await press(page, "New composer");
        return dialog(page, "New composer");
      },
      before: { "Full name": "Ada Lind" },
      fields: {
        "Full name": NAMELESS,
        "Artist name": ANY,
        "E-mail": NO_ADDRESS_OR_NONE,
        "Last name": ANY,
        Publisher: ANY,
        "Publisher IPI": ANY,
        PRO: ANY,
        IPI: ANY,
        ISNI: ANY,
      },
      verb: "Create",
    },
    {
      name: "Rights of a composer",
      file: "screens/composers/composer.tsx",
      path: composer,
      open: async (page) => page.getByRole("region", { name: "Rights data" }),
      fields: {
        "Full name": NAMELESS,
        "Artist name": ANY,
        "E-mail": NO_ADDRESS_OR_NONE,
        "Last name": ANY,
        Publisher: ANY,
        "Publisher IPI": ANY,
        PRO: ANY,
        IPI: ANY,
        ISNI: ANY,
      },
    },
    {
      name: "A brief",
      file: "screens/briefs/form.tsx",
      path: brief,
      open: async (page) => page.getByRole("region", { name: "Brief" }),
      fields: { Name: NAMELESS, Description: ANY, Deadline: ANY, "Contact e-mail": NO_ADDRESS_OR_NONE },
    },
    {
      name: "Ask someone",
      file: "screens/briefs/asked.tsx",
      path: brief,
      open: async (page) => {
        await press(page, "Ask someone");
        return dialog(page, "Ask someone");
      },
      fields: {
        Name: { value: " ", says: "Enter a name or an e-mail address." },
        "E-mail": NO_ADDRESS_OR_NONE,
        Message: ANY,
      },
      verb: "Create link",
    },
    {
      name: "Send the shortlist",
      file: "screens/briefs/send.tsx",
      path: brief,
      open: async (page) => {
        await press(page, /^Send \d+ songs…$/);
        return dialog(page, "Send the shortlist");
      },
      before: { "For whom": "Ida" },
      fields: {
        "Playlist name": NAMELESS,
        "For whom": { value: " ", says: "Enter at least one person." },
        Opens: LINK_SETTINGS.Opens,
        "Ends after (days)": { value: "0", says: "Enter a number of days from 1 to 365." },
      },
      verb: "Create links",
    },
    {
      name: "Prepared sentences",
      file: "screens/inbox/sentences.tsx",
      path: "/library/inbox",
      open: async (page) => {
        await press(page, "Sentences…");
        return dialog(page, "Prepared sentences");
      },
      fields: { New: ANY, Shortlisted: ANY, Passed: ANY, Kept: ANY },
      verb: "Save",
    },
    {
      name: "The account",
      file: "screens/settings/profile.tsx",
      path: "/library/settings/profile",
      open: async (page) => page.locator(".settings-form"),
      fields: { Name: NAMELESS, "E-mail": NO_ADDRESS },
      verb: "Save",
    },
    {
      name: "Another address",
      file: "screens/settings/profile.tsx",
      path: "/library/settings/profile",
      open: async (page) => {
        await page.getByRole("textbox", { name: "E-mail" }).fill("other@example.com");
        return page.locator(".settings-form");
      },
      before: { "Current password": PASSWORD },
      fields: {
        Name: NAMELESS,
        "E-mail": NO_ADDRESS,
        "Current password": { value: "wrong", says: "This is not the password of this account." },
      },
      verb: "Save",
    },
    {
      name: "The password",
      file: "screens/settings/security.tsx",
      path: "/library/settings/security",
      open: async (page) => page.locator(".settings-form"),
      before: { "Current password": "wrong one", "New password": "another battery" },
      fields: {
        "Current password": { value: "wrong one", says: "This is not the password of this account." },
        "New password": { value: "short", says: "Enter a password of at least 8 characters." },
      },
      verb: "Change password",
    },
    {
      name: "The brand",
      file: "screens/settings/brand.tsx",
      path: "/library/settings/brand",
      open: async (page) => page.locator(".settings-form"),
      fields: {
        Name: ANY,
        "Accent colour": { value: "reddish", says: "Enter a colour such as #2f6f4e, or leave it empty." },
        Website: {
          value: "nowhere",
          says: "Enter an address such as https://example.com, or leave it empty.",
        },
      },
      verb: "Save",
    },
    {
      name: "Limits of checks",
      file: "screens/settings/checks.tsx",
      path: "/library/settings/checks",
      open: async (page) => page.locator(".settings-form"),
      fields: {
        "Highest true peak, dBTP": {
          value: "3",
          says: "Highest true peak: enter a number from -12 to 0, or nothing.",
        },
        "Largest offset, of full scale": {
          value: "loud",
          says: "Largest offset: enter a number from 0.0001 to 0.1, or nothing.",
        },
        "Longest silence at the start, s": {
          value: "61",
          says: "Longest silence at the start: enter a number from 0 to 60, or nothing.",
        },
        "Longest silence at the end, s": {
          value: "61",
          says: "Longest silence at the end: enter a number from 0 to 60, or nothing.",
        },
        "Lowest correlation of left and right": {
          value: "2",
          says: "Lowest correlation of left and right: enter a number from -1 to 1, or nothing.",
        },
        "Largest loss in mono, dB": {
          value: "0",
          says: "Largest loss in mono: enter a number from 1 to 40, or nothing.",
        },
        "Largest difference of left and right, dB": {
          value: "0",
          says: "Largest difference of left and right: enter a number from 1 to 40, or nothing.",
        },
        "Largest change by a service, dB": {
          value: "41",
          says: "Largest change by a service: enter a number from 0 to 40, or nothing.",
        },
        "Lowest sample rate, Hz": {
          value: "1",
          says: "Lowest sample rate: enter a number from 8000 to 192000, or nothing.",
        },
        "Shortest side of the cover, pixels": {
          value: "1",
          says: "Shortest side of the cover: enter a number from 300 to 10000, or nothing.",
        },
        "Largest difference in loudness, dB": {
          value: "41",
          says: "Largest difference in loudness: enter a number from 0 to 40, or nothing.",
        },
      },
    },
    {
      name: "The sender of registrations",
      file: "screens/settings/registrations.tsx",
      path: "/library/settings/registrations",
      open: async (page) => page.locator(".settings-form"),
      fields: {
        Publisher: ANY,
        IPI: ANY,
        "Sender code": { value: "TOO LONG", says: "A sender code has two or three letters or digits." },
        Society: ANY,
        "Performing right, % of a writer’s share": {
          value: "60",
          says: "The performing right is a number from 0 to 50.",
        },
        "Mechanical right, %": { value: "101", says: "The mechanical right is a number from 0 to 100." },
        "Synchronisation right, %": {
          value: "101",
          says: "The synchronisation right is a number from 0 to 100.",
        },
      },
    },
    {
      name: "An invitation",
      file: "screens/settings/team-invite.tsx",
      path: "/library/settings/team",
      open: async (page) => {
        await press(page, "Invite someone");
        return dialog(page, "Invite someone");
      },
      fields: { "E-mail": NO_ADDRESS, Until: NO_DAY },
      before: { "E-mail": "kim@example.com" },
      verb: "Create link",
    },
    {
      name: "The name of the library",
      file: "screens/settings/team.tsx",
      path: "/library/settings/team",
      open: async (page) => page.locator(".settings-form"),
      fields: { Name: NAMELESS },
      verb: "Save",
    },
    {
      name: "The role of a member",
      file: "screens/settings/team-role.tsx",
      path: "/library/settings/team",
      open: async (page) => {
        await choose(page, "More actions for The artist", "Change role…");
        return dialog(page, "Role of The artist");
      },
      fields: { Until: NO_DAY },
      verb: "Save",
    },
    {
      name: "Handing over the library",
      file: "screens/settings/team-owner.tsx",
      path: "/library/settings/team",
      open: async (page) => {
        await press(page, "Hand over the library…");
        return dialog(page, "Hand over the library");
      },
      fields: {
        "Your password": { value: "wrong one", says: "This is not the password of this account." },
      },
      verb: "Hand over",
    },
    {
      name: "A new library",
      file: "frame/new-library-dialog.tsx",
      path: "/library",
      open: async (page) => {
        await choose(page, "Account", "New library…");
        return dialog(page, "New library");
      },
      fields: { Name: NAMELESS },
      verb: "Create",
    },
    {
      name: "A music app",
      file: "screens/settings/add-app.tsx",
      path: "/library/settings/devices",
      open: async (page) => {
        const isOn = page.getByRole("switch", { name: "Let music apps in" });
        if ((await isOn.getAttribute("aria-checked")) === "false") await isOn.click();
        await press(page, "Add an app");
        return dialog(page, "Add an app");
      },
      fields: { Name: NAMELESS },
      verb: "Create",
    },
    {
      name: "A key",
      file: "screens/settings/create-key.tsx",
      path: "/library/settings/keys",
      open: async (page) => {
        await press(page, "Create key");
        return dialog(page, "Create key");
      },
      fields: { Name: NAMELESS },
      verb: "Create key",
    },
    {
      name: "The receiver of events",
      file: "screens/settings/webhooks.tsx",
      path: "/library/settings/webhooks",
      open: async (page) => page.locator("form.settings-form"),
      fields: {
        Address: {
          value: "nowhere",
          says: "This webhook address cannot be used: not an http or https address.",
        },
      },
      verb: "Save",
    },
    {
      name: "Invite someone",
      file: "screens/settings/account-dialogs.tsx",
      path: "/library/settings/server",
      open: async (page) => {
        await press(page, "Invite someone");
        return dialog(page, "Invite someone");
      },
      before: { Name: "Ben", "E-mail": "ben@example.com" },
      fields: { Name: NAMELESS, "E-mail": NO_ADDRESS },
      verb: "Make account",
    },
    {
      name: "Credits of an account",
      file: "screens/settings/account-dialogs.tsx",
      path: "/library/settings/server",
      open: async (page) => {
        // The findings come last, and move the accounts below them.
        await page.getByRole("list", { name: "Findings" }).waitFor();
        await choose(page, "More actions for Someone", "Set credits…");
        return dialog(page, /^Credits of/);
      },
      fields: { Credits: { value: "-1", says: "Enter a whole number, 0 or more, or leave it empty." } },
      verb: "Save",
    },
    {
      name: "Give an account to somebody",
      file: "screens/settings/account-dialogs.tsx",
      path: "/library/settings/server",
      open: async (page) => {
        await page.getByRole("list", { name: "Findings" }).waitFor();
        await choose(page, "More actions for Someone", "Give to…");
        return dialog(page, /^Give Someone to somebody/);
      },
      fields: { "E-mail": NO_ADDRESS },
      verb: "Give",
    },
    {
      name: "A wish",
      file: "screens/search/add-wish.tsx",
      path: "/library/search?q=warm+piano",
      open: async (page) => {
        await press(page, "Add a wish");
        return page.getByRole("dialog");
      },
      fields: { "What should it have?": { value: " ", says: "Enter what the music should have." } },
      verb: "Add",
    },
    {
      name: "A length of a search",
      file: "screens/search/chip-editor.tsx",
      path: "/library/search?q=about+3+minutes",
      open: async (page) => {
        await press(page, /^Length: .*, edit$/);
        await page.getByRole("radio", { name: "Must have" }).check();
        return dialog(page, "Edit length");
      },
      fields: { Length: { value: "soon", says: "Enter a length such as 2:00–3:00." } },
      verb: "Apply",
    },
  ];
};
