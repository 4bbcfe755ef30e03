import { grouped } from "../../ui/numbers.ts";
import type { Asked } from "./types.ts";

/**
 * Returns what became of those who were asked, in a sentence: "Of 12 people asked: 5 sent music, 1 could not be reached, 6 have sent
 * nothing yet." Everybody is in it once.
 */
export function funnelSentence(asked: readonly Asked[]): string {
  const counts = new Map<Stage, number>();
  for (const each of asked) counts.set(stageOf(each), (counts.get(stageOf(each)) ?? 0) + 1);
  const parts = STAGES.flatMap(([stage, one, several]) => {
    const count = counts.get(stage) ?? 0;
    return count === 0 ? [] : `${grouped(count)} ${count === 1 ? one : several}`;
  });
  return `Of ${asked.length === 1 ? "1 person" : `${grouped(asked.length)} people`} asked: ${parts.join(", ")}.`;
}

/** In the order of the sentence; the words for one, and for several. */
const STAGES = [
  ["sent", "sent music", "sent music"],
  ["refused", "could not be reached", "could not be reached"],
  ["stopped", "got no mail", "got no mail"],
  ["waiting", "waits for the mail", "wait for the mail"],
  ["quiet", "has sent nothing yet", "have sent nothing yet"],
] as const;
type Stage = (typeof STAGES)[number][0];

/** How far somebody came. Who sends music was reached, whatever became of the mail. */
function stageOf({ submissionCount, mail }: Asked): Stage {
  if (submissionCount > 0) return "sent";
  switch (mail?.state) {
    case "refused":
      return "refused";
    case "cancelled":
      return "stopped";
    case "waiting":
    case "ending":
      return "waiting";
    default:
      return "quiet";
  }
}
