import type { Page } from "playwright-core";
import { SCREENS } from "../../src/console/shared/addresses.ts";
import type { Scene } from "./library.ts";
import { uploadSome } from "./people.ts";

/** A view to take a picture of. */
export type View = {
  name: string;
  /** Whose console it is; left out: nobody is signed in. */
  as?: "full" | "empty";
  path: string;
  /** What a person would do before the picture. */
  prepare?: (page: Page) => Promise<unknown>;
  /** Only in one of the windows. */
  only?: "desktop" | "phone";
};

/** Until a sound that was moved is drawn. */
const MOMENT_MS = 800;

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).first();

const mine = (name: string, path: string, more: Partial<View> = {}): View => ({
  name,
  path,
  as: "full",
  ...more,
});

/** Every view of the console: full, empty, and when something is wrong. */
export function viewsOf({ full, wav }: Scene): View[] {
  return [
    { name: "signed-out-sign-in", path: "/signin" },
    ...libraryViews(),
    ...searchViews(full.trackIds),
    ...trackViews(`/library/tracks/${full.trackId}`),
    ...sharingViews(full),
    ...deskViews(full),
    ...settingsViews(),
    ...Object.entries(full.pages).map(([name, path]): View => ({ name: `visitor-${name}`, path })),
    ...frameViews(),
    mine("uploads-some", "/library/uploads", { prepare: (page) => uploadSome(page, wav) }),
    ...troubleViews(),
    ...[
      "",
      "/search",
      "/albums",
      "/playlists",
      "/links",
      "/leaks",
      "/deliver",
      "/deliveries",
      "/families",
      "/inbox",
      "/briefs",
      "/composers",
      "/insights",
      "/uploads",
      "/deleted",
      "/welcome",
    ].map((path): View => ({ name: `empty${path.replace("/", "-")}`, path: `/library${path}`, as: "empty" })),
  ];
}

const libraryViews = (): View[] => [
  mine("library", "/library"),
  mine("library-playing", "/library", {
    prepare: async (page) => {
      const steps = button(page, "Dismiss first steps");
      if (await steps.isVisible()) await steps.click();
      await playLongNamed(page);
      await page.keyboard.press("4");
      await page.waitForTimeout(MOMENT_MS);
    },
  }),
  mine("library-selection", "/library", {
    prepare: async (page) => {
      const boxes = page.getByRole("checkbox", { name: /^Select / });
      await boxes.nth(1).check({ force: true });
      await boxes.nth(3).check({ force: true });
    },
    only: "desktop",
  }),
  mine("library-row-menu", "/library", { prepare: (page) => button(page, /^More actions for/).click() }),
  mine("library-filters", "/library?bpm=90-130&status=completed"),
  mine("library-filter-menu", "/library", { prepare: (page) => button(page, "Add filter").click() }),
  mine("library-columns", "/library", {
    prepare: (page) => button(page, "Columns").click(),
    only: "desktop",
  }),
  mine("library-failed", "/library?status=failed"),
  mine("library-nothing-found", "/library?q=nobody+ever+named+a+song+so"),
  mine("library-sheet-beside", "/library", {
    prepare: async (page) => {
      await button(page, /^More actions for/).click();
      await page.getByRole("menuitem", { name: "Open" }).click();
      await page.getByRole("list", { name: "Versions" }).waitFor();
    },
  }),
];

const searchViews = (trackIds: readonly string[]): View[] => [
  mine("search", "/library/search"),
  mine("search-results", "/library/search?q=dark+and+driving%2C+no+vocals%2C+around+130+bpm", {
    prepare: (page) => page.getByRole("grid", { name: "Results" }).getByRole("link").first().waitFor(),
  }),
  mine("search-chip-editor", "/library/search?q=dark+techno%2C+120-140+bpm", {
    prepare: (page) => button(page, /^Genre: .*, edit$/).click(),
  }),
  mine("search-order", "/library/search?q=calm+music%2C+longest+first"),
  mine("search-partly-understood", "/library/search?q=warm+zweistein+with+piano"),
  mine("search-not-understood", "/library/search?q=zweistein"),
  mine("search-left-out", `/library/search?q=calm&less=${trackIds.join(",")}`),
  mine("search-nothing", "/library/search?q=calm+piano&bpm=250-260&length=1-3000"),
];

