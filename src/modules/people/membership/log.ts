import type { SessionActor } from "../../../kernel/actor.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { cutPage, type Page } from "../../../kernel/paging.ts";
import { toIso } from "../../../kernel/time.ts";
import * as queries from "./queries.ts";
import { SENTENCES, sentenceOf } from "./sentences.ts";
import type { LogEntry, LogQuery } from "./shapes.ts";

/** Whom the log calls somebody who has no sign-in here any more. */
const FORMER = "Former member";

/**
 * Returns a page of what happened in the library of a member, newest first.
 *
 * @throws DomainError `validation_failed` for a cursor of another listing.
 */
export function listLog(
  { db }: Pick<Deps, "db">,
  { accountId }: SessionActor,
  query: LogQuery,
): Page<LogEntry> {
  const actions = Object.keys(SENTENCES);
  const { items, paging } = cutPage(
    query,
    `log ${accountId}`,
    (after, limit) => queries.listLog(db, { accountId, actions, after, limit }),
    ({ at }) => at,
  );
  return { items: items.map(toEntry), paging };
}

function toEntry({ id, at, action, personId, personName, actor, detail }: queries.LogRow): LogEntry {
  const by = personId === null ? null : { id: personId, name: personName ?? FORMER };
  const doer = by?.name ?? (actor === "operator" ? "The operator" : "A program");
  const sentence = sentenceOf(action, { ...(detail === null ? {} : JSON.parse(detail)), doer });
  return { id, at: toIso(at), by, action, sentence };
}
