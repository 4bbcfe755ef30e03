import type { LibraryId } from "../../../../../db/schema.ts";
import { mayDo, type Viewer } from "../../../../kernel/actor.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import { fold } from "../../../../kernel/text.ts";
import { toIso, toIsoOrNull } from "../../../../kernel/time.ts";
import { usesOfShares } from "../../../library/analytics/service.ts";
import { isLive } from "../wire.ts";
import * as queries from "./queries.ts";
import type { Contact, ContactsQuery } from "./shapes.ts";

/**
 * Returns the people to whom the account has sent links, those with the latest activity first. Names that differ only
 * in case or diacritics are one person.
 */
export function listContacts(
  { db, now }: Pick<Deps, "db" | "now">,
  { accountId: ownerId, ...viewer }: Viewer & { accountId: LibraryId },
  { q = "", limit }: ContactsQuery,
): Contact[] {
  const seesListening = mayDo(viewer, "read:analytics");
  const wanted = fold(q.trim());
  const sent = queries.selectSent(db, ownerId).filter(({ recipient }) => isNamed(recipient, wanted));
  const uses = usesOfShares(
    db,
    sent.map(({ id }) => id),
  );
  const people = Map.groupBy(sent, ({ recipient }) => fold(recipient.trim()));
  const contacts = [...people.values()].map((links) => toContact(links, uses, now()));
  return (
    contacts
      // For those who do not see who listened, the order says nothing of it.
      .sort((a, b) => (seesListening ? b.at - a.at : b.lastSentAt.localeCompare(a.lastSentAt)))
      .slice(0, limit)
      .map(({ at: _, ...contact }) => contact)
  );
}

const isNamed = (recipient: string, wanted: string) =>
  recipient.trim() !== "" && fold(recipient).includes(wanted);

/** @param links Newest first; at least one. */
function toContact(
  links: readonly queries.SentRow[],
  uses: ReturnType<typeof usesOfShares>,
  now: number,
): Contact & { at: number } {
  const used = links.flatMap(({ id }) => uses.get(id) ?? []);
  const lastSentAt = links[0]?.createdAt ?? 0;
  const lastHeardAt = latest(used.map((use) => use.lastHeardAt));
  const lastActivityAt = latest(used.map((use) => use.lastActivityAt));
  return {
    name: links[0]?.recipient.trim() ?? "",
    email: links.find(({ recipientEmail }) => recipientEmail !== null)?.recipientEmail ?? null,
    links: links.length,
    activeLinks: links.filter((link) => isLive(link, now)).length,
    plays: used.reduce((sum, { plays }) => sum + plays, 0),
    lastSentAt: toIso(lastSentAt),
    lastHeardAt: toIsoOrNull(lastHeardAt),
    lastActivityAt: toIsoOrNull(lastActivityAt),
    at: Math.max(lastSentAt, lastActivityAt ?? 0),
  };
}

function latest(times: readonly (number | null)[]): number | null {
  return times.reduce((last, at) => (at !== null && at > (last ?? 0) ? at : last), null);
}
