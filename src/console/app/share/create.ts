import { api, dataOf } from "../api/client.ts";
import { changed } from "../api/queries.ts";
import type { Body, Data } from "../api/routes.ts";
import { readEnds } from "./ends.ts";
import { once } from "./once.ts";
import { readOpens } from "./opens.ts";
import type { Recipient } from "./recipients.ts";
import type { Settings } from "./settings.tsx";

/** What a link can lead to. */
export type Shared = {
  entity: "track" | "playlist";
  id: string;
  title: string;
  /** Of a track: its whole set goes along. */
  wholeFamily?: boolean;
};

/** With what the dialog begins. */
export type ShareOptions = {
  asksForApproval?: boolean;
  /** For whom the link is, until somebody else is chosen. */
  people?: readonly string[];
};

/** A link that was made. */
export type Made = Data<"POST /app/shares">;

type NewLink = Body<"POST /app/shares">;
/** What a mail says beside the link, and when it goes out. */
export type MailWish = NonNullable<NewLink["mail"]>;

/** Somebody whose link was not made, and why. */
export type Refused<Who> = { who: Who; error: unknown };

/** Returns settings as the server takes them. They must have no problems. */
export function toBody(settings: Settings) {
  const { password, opens, ends, visits, isMarked, ...switches } = settings;
  return {
    ...(password !== "" && { password }),
    notBefore: readOpens(opens) ?? null,
    expiresAt: readEnds(ends) ?? null,
    maxUses: visits === "" ? null : Number(visits),
    ...switches,
    // The server marks what is for somebody, if it can.
    ...(!isMarked && { isMarked }),
  };
}

/**
 * Makes a link for each person, or a public one where no person is named. What was made stays made when somebody else's link is refused.
 *
 * @param mail What goes out to those who have an address; left out: nothing.
 */
export async function createLinks<Who extends Recipient>(
  thing: Shared,
  people: readonly Who[],
  settings: Settings,
  mail: MailWish | undefined,
): Promise<{ made: Made[]; refused: Refused<Who | undefined>[] }> {
  const body = {
    ...(thing.entity === "track" ? { trackId: thing.id } : { playlistId: thing.id }),
    ...toBody(settings),
    ...(thing.wholeFamily && { wholeFamily: true }),
  };
  const make = (who: Who | undefined) => {
    const link = { ...body, ...forWhom(who, mail) };
    return once(link, (headers) => dataOf(api.POST("/app/shares", { body: link, headers })));
  };
  const wanted = people.length > 0 ? people : [undefined];
  const outcomes = await Promise.allSettled(wanted.map(make));
  changed("shares", null);
  return {
    made: outcomes.flatMap((each) => (each.status === "fulfilled" ? [each.value] : [])),
    refused: outcomes.flatMap((each, at) =>
      each.status === "rejected" ? [{ who: wanted[at], error: each.reason }] : [],
    ),
  };
}

function forWhom(who: Recipient | undefined, mail: MailWish | undefined): Partial<NewLink> {
  if (!who) return { recipient: null };
  const recipientEmail = who.email.trim();
  if (recipientEmail === "") return { recipient: who.name };
  return { recipient: who.name, recipientEmail, ...(mail && { mail }) };
}

/** Returns what is shared: several tracks become a playlist. @throws ApiError */
export async function oneOf(things: readonly Shared[], name: string): Promise<Shared> {
  const [first] = things;
  if (things.length === 1 && first) return first;
  const trackIds = things.map(({ id }) => id);
  const { id } = await dataOf(api.POST("/app/playlists", { body: { name, trackIds } }));
  changed("playlists", null);
  return { entity: "playlist", id, title: name };
}
