import { transact } from "../../../../../db/client.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import { requestCarrying } from "../../../library/recordings/service.ts";
import { listLacking } from "./queries.ts";

/** Notes that are looked at without a pause: a few milliseconds. */
const AT_ONCE = 500;

/**
 * Has notes carried into versions that lack them: those of earlier programs, which carried none, and those of another server.
 * Reads every note once, in small steps.
 */
export async function carryMissing({ db, now, log }: Deps, signal: AbortSignal): Promise<void> {
  const asked = new Set<string>();
  for (let after = ""; !signal.aborted; ) {
    const { last, versionIds } = listLacking(db, after, AT_ONCE);
    if (last === undefined) break;
    after = last;
    const fresh = versionIds.filter((id) => !asked.has(id));
    if (fresh.length > 0)
      transact(db, (tx) => {
        for (const id of fresh) requestCarrying(tx, id, { isMissing: true }, now());
      });
    for (const id of fresh) asked.add(id);
    await Bun.sleep(0);
  }
  if (asked.size > 0) log("info", "Carrying notes into versions that lack them", { versions: asked.size });
}
