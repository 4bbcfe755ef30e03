import { transact } from "../../../../../db/client.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import { requestLearning } from "../../tags/service.ts";
import { hasOtherSuggestions, noteSeen, selectBehind, selectUnseen } from "./learner.ts";
import { BASIS } from "./versions.ts";

/**
 * Queues learning for every account whose models or suggestions are out of date after an upgrade or a crash. The tracks of
 * an account are read once for each version of the rules: with a hundred thousand they would delay every start.
 */
export function recoverLearning({ db, now }: Pick<Deps, "db" | "now">): void {
  transact(db, (tx) => {
    const behind = new Set(selectBehind(tx, BASIS));
    for (const ownerId of selectUnseen(tx))
      if (hasOtherSuggestions(tx, ownerId)) behind.add(ownerId);
      else noteSeen(tx, ownerId);
    for (const ownerId of behind) requestLearning(tx, ownerId, now());
  });
}
