import { api, dataOf } from "../api/client.ts";
import { changed } from "../api/queries.ts";
import type { Data } from "../api/routes.ts";
import { readEnds } from "./ends.ts";
import { readOpens } from "./opens.ts";
import type { Settings } from "./settings.tsx";

/** What a link can lead to. */
export type Shared = { entity: "track" | "playlist"; id: string; title: string };

/** With what the dialog begins. */
export type ShareOptions = {
  asksForApproval?: boolean;
  /** For whom the link is, until somebody else is chosen. */
  people?: readonly string[];
};

/** A link that was made. */
export type Made = Data<"POST /app/shares">;

/** Returns settings as the server takes them. They must have no problems. */
export function toBody(settings: Settings) {
  const { password, opens, ends, visits, ...switches } = settings;
  return {
    ...(password !== "" && { password }),
    notBefore: readOpens(opens) ?? null,
    expiresAt: readEnds(ends) ?? null,
    maxUses: visits === "" ? null : Number(visits),
    ...switches,
  };
}

/**
 * Makes a link for each person, or a public one where no person is named. Several tracks become a playlist first.
 *
 * @throws ApiError
 */
export async function createLinks(
  things: readonly Shared[],
  listName: string,
  people: readonly string[],
  settings: Settings,
): Promise<Made[]> {
  const thing = await oneOf(things, listName);
  const body = {
    ...(thing.entity === "track" ? { trackId: thing.id } : { playlistId: thing.id }),
    ...toBody(settings),
  };
  const wanted = people.length > 0 ? people : [null];
  return Promise.all(
    wanted.map((recipient) => dataOf(api.POST("/app/shares", { body: { ...body, recipient } }))),
  );
}

async function oneOf(things: readonly Shared[], name: string): Promise<Shared> {
  const [first] = things;
  if (things.length === 1 && first) return first;
  const trackIds = things.map(({ id }) => id);
  const { id } = await dataOf(api.POST("/app/playlists", { body: { name, trackIds } }));
  changed("playlists", null);
  return { entity: "playlist", id, title: name };
}
