import { type Guest, type Reach, roleRefusal } from "../kernel/actor.ts";
import { DomainError, type ErrorCode } from "../kernel/errors.ts";
import { allowedInRooms, roleInRooms } from "../kernel/roles.ts";
import type { Scope } from "../kernel/scopes.ts";
import type { Operation, SessionNeed } from "./operation.ts";

/** What the path of a request names that a room can hold. */
export type Named = { trackId?: string; playlistId?: string };

/**
 * Returns a guest with only those of their rooms that hold what is named, and with what they may there.
 *
 * @throws DomainError `track_not_found`, `playlist_not_found` when none does.
 */
export type InRooms = (guest: Guest, named: Named) => Guest;

type Needed = Scope | SessionNeed;

/** True for somebody who reaches only rooms of a library. */
export const isGuest = (actor: unknown): actor is Guest => (actor as Reach | undefined)?.rooms !== undefined;

/** How a door of an operation meets guests; everybody else it leaves as they are. */
type AtDoor = {
  /**
   * Passes where the operation is open to guests. Elsewhere, what it names is not there for them.
   *
   * @throws DomainError a 404, or `insufficient_scope` where the address names nothing.
   */
  admit: (actor: unknown) => void;
  /**
   * Returns a guest as who they are for what the path names.
   *
   * @throws DomainError as {@link InRooms}; `insufficient_scope` when no room that holds it allows what is needed.
   */
  there: (actor: unknown, params: unknown, query: unknown) => unknown;
};

/** Prepares how a door of an operation meets guests. */
export function guestsAtDoor(
  { rooms, refusals }: Operation,
  { path, need, inRooms }: { path: string; need: Needed; inRooms: InRooms },
): AtDoor {
  const isOpen = rooms || need === "self";
  return {
    admit: (actor) => {
      if (!isGuest(actor) || isOpen) return;
      const code = notThere(path, refusals);
      if (code === undefined) throw roleRefusal(need, roleInRooms(actor.rooms));
      const thing = code === "not_found" ? "thing" : code.replace("_not_found", "").replaceAll("_", " ");
      throw new DomainError(code, `There is no such ${thing}`);
    },
    there: (actor, params, query) => {
      if (!isGuest(actor)) return actor;
      if (typeof rooms !== "object") return guestFor(actor, { params, need, inRooms });
      const trackId = (query as Record<string, string>)[rooms.trackIn];
      return inRoomsOrNone(actor, { ...(trackId !== undefined && { trackId }) }, inRooms);
    },
  };
}

/** Returns the refusal that says that what a path names is not there; undefined for one that names nothing. */
export function notThere(path: string, refusals: readonly ErrorCode[]): ErrorCode | undefined {
  if (!path.includes("/:")) return undefined;
  return refusals.find((each) => each.endsWith("not_found")) ?? "not_found";
}

function guestFor(
  guest: Guest,
  { params, need, inRooms }: { params: unknown; need: Needed; inRooms: InRooms },
): Guest {
  const { trackId, playlistId } = (params ?? {}) as Named;
  if (trackId === undefined && playlistId === undefined) return guest;
  const there = inRooms(guest, {
    ...(trackId !== undefined && { trackId }),
    ...(playlistId !== undefined && { playlistId }),
  });
  const needs: ReadonlySet<string> = there.allowed.needs;
  if (need === "self" || need === "member" || needs.has(need)) return there;
  throw roleRefusal(need, roleInRooms(there.rooms));
}

function inRoomsOrNone(guest: Guest, named: Named, inRooms: InRooms): Guest {
  try {
    return inRooms(guest, named);
  } catch (error) {
    if (error instanceof DomainError) return { ...guest, rooms: [], allowed: allowedInRooms([]) };
    throw error;
  }
}
