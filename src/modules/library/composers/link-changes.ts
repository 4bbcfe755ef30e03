import type { Link } from "./queries.ts";

/** What can happen to a link; the last part of the event's name. */
export type LinkChange = "linked_to_track" | "track_updated" | "unlinked_from_track";

/** The differences between two states of a track's links. */
export type LinkChanges = {
  links: { change: LinkChange; link: Link }[];
  /** The overall change for each composer; unchanged composers are left out. */
  composers: Map<string, LinkChange>;
};

/** Compares two states of a track's links. Replacing a composer's role with another counts as an update. */
export function diffLinks(before: readonly Link[], after: readonly Link[]): LinkChanges {
  const changes: LinkChanges = { links: [], composers: new Map() };
  const ids = new Set([...before, ...after].map(({ composerId }) => composerId));
  for (const id of ids) {
    const isOfComposer = ({ composerId }: Link) => composerId === id;
    const had = before.filter(isOfComposer);
    const has = after.filter(isOfComposer);
    const links = diffOfComposer(had, has);
    changes.links.push(...links);
    if (links.length > 0) changes.composers.set(id, kindOf(had.length, has.length));
  }
  return changes;
}

function diffOfComposer(had: readonly Link[], has: readonly Link[]): LinkChanges["links"] {
  const sameRole = (links: readonly Link[], { role }: Link) => links.find((link) => link.role === role);
  const newShares = has.filter((link) => {
    const old = sameRole(had, link);
    return old !== undefined && old.share !== link.share;
  });
  const newRoles = has.filter((link) => !sameRole(had, link));
  const lostRoles = had.filter((link) => !sameRole(has, link));
  return [
    ...lostRoles.slice(newRoles.length).map((link) => ({ change: "unlinked_from_track", link }) as const),
    ...newShares.map((link) => ({ change: "track_updated", link }) as const),
    ...newRoles.map(
      (link, index) =>
        ({ change: index < lostRoles.length ? "track_updated" : "linked_to_track", link }) as const,
    ),
  ];
}

/** Returns the kind of change from the number of links that a composer had and has. */
function kindOf(had: number, has: number): LinkChange {
  if (had === 0) return "linked_to_track";
  return has === 0 ? "unlinked_from_track" : "track_updated";
}
