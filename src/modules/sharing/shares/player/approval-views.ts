import type { PersonActor } from "../../../../kernel/actor.ts";
import { dayInYear } from "../../../../kernel/dates.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import type { PlayerApproval, PlayerReview } from "../../../../pages/player/model.ts";
import { listReviewsBy, playingLabels, type ReviewRow } from "../../comments/service.ts";
import { MAX_COMMENT } from "../../comments/shapes.ts";
import { proofOf } from "../access/proofs.ts";
import { countPlayed, countTracks } from "../page-queries.ts";
import type { ShareRow } from "../queries.ts";
import { answersOf } from "./answer-views.ts";
import type { MusicSource, SharedTrack } from "./player-data.ts";
import { type PageParts, pageHref } from "./thread-views.ts";

/** Who looks at a link's page: a member of its library, who speaks for themselves, or its recipient. */
export type Viewer = { memberId: PersonActor["personId"] | undefined };

/** The tracks that a part of a page asks about. */
type AskedTracks = { tracks: readonly Pick<SharedTrack, "id" | "versionId">[]; after: string | null };

/** The same, with who asks. */
export type Asked = AskedTracks & Partial<Pick<PageParts, "right">> & { ownerName: string };

/** Returns what a link's page asks about its tracks; undefined when it asks nothing. */
export function approvalOf(
  deps: Deps,
  share: ShareRow,
  source: MusicSource,
  asked: Asked,
  viewer: Viewer,
): PlayerApproval | undefined {
  const asking = askingOf(deps, share, source, asked, viewer);
  if (!asking || asked.tracks.length === 0) return undefined;
  const { ownerName, after, right = null } = asked;
  const isTrack = share.entity === "track";
  const trackCount = isTrack ? 1 : countTracks(deps.db, share);
  const [first] = asking.reviews.values();
  const words = isTrack ? first?.verdict?.words : listWords(deps, share, trackCount, asking.said);
  const what = isTrack ? first?.label : trackCount === 1 ? "this track" : `these ${trackCount} tracks`;
  const told = viewer.memberId === undefined ? ` ${ownerName} has been told.` : "";
  return {
    ...asking,
    words: words === undefined ? `${ownerName} asks for your approval of ${what}.` : `${words}${told}`,
    ...answersOf(deps, share, source, { after, right }),
  };
}

/** Returns what a part of a page asks about its tracks, and what was said of versions before. */
export function askingOf(
  deps: Deps,
  share: ShareRow,
  source: MusicSource,
  asked: AskedTracks,
  viewer: Viewer,
): (Pick<PlayerApproval, "action" | "longest" | "reviews"> & { said: SaidBy }) | undefined {
  if (!share.allowReview) return undefined;
  const said = saidOf(deps, share, asked, viewer);
  return {
    action: pageHref(deps, { pagePath: `${source.pagePath}/review` }, { after: asked.after }),
    longest: MAX_COMMENT,
    reviews: reviewsOf(deps, share, asked, said),
    said,
  };
}

type SaidBy = ReadonlyMap<string, ReviewRow>;

/** Returns what was said of versions, by their ids: by a link of all, by a member of those that are asked about. */
function saidOf({ db }: Deps, share: ShareRow, { tracks }: AskedTracks, { memberId }: Viewer): SaidBy {
  const rows =
    memberId === undefined
      ? listReviewsBy(db, { shareId: share.id })
      : listReviewsBy(
          db,
          { personId: memberId },
          tracks.map(({ versionId }) => versionId),
        );
  return new Map(rows.map((row) => [row.versionId, row]));
}

function reviewsOf(
  deps: Deps,
  share: ShareRow,
  { tracks }: AskedTracks,
  said: SaidBy,
): ReadonlyMap<string, PlayerReview> {
  const ids = tracks.map(({ id }) => id);
  const labels = playingLabels(deps, ids);
  const at = deps.now();
  return new Map(
    tracks.map(({ id: trackId, versionId }) => {
      const label = labels.get(trackId) ?? "";
      const review = said.get(versionId);
      const verdict = review && { words: verdictWords(review, label, at), text: textOf(share, review) };
      const proof = proofOf(deps, share, "review", versionId);
      return [trackId, { trackId, versionId, label, proof, verdict }];
    }),
  );
}

/** How much of what should change a row of a list repeats, in characters. */
const MAX_ROW_TEXT = 160;

function textOf({ entity }: ShareRow, { text }: ReviewRow): string | null {
  const isShort = entity === "track" || text === null || text.length <= MAX_ROW_TEXT;
  return isShort ? text : `${text.slice(0, MAX_ROW_TEXT - 1)}…`;
}

function verdictWords({ state, at }: ReviewRow, label: string, now: number): string {
  const said = state === "approved" ? "You approved" : "You asked for changes to";
  return `${said} ${label} on ${dayInYear(at, now)}.`;
}

/** `You approved 5 of 12 tracks and asked for changes to 1.`; undefined while nothing was said. */
function listWords({ db }: Deps, share: ShareRow, trackCount: number, said: SaidBy): string | undefined {
  const [approved, changes] = (["approved", "changes"] as const).map((state) => {
    const versions = [...said.values()].filter((review) => review.state === state);
    return countPlayed(
      db,
      share,
      versions.map(({ versionId }) => versionId),
    );
  });
  if (!approved && !changes) return undefined;
  if (trackCount === 1) return approved ? "You approved this track." : "You asked for changes to this track.";
  if (!approved) return `You asked for changes to ${changes} of ${trackCount} tracks.`;
  return `You approved ${approved} of ${trackCount} tracks${changes ? `, and asked for changes to ${changes}` : ""}.`;
}
