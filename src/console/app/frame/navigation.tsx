/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { SCREENS } from "../../shared/addresses.ts";
import { isGuest } from "../api/library.ts";
import { canOpen } from "../api/needs.ts";
import { query, useQuery } from "../api/queries.ts";
import { href } from "../first-data.ts";
import { useOpenByDrag } from "../playlists/drag.ts";
import { keepsSomething, wanted } from "../pocket/kept.ts";
import { go, match, place } from "../router.ts";
import { useOpenAnswers } from "../share/answers.ts";
import { type ActionId, tooltip } from "../ui/actions.ts";
import { Icon, type IconName } from "../ui/icon.tsx";
import { useActions } from "../ui/keys.ts";
import { toggleMenu } from "../ui/menu.tsx";
import { useWide } from "../ui/wide.ts";
import { PinnedPlaylists } from "./pinned.tsx";

type Entry = { name: string; path: string; icon: IconName; action: ActionId };

const POCKET = "/library/pocket";
const MAIN: readonly Entry[] = [
  { name: "Search", path: "/library/search", icon: "search", action: "goSearch" },
  { name: "Library", path: "/library", icon: "library", action: "goLibrary" },
  { name: "Albums", path: "/library/albums", icon: "albums", action: "goAlbums" },
  { name: "Playlists", path: "/library/playlists", icon: "playlists", action: "goPlaylists" },
  { name: "Links", path: "/library/links", icon: "links", action: "goLinks" },
  { name: "Pocket", path: POCKET, icon: "pocket", action: "goPocket" },
  { name: "Briefs", path: "/library/briefs", icon: "briefs", action: "goBriefs" },
  { name: "Inbox", path: "/library/inbox", icon: "inbox", action: "goInbox" },
  { name: "Composers", path: "/library/composers", icon: "composers", action: "goComposers" },
  { name: "Insights", path: "/library/insights", icon: "insights", action: "goInsights" },
];
const BELOW: readonly Entry[] = [
  { name: "Uploads", path: "/library/uploads", icon: "uploads", action: "goUploads" },
  { name: "Settings", path: "/library/settings/profile", icon: "settings", action: "goSettings" },
];
/** What the bar of a telephone has room for. */
const ON_PHONE: readonly string[] = ["Library", "Search", "Playlists"];

const offered = (entries: readonly Entry[]) => entries.filter(({ path }) => canOpen(path));
/** What has a place in the navigation: the Pocket once there is something in it. */
const shown = (entries: readonly Entry[]) =>
  offered(entries).filter(({ path }) => path !== POCKET || isKeeping());

/** Also before it is known what is kept. */
const isKeeping = () => wanted.value.size > 0 || keepsSomething();

/** The way to every screen: a column at the left; a bar at the lower edge on telephones. */
export function Navigation() {
  useActions(
    Object.fromEntries(offered([...MAIN, ...BELOW]).map(({ action, path }) => [action, () => go(path)])),
  );
  const isWide = useWide();
  return (
    <nav class="nav" aria-label="Main">
      <ul class="nav-list">
        {shown(MAIN).map((entry) => (
          <NavigationLink key={entry.name} {...entry}>
            {isWide && entry.name === "Library" && <Below name="Library" entries={OF_LIBRARY} />}
            {isWide && entry.name === "Links" && <Below name="Links" entries={OF_LINKS} />}
            {isWide && entry.name === "Playlists" && !isGuest() && <PinnedPlaylists />}
          </NavigationLink>
        ))}
      </ul>
      <ul class="nav-list nav-below">
        {offered(BELOW).map((entry) => (
          <NavigationLink key={entry.name} {...entry} />
        ))}
      </ul>
      <button
        type="button"
        class="nav-link nav-more"
        aria-haspopup="menu"
        onClick={({ currentTarget }) => toggleMenu(currentTarget, "More", moreItems())}
      >
        <Icon name="more" />
        <span>More</span>
      </button>
    </nav>
  );
}

/** What belongs to the Library and has a page of its own. */
const OF_LIBRARY: readonly { name: string; path: string }[] = [
  { name: "Deliveries", path: "/library/deliveries" },
  { name: "Recently deleted", path: "/library/deleted" },
];
/** The same of the links. */
const OF_LINKS: typeof OF_LIBRARY = [{ name: "Who leaked it?", path: "/library/leaks" }];
/** What a guest, who has no library, begins with. */
const parentOf = (id: string) =>
  isGuest() && (id === "track" || id === "album") ? "/library/playlists" : PARENTS[id];

function Below({ name, entries }: { name: string; entries: typeof OF_LIBRARY }) {
  return (
    <ul class="nav-pinned" aria-label={`Below the ${name}`}>
      {entries
        .filter(({ path }) => canOpen(path))
        .map(({ name, path }) => (
          <li key={name}>
            <a
              class="nav-link"
              href={href(path)}
              {...(place.value.path === path && { "aria-current": "page" as const })}
            >
              <span>{name}</span>
            </a>
          </li>
        ))}
    </ul>
  );
}

function NavigationLink({ name, path, icon, action, children }: Entry & { children?: ComponentChildren }) {
  const opening = useOpenByDrag(() => go(path));
  const { id } = match.value ?? {};
  const isCurrent = place.value.path === path || (id !== undefined && parentOf(id) === path);
  return (
    <li class={ON_PHONE.includes(name) ? "" : "not-on-phone"}>
      <a
        class="nav-link"
        href={href(path)}
        title={tooltip(action, name)}
        {...(name === "Playlists" && opening)}
        {...(isCurrent && { "aria-current": "page" as const })}
      >
        <Icon name={icon} />
        <span>{name}</span>
        {name === "Inbox" && <InboxCount />}
      </a>
      {children}
    </li>
  );
}

/** How much waits to be decided; the screen says it to readers. */
function InboxCount() {
  const { data } = useQuery(query("/app/inbox/counts", { query: {} }, { submissions: "all" }));
  const waiting = (data?.data.new ?? 0) + useOpenAnswers();
  if (waiting === 0) return null;
  return (
    <span class="nav-count" aria-hidden="true">
      {waiting}
    </span>
  );
}

const SETTINGS = "/library/settings/profile";

/** Where things belong that have an address of their own. */
const PARENTS: Readonly<Record<string, string>> = {
  track: "/library",
  deliver: "/library",
  families: "/library",
  album: "/library/albums",
  playlist: "/library/playlists",
  link: "/library/links",
  brief: "/library/briefs",
  composer: "/library/composers",
  assistantCalls: SETTINGS,
  ...Object.fromEntries(
    SCREENS.filter(({ path }) => path.startsWith("/library/settings/")).map(({ id }) => [id, SETTINGS]),
  ),
};

const moreItems = () =>
  [...shown([...MAIN, ...BELOW]), ...[...OF_LIBRARY, ...OF_LINKS].filter(({ path }) => canOpen(path))]
    .filter(({ name }) => !ON_PHONE.includes(name))
    .map(({ name, path }) => ({ name, run: () => go(path) }));
