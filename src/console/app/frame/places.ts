import { SCREENS } from "../../shared/addresses.ts";
import {
  COMMAND_WORDS,
  type NamedScreenId,
  SCREEN_WORDS,
  SETTINGS,
  type Setting,
} from "../../shared/words.ts";
import { isAllowed, type Need, type Offered } from "../api/library.ts";
import { canOpen } from "../api/needs.ts";
import { sendsMail, ways } from "../first-data.ts";
import { openNewPlaylist } from "../playlists/open.tsx";
import { go } from "../router.ts";
import type { ACTIONS } from "../ui/actions.ts";
import { type Command, currentCommands } from "../ui/keys.ts";
import { openNotifications } from "./notifications.tsx";
import { signOut } from "./sign-out.ts";

/** Screens that a key of the navigation leads to: their lines show it. */
const KEYED: Partial<Record<NamedScreenId, keyof typeof ACTIONS>> = {
  library: "goLibrary",
  search: "goSearch",
  playlists: "goPlaylists",
  links: "goLinks",
  pocket: "goPocket",
  briefs: "goBriefs",
  inbox: "goInbox",
  composers: "goComposers",
  insights: "goInsights",
  uploads: "goUploads",
};

/**
 * Returns everything that the palette offers before anything is typed: what can be done here, what can be done anywhere,
 * every screen and every part of the settings.
 */
export function allCommands(): Command[] {
  const here = currentCommands().map((command) => ({ ...command, ...wordsOf(command.id) }));
  const known = new Set(here.map(({ id }) => id));
  const rest = [...anywhere(), ...screens(), ...settings()].filter(({ id }) => !known.has(id));
  return [...here.map(withScreenWords), ...rest];
}

/** What an account and its server have; undefined until it is known. */
type Has = { isOperator: boolean; signIn: { passkeys: boolean } } | undefined;

/** False for what only the operator of the server sees, and for what the server does not offer. */
export function isOffered({ id }: Command, has: Has): boolean {
  if (isOfOperator(id)) return has?.isOperator === true && (sendsMail || !isOfMail(id));
  if (isOfMail(id)) return sendsMail;
  return id !== "setting security Passkeys" || has?.signIn.passkeys === true;
}

const isOfOperator = (id: string): boolean =>
  id === "screen server" || id.startsWith("setting server ") || id === "setting mail Mails of this server";

const isOfMail = (id: string): boolean => id === "screen mail" || id.startsWith("setting mail ");

const anywhere = (): Command[] =>
  ANYWHERE.filter(isAllowed).map((command) => ({ ...command, ...wordsOf(command.id) }));

const ANYWHERE: readonly (Command & Offered)[] = [
  { id: "new-playlist", need: "create:playlists", name: "New playlist", run: () => openNewPlaylist() },
  { id: "new-composer", need: "create:composer", name: "New composer", run: newComposer },
  { id: "create-key", name: "Create an API key", run: newKey },
  {
    id: "answers",
    need: "read:shares",
    name: "Answers to links",
    run: () => go("/library/inbox?show=answers"),
  },
  { id: "notifications", name: "Notifications", run: openNotifications },
  { id: "sign-out", name: "Sign out", run: signOut },
];

async function newComposer(): Promise<void> {
  go("/library/composers");
  const { openNewComposer } = await import("../screens/composers/new.tsx");
  openNewComposer();
}

async function newKey(): Promise<void> {
  go("/library/settings/keys");
  const { openCreateKey } = await import("../screens/settings/create-key.tsx");
  openCreateKey();
}

function screens(): Command[] {
  return SCREENS.flatMap(({ id, path, heading }) =>
    heading === null || id in KEYED || !canOpen(path)
      ? []
      : [{ id: `screen ${id}`, name: heading, words: SCREEN_WORDS[id], run: () => go(path) }],
  );
}

function settings(): Command[] {
  const provider: Setting[] =
    ways.provider === null
      ? []
      : [{ name: ways.provider, screen: "security", words: "provider sso single sign-on connect" }];
  const allowed = [...SETTINGS, ...provider].filter(
    ({ screen, need }) => isAllowed({ need: need as Need | undefined }) && canOpen(screenOf(screen).path),
  );
  return allowed.map(({ name, screen, words }) => {
    const { heading, path } = screenOf(screen);
    return {
      id: `setting ${screen} ${name}`,
      name,
      words: `${words} ${heading}`,
      hint: heading,
      run: () => go(path),
    };
  });
}

function screenOf(id: NamedScreenId): { heading: string; path: string } {
  const { heading, path } = SCREENS.find((screen) => screen.id === id) ?? SCREENS[0];
  return { heading: heading ?? "", path };
}

/** The navigation's own lines are screens: they are found by the words of these. */
function withScreenWords(command: Command): Command {
  const screen = Object.entries(KEYED).find(([, action]) => action === command.id)?.[0];
  return screen === undefined ? command : { ...command, words: SCREEN_WORDS[screen as NamedScreenId] };
}

const wordsOf = (id: string) => (COMMAND_WORDS[id] === undefined ? {} : { words: COMMAND_WORDS[id] });
