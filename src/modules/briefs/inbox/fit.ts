import type { Member } from "../../../kernel/actor.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { invalidField } from "../../../kernel/errors.ts";
import { rankAmong } from "../../search/search/service.ts";
import { MAX_QUERY } from "../../search/search/shapes.ts";
import { getBrief } from "../briefs/service.ts";
import { inboxOf } from "./inbox.ts";
import * as queries from "./queries.ts";
import type { FitQuery, InboxFit } from "./shapes.ts";

type FitDeps = Pick<Deps, "db" | "now" | "settings">;

/** Returns the text of a brief as a search takes it. */
export const textOf = ({ name, description }: { name: string; description: string | null }): string =>
  [name, description ?? ""].filter(Boolean).join(". ").slice(0, MAX_QUERY);

/**
 * Ranks submissions by how well they fit a text: that of its brief, or another. Costs no credit: it is the account's own
 * mail.
 *
 * @throws DomainError `brief_not_found`; `validation_failed` without a brief and a text.
 */
export async function fitInbox(
  deps: FitDeps,
  actor: Member,
  { briefId, q }: FitQuery,
  signal: AbortSignal,
): Promise<InboxFit> {
  const ownerId = actor.accountId;
  const filter = inboxOf(deps, ownerId, briefId);
  const query = q ?? (briefId === undefined ? "" : textOf(getBrief(deps, ownerId, briefId)));
  if (query.trim() === "") throw invalidField("q", "required", "must be sent, or briefId");
  const among = queries.selectSubmittedTracks(deps.db, filter);
  const { hits, interpretation } = await rankAmong(deps, actor, { query, among }, signal);
  return {
    query,
    summary: interpretation.summary,
    results: hits.map(({ id, score, reason }) => ({ trackId: id, score, reason })),
  };
}
