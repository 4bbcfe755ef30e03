/** @jsxRuntime automatic @jsxImportSource preact */
import { signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { type Match, matchScreen, type ScreenId } from "../../shared/addresses.ts";
import { isReachable } from "../api/connection.ts";
import { canSee } from "../api/needs.ts";
import { close, place } from "../router.ts";
import Library from "../screens/library/index.tsx";
import { isText, useActions } from "../ui/keys.ts";
import { NothingHere } from "../ui/nothing-here.tsx";
import { Boundary } from "../ui/problem.tsx";
import type { ScreenProps } from "../ui/screen.tsx";
import { toast } from "../ui/toast.tsx";
import { isOutdated } from "./notices.tsx";

type Loaded = ComponentType<ScreenProps>;

/** The parts that screens are loaded from. The Library comes with the frame, because most visits begin there. */
const LOADERS: Readonly<Record<ScreenId, () => Promise<{ default: Loaded }>>> = {
  library: async () => ({ default: Library }),
  search: () => import("../screens/search/index.tsx"),
  track: () => import("../screens/track/index.tsx"),
  albums: () => import("../screens/playlists/albums.tsx"),
  album: () => import("../screens/playlists/playlist.tsx"),
  playlists: () => import("../screens/playlists/index.tsx"),
  playlist: () => import("../screens/playlists/playlist.tsx"),
  links: () => import("../screens/links/index.tsx"),
  link: () => import("../screens/links/link.tsx"),
  pocket: () => import("../screens/pocket/index.tsx"),
  leaks: () => import("../screens/leaks/index.tsx"),
  briefs: () => import("../screens/briefs/index.tsx"),
  brief: () => import("../screens/briefs/brief.tsx"),
  inbox: () => import("../screens/inbox/index.tsx"),
  composers: () => import("../screens/composers/index.tsx"),
  composer: () => import("../screens/composers/composer.tsx"),
  insights: () => import("../screens/insights/index.tsx"),
  deliver: () => import("../screens/deliver/index.tsx"),
  deliveries: () => import("../screens/deliver/deliveries.tsx"),
  uploads: () => import("../screens/uploads/index.tsx"),
  families: () => import("../screens/families/index.tsx"),
  deleted: () => import("../screens/deleted/index.tsx"),
  welcome: () => import("../screens/welcome/index.tsx"),
  profile: () => import("../screens/settings/profile.tsx"),
  devices: () => import("../screens/settings/devices.tsx"),
  keys: () => import("../screens/settings/keys.tsx"),
  assistants: () => import("../screens/settings/assistants.tsx"),
  webhooks: () => import("../screens/settings/webhooks.tsx"),
  assistantCalls: () => import("../screens/settings/calls.tsx"),
  brand: () => import("../screens/settings/brand.tsx"),
  registrations: () => import("../screens/settings/registrations.tsx"),
  checks: () => import("../screens/settings/checks.tsx"),
  team: () => import("../screens/settings/team.tsx"),
  mail: () => import("../screens/settings/mail.tsx"),
  server: () => import("../screens/settings/server.tsx"),
  security: () => import("../screens/settings/security.tsx"),
};

const loaded = signal<Partial<Record<ScreenId, Loaded>>>({ library: Library });

async function load(id: ScreenId): Promise<void> {
  try {
    const { default: screen } = await LOADERS[id]();
    loaded.value = { ...loaded.value, [id]: screen };
  } catch (thrown) {
    console.warn(thrown);
    if (await isReachable()) isOutdated.value = true;
    else toast("There is no connection to the server at the moment.", { kind: "alert" });
  }
}

/** The screen of an address. While its part loads, the screen before stays. */
export function CurrentScreen({ match: asked }: { match: Match | undefined }) {
  const match = asked && canSee(asked) ? asked : undefined;
  const before = useRef<Match | undefined>(match);
  const wanted = match && loaded.value[match.id];
  useEffect(() => {
    if (match && !loaded.peek()[match.id]) void load(match.id);
  }, [match]);
  if (!match) return <NothingHere />;
  if (wanted) before.current = match;
  const shown = wanted ? match : before.current;
  const View = shown && loaded.value[shown.id];
  if (!shown || !View) return <div class="screen" />;
  // Another thing of the same kind is another screen: nothing of the one before may stay.
  const key = `${shown.id} ${Object.values(shown.params).join(" ")}`;
  return (
    <Boundary key={key}>
      <View params={shown.params} />
    </Boundary>
  );
}

/** A thing beside a list, when the address says both and there is room. */
export function Panel({ match }: { match: Match }) {
  useActions({
    close: () => {
      // A writer leaves the field, not the text.
      if (!isText(document.activeElement)) close("/library");
    },
  });
  const isSeen = canSee(match);
  const View = isSeen && loaded.value[match.id];
  useEffect(() => {
    if (isSeen && !loaded.peek()[match.id]) void load(match.id);
  }, [match.id, isSeen]);
  if (!View) return null;
  return (
    <Boundary key={Object.values(match.params).join(" ")}>
      <View params={match.params} isPanel />
    </Boundary>
  );
}

/** Returns the list that the place shows beside its thing; undefined when the thing fills the screen. */
export function listBeside(): Match | undefined {
  const { beside } = place.value;
  return beside === undefined ? undefined : matchScreen(beside.replace(/\?.*$/, ""));
}
