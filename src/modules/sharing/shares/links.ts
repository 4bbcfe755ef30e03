import type { Deps } from "../../../kernel/deps.ts";
import { publicUrlOf } from "../../../kernel/settings.ts";
import { type PublicShare, selectPublicShares } from "./queries.ts";
import type { SharedEntity } from "./shapes.ts";

/** Returns the address of the page that a link opens (decisions 2.11, 2.12). */
export function publicPageUrl(
  { settings }: Pick<Deps, "settings">,
  entity: SharedEntity,
  token: string,
): string {
  return `${publicUrlOf(settings)}/${entity}/${token}`;
}

/** Returns the path of a playlist's page for its owner, relative to the page root (decision 2.11). */
export function privatePagePath(playlistId: string): string {
  return `/library/playlists/${playlistId}`;
}

/**
 * Returns the public page of each track or playlist of a page, in the given order: that of its newest live share without
 * a recipient (decision 4.52). Those without one have a gap.
 */
export function publicLinksOf(
  deps: Pick<Deps, "db" | "now" | "settings">,
  entity: SharedEntity,
  ids: readonly string[],
): (string | undefined)[] {
  const links: (string | undefined)[] = [];
  const newest: (PublicShare | undefined)[] = [];
  for (const share of selectPublicShares(deps.db, ids, deps.now())) {
    if (!isNewer(share, newest[share.place])) continue;
    newest[share.place] = share;
    links[share.place] = publicPageUrl(deps, entity, share.token);
  }
  return links;
}

/** Ids made later sort later. */
function isNewer(a: PublicShare, b: PublicShare | undefined): boolean {
  if (!b || a.createdAt !== b.createdAt) return !b || a.createdAt > b.createdAt;
  return a.id > b.id;
}
