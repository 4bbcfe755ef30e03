import { api, dataOf } from "../../../api/client.ts";
import { changed } from "../../../api/queries.ts";
import { account } from "../../../first-data.ts";
import { when } from "../../../ui/dates.ts";
import { undos } from "../note-changes.ts";
import type { Review, Round } from "../queries.ts";

/** The round of a track in which something is said. */
type In = { track: { id: string }; round: Round };

const pathOf = ({ track: { id: trackId }, round }: In) => ({
  params: { path: { trackId, versionId: round.versionId } },
});
const ROUTE = "/app/tracks/{trackId}/versions/{versionId}/review";

/** The person's own verdict, if there is one. */
export const ownOf = (reviews: readonly Review[]): Review | undefined =>
  reviews.find(({ by, shareId }) => by.id === account.id && shareId === null);

/** Says what the person thinks of the version, in place of what they said before, with a way back. */
export async function say(where: In, verdict: Said): Promise<void> {
  const { label, reviews } = where.round;
  const before = ownOf(reviews);
  await put(where, verdict);
  undos.toast(
    verdict.state === "approved" ? `You approved ${label}` : `You asked for changes to ${label}`,
    () => (before ? put(where, before) : takeBack(where)),
  );
}

type Said = Pick<Review, "state" | "text">;

async function put(where: In, { state, text }: Said): Promise<void> {
  const note = text?.trim();
  try {
    await dataOf(api.PUT(ROUTE, { ...pathOf(where), body: { state, ...(note && { text: note }) } }));
  } finally {
    changed("comments", [where.track.id]);
  }
}

/** Takes the person's verdict back. */
export async function takeBack(where: In): Promise<void> {
  try {
    await dataOf(api.DELETE(ROUTE, pathOf(where)));
  } finally {
    changed("comments", [where.track.id]);
  }
}

/** `Bo approved v8 on Tuesday`; what a link says is its recipient's, whichever browser pressed. */
export function wordsOf({ state, by, shareId, at }: Review, label: string): string {
  if (shareId !== null)
    return state === "approved"
      ? `${label} was approved ${when(at)} by the link for ${by.name}`
      : `Changes were asked for ${when(at)} by the link for ${by.name}`;
  const isOwn = by.id === account.id;
  if (state === "approved") return `${isOwn ? "You" : by.name} approved ${label} ${when(at)}`;
  return isOwn ? `You asked for changes ${when(at)}` : `${by.name} asks for changes`;
}
