import { linkName, trackTitle } from "../../shared/names.ts";
import type { ThingScreenId } from "../../shared/words.ts";
import { isAllowed, type Offered } from "../api/library.ts";
import { readJson } from "../api/queries.ts";
import { type Card, pathOf } from "../playlists/types.ts";
import { go } from "../router.ts";
import type { Command } from "../ui/keys.ts";
import { counted } from "../ui/numbers.ts";

const MAX_OF_EACH = 8;
const MAX_READ = 200;

/** Returns what the account has by a name: `#` looks for tags, `@` for people. */
export async function findThings(text: string, signal: AbortSignal): Promise<Command[]> {
  const typed = text.replace(/^[>#@]\s*/, "").trim();
  if (typed === "" || text.startsWith(">")) return [];
  if (text.startsWith("#")) return [tagged(typed)];
  if (text.startsWith("@")) return isAllowed(FINDERS.people) ? people(typed, signal) : [];
  const finders = Object.values(FINDERS).filter(isAllowed);
  const found = await Promise.all(finders.map(({ find }) => find(typed, signal)));
  return found.flat();
}

const tagged = (name: string): Command => ({
  id: `tag ${name}`,
  name: `Tracks tagged ${name}`,
  run: () => go(`/library?${new URLSearchParams({ tags: name })}`),
});

async function tracks(q: string, signal: AbortSignal): Promise<Command[]> {
  const asked = new URLSearchParams({ q, limit: String(MAX_OF_EACH) });
  const { data } = await readJson(`/app/tracks?${asked}`, signal).catch(nothing);
  return data.map(({ id, title = null, name = "", artist }) => ({
    id,
    name: trackTitle({ title, name }),
    hint: artist ?? "Track",
    run: () => go(`/library/tracks/${id}`),
  }));
}

const listsOf =
  (kind: Card["kind"], hint: string): Find =>
  async (q, signal) => {
    const url = `/app/playlists?kind=${kind}&limit=${MAX_READ}` as const;
    const { data } = await readJson(url, signal).catch(nothing);
    return data
      .filter(({ name, artist }) => fits(`${name} ${artist ?? ""}`, q))
      .slice(0, MAX_OF_EACH)
      .map((card) => ({
        id: card.id,
        name: card.name,
        hint: card.artist ?? hint,
        run: () => go(pathOf(card)),
      }));
  };

/** Everything that was sent to someone. */
async function people(q: string, signal: AbortSignal): Promise<Command[]> {
  const asked = new URLSearchParams({ q, limit: String(MAX_OF_EACH) });
  const { data } = await readJson(`/app/contacts?${asked}`, signal).catch(nothing);
  return data.map(({ name, links: count }) => ({
    id: `person ${name}`,
    name,
    hint: counted(count, "link"),
    run: () => go(`/library/links?${new URLSearchParams({ for: name })}`),
  }));
}

async function briefs(q: string, signal: AbortSignal): Promise<Command[]> {
  const { data } = await readJson(`/app/briefs?limit=${MAX_READ}`, signal).catch(nothing);
  return data
    .filter(({ name = "" }) => fits(name, q))
    .slice(0, MAX_OF_EACH)
    .map(({ id, name = "" }) => ({ id, name, hint: "Brief", run: () => go(`/library/briefs/${id}`) }));
}

async function composers(q: string, signal: AbortSignal): Promise<Command[]> {
  const asked = `/app/composers?limit=${MAX_READ}` as const;
  const { data } = await readJson(asked, signal).catch(nothing);
  return data
    .filter(({ fullName, artistName }) => fits(fullName, q) || fits(artistName ?? "", q))
    .slice(0, MAX_OF_EACH)
    .map(({ id, fullName }) => ({
      id,
      name: fullName,
      hint: "Composer",
      run: () => go(`/library/composers/${id}`),
    }));
}

async function links(q: string, signal: AbortSignal): Promise<Command[]> {
  const { data } = await readJson(`/app/shares?limit=${MAX_READ}`, signal).catch(nothing);
  return data
    .filter(({ recipient }) => fits(recipient ?? "", q))
    .slice(0, MAX_OF_EACH)
    .map(({ id, recipient, name }) => ({
      id,
      name: linkName({ recipient }),
      hint: name ?? "Link",
      run: () => go(`/library/links/${id}`),
    }));
}

type Find = (q: string, signal: AbortSignal) => Promise<Command[]>;

/** How the thing of each screen is found by its name, and the people whom links are for. */
const FINDERS: Readonly<Record<ThingScreenId | "people", Offered & { find: Find }>> = {
  track: { find: tracks },
  album: { find: listsOf("album", "Album") },
  playlist: { find: listsOf("playlist", "Playlist") },
  people: { need: "read:shares", find: people },
  link: { need: "read:shares", find: links },
  brief: { need: "read:briefs", find: briefs },
  composer: { need: "read:composers", find: composers },
};

const fits = (name: string, q: string) => name.toLowerCase().includes(q.toLowerCase());
/** What cannot be had is not offered. */
const nothing = () => ({ data: [] });
