import { isOwnOrigin } from "../http/own-origin.ts";
import type { SessionActor } from "../kernel/actor.ts";

/** What pages need to know of whoever looks at them. */
export type Visitors = {
  /** Who is signed in by the cookie of the sign-in page or a bearer token; undefined: nobody, or no longer. */
  sessionOf: (request: Request) => SessionActor | undefined;
  /** Known addresses of this server, whose pages may change things. */
  ownOrigins: ReadonlySet<string>;
};

/** True when a form was posted from a page of this server, and not by another site through the visitor's browser. */
export function isFromOwnPage({ ownOrigins }: Visitors, request: Request): boolean {
  return isOwnOrigin(request, ownOrigins);
}
