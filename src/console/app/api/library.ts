import { computed, signal } from "@preact/signals";
import type { CurrentLibrary, CurrentSession } from "../../../modules/people/people/shapes.ts";
import { account, firstLibrary, root, sendsMail } from "../first-data.ts";

/** What a role can allow: a scope, as of a key, or a power. */
export type Need = CurrentLibrary["scopes"][number] | CurrentLibrary["powers"][number];

/** The library of this tab, and the person's role there. */
export const library = signal<CurrentLibrary>(firstLibrary);

/** Header fields that name the library: a tab is of one, whichever the session is in by now. */
export const ofLibrary = () => ({ "x-library": library.peek().id });

/** Where somebody who is no longer in the library can go: to another one, or nowhere. */
export type Elsewhere = { other: { id: string; name: string } | undefined };

/** Set when the person is no longer in the library. */
export const leftFor = signal<Elsewhere | undefined>(undefined);

/** Everything that the role allows. */
const needs = computed(() => new Set<Need>([...library.value.scopes, ...library.value.powers]));

/** True when the role allows it. The server decides; this says what is worth offering. */
export const can = (need: Need): boolean => needs.value.has(need);

/** True for a guest, who sees some playlists and nothing else of the library. */
export const isGuest = (): boolean => library.value.reach === "rooms";

/** What is offered only where the role allows what it needs. `isOfAll`: to nobody who sees only some playlists. */
export type Offered = { need?: Need | undefined; isOfAll?: boolean | undefined };

/** True for what the role allows to offer. */
export const isAllowed = ({ need, isOfAll = false }: Offered): boolean =>
  !(isOfAll && isGuest()) && (need === undefined || can(need));

/** True when the person may send versions of a track in: a guest's wait for somebody to make them play. */
export const canSendVersions = (): boolean => can(isGuest() ? "create:tracks" : "update:tracks");

/** True when the person may add music to the library. */
export const canAddTracks = (): boolean => can("create:tracks") && !isGuest();

/** True when the person may send mails, and the server sends any. Elsewhere nothing speaks of them. */
export const canSendMail = (): boolean => sendsMail && can("send:mail");

/** A playlist, as far as it says who may change it. */
type Changeable = { collaborative: boolean; madeBy?: { id: string } | null };

/** True when the person may change a playlist: artists only those that they made, and collaborative ones. */
export function canChange({ collaborative, madeBy }: Changeable): boolean {
  if (!can("update:playlists")) return false;
  return library.value.role !== "artist" || collaborative || madeBy?.id === account.id;
}

/** True when the person may pin playlists, which everybody sees. */
export const canPin = (): boolean => can("update:playlists") && library.value.role !== "artist";

const ROLE_REFUSALS: readonly unknown[] = ["insufficient_scope", "not_a_member"];

/** Learns from a refusal that the role is another by now, or that the person is no longer in the library. */
export async function refusedBy(response: Response): Promise<void> {
  const { messageCode } = await response.json().catch(() => ({}));
  if (ROLE_REFUSALS.includes(messageCode)) await readRole();
}

let reading: Promise<void> | undefined;

/** Asks what the person may in the library by now: somebody may have changed their role, or removed them. */
export function readRole(): Promise<void> {
  reading ??= look().finally(() => {
    reading = undefined;
  });
  return reading;
}

async function look(): Promise<void> {
  if (leftFor.peek()) return;
  // Past `api`, which would ask for a sign-in where the session is over.
  const response = await fetch(`${root}/auth/session`, { headers: ofLibrary() }).catch(() => undefined);
  if (response?.status === 401 && (await isInNone())) leftFor.value = { other: undefined };
  if (!response?.ok) return;
  const { library: now, libraries }: CurrentSession = (await response.json()).data;
  if (!now) leftFor.value = { other: libraries[0] };
  else if (JSON.stringify(now) !== JSON.stringify(library.peek())) library.value = now;
}

/** A session that is over leads to the sign-in; that of somebody who is in no library any more does not. */
async function isInNone(): Promise<boolean> {
  const page = await fetch(`${root}/library`, { redirect: "manual" }).catch(() => undefined);
  return page?.status === 403;
}
