import { toIso } from "../../../../kernel/time.ts";
import type { LastAnswer } from "./queries.ts";
import type { LinkAnswer } from "./shapes.ts";

/** Returns an answer as a link shows it. */
export function toLinkAnswer({ trackId, answer, text, at, doneAt }: LastAnswer): LinkAnswer {
  return { trackId, answer, text, at: toIso(at), done: doneAt !== null };
}
