import type { LibraryId } from "../../../../db/schema.ts";
import type { Deps } from "../../../kernel/deps.ts";
import type { Page } from "../../../kernel/paging.ts";
import { toIsoOrNull } from "../../../kernel/time.ts";
import { sumShares } from "../../library/analytics/service.ts";
import { peopleIn } from "../../people/people/service.ts";
import type { Link } from "./link-shapes.ts";
import { selectMakers, selectTitles, selectTurned } from "./queries.ts";
import { getShare, listShares } from "./service.ts";
import type { ListSharesQuery, Share } from "./shapes.ts";

type LinkDeps = Pick<Deps, "db" | "now" | "settings">;

/**
 * Returns a page of an account's links as the console shows them, newest first.
 *
 * @throws DomainError `validation_failed` for a cursor of another listing, or for both a track and a playlist.
 */
export function listLinks(deps: LinkDeps, ownerId: LibraryId, query: ListSharesQuery): Page<Link> {
  const { items, paging } = listShares(deps, ownerId, query);
  return { items: toLinks(deps, ownerId, items), paging };
}

/** Returns one link as the console shows it. @throws DomainError `share_not_found`. */
export function getLink(deps: LinkDeps, ownerId: LibraryId, id: string): Link {
  const [link] = toLinks(deps, ownerId, [getShare(deps, ownerId, id)]);
  if (!link) throw new RangeError("A share is a link");
  return link;
}

function toLinks(deps: LinkDeps, ownerId: LibraryId, shares: readonly Share[]): Link[] {
  const { db } = deps;
  const tracks = shares.filter(({ entity }) => entity === "track").map(({ entityId }) => entityId);
  const titleOf = selectTitles(db, tracks);
  const ids = shares.map(({ id }) => id);
  const [sums, turned] = [sumShares(db, ids), selectTurned(db, ownerId, ids)];
  const makers = selectMakers(db, ownerId, ids);
  const by = peopleIn(deps, ownerId, [...makers.values()]);
  return shares.map((share) => {
    const { plays = 0, lastHeardAt = null } = sums.get(share.id) ?? {};
    const title = titleOf.get(share.entityId) ?? share.name;
    return {
      ...share,
      title,
      turned: turned.get(share.id) ?? "on",
      plays,
      lastHeardAt: toIsoOrNull(lastHeardAt),
      madeBy: by(makers.get(share.id) ?? null),
    };
  });
}