function trackViews(track: string): View[] {
  const tabs = [
    ...["versions", "set", "review", "tags", "credits"],
    ...["rights", "lyrics", "details", "links", "activity"],
  ];
  return [
    ...tabs.map((tab) => mine(`track-${tab}`, `${track}?tab=${tab}`)),
    mine("track-compare", `${track}?tab=versions`, {
      prepare: async (page) => {
        await page.getByRole("checkbox", { name: /^Compare v2/ }).check();
        await page.getByRole("checkbox", { name: /^Compare v3/ }).check();
        await page.getByRole("list", { name: "What changed" }).waitFor();
        await page.getByRole("region", { name: /^Compare / }).scrollIntoViewIfNeeded();
      },
    }),
    mine("track-proof", `${track}?tab=versions`, {
      prepare: async (page) => {
        await page
          .getByRole("button", { name: /^More actions for/ })
          .first()
          .click();
        await page.getByRole("menuitem", { name: "Proof…" }).click();
        await page
          .getByRole("dialog", { name: /^Proof of/ })
          .getByText("SHA-256")
          .waitFor();
      },
    }),
    mine("share-dialog", track, { prepare: (page) => button(page, "Share").click() }),
  ];
}

const sharingViews = ({ playlistId, albumId, shareId }: Scene["full"]): View[] => [
  mine("playlists", "/library/playlists"),
  mine("playlist", `/library/playlists/${playlistId}`),
  mine("playlist-new", "/library/playlists", { prepare: (page) => button(page, "New playlist").click() }),
  mine("albums", "/library/albums"),
  mine("album", `/library/albums/${albumId}`),
  mine("families", "/library/families"),
  mine("leaks", "/library/leaks"),
  mine("deliver", `/library/deliver?of=playlist:${albumId}`),
  mine("deliveries", "/library/deliveries"),
  mine("links", "/library/links"),
  mine("link", `/library/links/${shareId}`),
  mine("insights", "/library/insights?range=30"),
  mine("insights-people", "/library/insights?range=30", { prepare: (page) => showing(page, "Top people") }),
  mine("insights-not-counted", "/library/insights?range=30", {
    prepare: (page) => page.getByText(/^Not counted: /).click(),
  }),
  mine("insights-numbers", "/library/insights?range=7", {
    prepare: (page) => page.getByText("In numbers").first().click(),
  }),
];

/** Scrolls to a heading. */
const showing = (page: Page, heading: string) =>
  page
    .getByRole("heading", { name: heading })
    .first()
    .evaluate((element) => element.scrollIntoView({ block: "start" }));

