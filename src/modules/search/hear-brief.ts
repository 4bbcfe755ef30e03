import type { Deps } from "../../kernel/deps.ts";
import { SECOND_MS } from "../../kernel/time.ts";
import { findProvider, ModelUnavailableError } from "../models/service.ts";
import type { HeardBrief } from "./signals/heard.ts";

/** Reads a brief as a learned model does; undefined where none can. Never throws but for the caller's own abort. */
export type HearBrief = (query: string, signal: AbortSignal) => Promise<HeardBrief | undefined>;

/** A search does not wait longer: the model may still be loading. */
const PATIENCE_MS = 2 * SECOND_MS;

/** Returns a reader by the model that is switched on, or undefined when none is. */
export function createBriefHearing(
  deps: Pick<Deps, "db" | "settings" | "selfCommand" | "log">,
): HearBrief | undefined {
  if (!deps.settings.model) return undefined;
  return async (query, signal) => {
    const provider = await findProvider(deps);
    if (!provider?.embedText || query.trim() === "") return undefined;
    const patience = AbortSignal.timeout(PATIENCE_MS);
    try {
      const unit = await provider.embedText(query, AbortSignal.any([signal, patience]));
      // Words that mean nothing to the model have no direction.
      const isSomewhere = unit.some((value) => value !== 0);
      return isSomewhere ? { provider: provider.id, version: provider.version, unit } : undefined;
    } catch (error) {
      signal.throwIfAborted();
      if (!patience.aborted && !(error instanceof ModelUnavailableError)) throw error;
      deps.log("warn", "The model could not read a brief", { reason: String(error) });
      return undefined;
    }
  };
}
