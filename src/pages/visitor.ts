import { isOwnOrigin } from "../http/front/own-origin.ts";
import type { PersonActor, SessionActor } from "../kernel/actor.ts";

/** What pages need to know about their visitors. */
export type Visitors = {
  /**
   * Returns who is signed in, by the cookie of the sign-in page or by a bearer token: as a member of the library that the
   * address names, or of the one that the session chose last. Undefined without a session.
   */
  personOf: (request: Request) => PersonActor | SessionActor | undefined;
  /**
   * Returns the visitor as a member of a library, whichever one the session is in; undefined for everybody else, guests of rooms
   * included.
   */
  memberOf: (request: Request, library: SessionActor["accountId"]) => SessionActor | undefined;
  /** Known origins of this server. Only their pages may change things. */
  ownOrigins: ReadonlySet<string>;
};

/** True when a form was posted from a page of this server, not by another site through the visitor's browser. */
export function isFromOwnPage({ ownOrigins }: Visitors, request: Request): boolean {
  return isOwnOrigin(request, ownOrigins);
}