const deskViews = ({ briefId, fullBriefId }: Scene["full"]): View[] => [
  mine("inbox-full", `/library/inbox?brief=${fullBriefId}&state=all`),
  mine("inbox-comment", `/library/inbox?brief=${briefId}`, {
    prepare: async (page) => {
      await page.getByRole("list", { name: "Submissions" }).getByRole("button").first().click();
      await page.keyboard.press("c");
    },
  }),
  mine("inbox-sentences", `/library/inbox?brief=${briefId}`, {
    prepare: async (page) => {
      await page.getByRole("list", { name: "Submissions" }).getByRole("button").first().click();
      await button(page, "Sentences…").click();
    },
  }),
  mine("brief-shortlist", `/library/briefs/${fullBriefId}`, {
    prepare: (page) => showing(page, "Shortlist"),
  }),
  mine("brief-send", `/library/briefs/${fullBriefId}`, {
    prepare: async (page) => {
      await button(page, /^Send \d+ songs?/).click();
      await page.getByRole("textbox", { name: "For whom" }).fill("Ida Berg\nNorthern Label");
    },
  }),
  mine("composers-merge", "/library/composers", { prepare: (page) => button(page, /^Merge /).click() }),
  mine("composers-new", "/library/composers", { prepare: (page) => button(page, "New composer").click() }),
  mine("inbox", "/library/inbox", {
    prepare: async (page) => {
      await page.getByRole("list", { name: "Submissions" }).getByRole("button").first().click();
      await page.getByRole("article").waitFor();
    },
  }),
  mine("briefs", "/library/briefs"),
  mine("brief", `/library/briefs/${briefId}`),
  mine("brief-ask", `/library/briefs/${briefId}`, { prepare: (page) => button(page, "Ask someone").click() }),
  mine("composers", "/library/composers"),
  mine("composer", "/library/composers", {
    prepare: async (page) => {
      await page.getByRole("table", { name: "Composers" }).getByRole("link").first().click();
      await page.getByRole("textbox", { name: "Full name" }).waitFor();
    },
  }),
];

const SETTINGS_PAGES = SCREENS.map(({ path }) => path).filter((path) =>
  path.startsWith("/library/settings/"),
);

const settingsViews = (): View[] => [
  ...SETTINGS_PAGES.map((path) => mine(`settings-${path.split("/").at(-1)}`, path)),
  mine("settings-brand-preview", "/library/settings/brand", { prepare: (page) => showing(page, "Preview") }),
  mine("settings-server-accounts", "/library/settings/server", {
    prepare: (page) => showing(page, "Accounts"),
  }),
  mine("settings-deliveries", "/library/settings/webhooks", {
    prepare: async (page) => {
      await showing(page, "Deliveries");
      await page.getByRole("button", { name: "webhook.test", exact: true }).last().click();
      await page.getByRole("heading", { name: /^Try 1/ }).waitFor();
    },
  }),
  mine("settings-new-key", "/library/settings/keys", {
    prepare: (page) => button(page, "Create key").click(),
  }),
  mine("assistant-calls", "/library/assistant"),
];

const frameViews = (): View[] => [
  mine("notifications", "/library", {
    prepare: (page) =>
      page
        .getByRole("button", { name: /^Notifications/ })
        .first()
        .click(),
  }),
  mine("uploads", "/library/uploads"),
  mine("deleted", "/library/deleted"),
  mine("welcome", "/library/welcome"),
  mine("palette", "/library", { prepare: (page) => page.keyboard.press("Control+k") }),
  mine("keys", "/library", { prepare: (page) => page.keyboard.press("?"), only: "desktop" }),
  mine("queue", "/library", {
    prepare: async (page) => {
      await playLongNamed(page);
      await button(page, "Queue").click();
    },
    only: "desktop",
  }),
  mine("player-open", "/library", {
    prepare: async (page) => {
      await playLongNamed(page);
      await button(page, "Open the player").click();
    },
    only: "phone",
  }),
  mine("more", "/library", { prepare: (page) => button(page, "More").click(), only: "phone" }),
];

const troubleViews = (): View[] => [
  mine("nothing-here", "/library/tracks/trk_none"),
  mine("offline", "/library", { prepare: (page) => page.context().setOffline(true) }),
  mine("session-ended", "/library", {
    prepare: async (page) => {
      await page.context().clearCookies();
      await page.getByRole("searchbox", { name: "Filter tracks" }).fill("techno");
      await page.getByRole("dialog", { name: "Sign in again" }).waitFor();
    },
    only: "desktop",
  }),
];

/** Plays a song whose artist has a long name. */
async function playLongNamed(page: Page): Promise<void> {
  await button(page, "Play Tin Roof").click();
  await page.getByRole("region", { name: "Player" }).waitFor();
}
