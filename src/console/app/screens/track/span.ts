import type { Span } from "../../player/ab.ts";
import { elapsedSec, loop } from "../../player/state.ts";
import type { Clock } from "./clock.ts";
import { heardNow } from "./comparison.ts";
import type { About, Draft } from "./draft.ts";
import { loaded } from "./sound.ts";

/** Returns the moment that is heard: in the comparison that plays, or in the version that plays or would. */
export function momentNow(heardId: string | undefined, clock: Clock): About {
  const compared = heardNow();
  if (compared?.isPlaying) return { atSec: compared.atSec, versionId: compared.versionId };
  return { atSec: clock.positionSec.peek(), versionId: heardId };
}

type Parts = { trackId: string; heardId: string | undefined; clock: Clock; draft: Draft };

/**
 * Returns the part that was dragged over, or else the one that is repeated, in the comparison or by the player. Where there is
 * none: the moment.
 */
export function spanNow({ trackId, heardId, clock, draft }: Parts): About {
  const about = ({ fromSec, toSec }: Span, versionId: string | undefined): About => ({
    atSec: fromSec,
    endSec: toSec,
    versionId,
  });
  const marked = draft.marked.peek();
  if (marked) return about(marked, heardId);
  const compared = heardNow();
  if (compared?.span) return about(compared.span, compared.versionId);
  const looped = loaded.peek()?.trackId === trackId ? loop.peek() : undefined;
  if (looped) return about({ fromSec: looped.fromSec, toSec: looped.toSec ?? elapsedSec.peek() }, heardId);
  return momentNow(heardId, clock);
}
