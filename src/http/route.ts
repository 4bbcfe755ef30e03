import type { Static, TSchema } from "@sinclair/typebox";
import type { Address } from "./operation.ts";

/** `ALL` stands for every method, and `*` for the rest of a path. */
type RouteAddress = Address | `ALL /${string}`;

/** The names of the parameters in a path. */
type NamesIn<Path extends string> = Path extends `${infer Part}/${infer Rest}`
  ? NamesIn<Part> | NamesIn<Rest>
  : Path extends `:${infer Name}`
    ? Name
    : never;

/** A route as it is declared. */
type Declared<At extends string, Query> = {
  /** With the whole path. */
  at: At;
  /** Names that it does not know are let pass: links get further ones on their way, such as `utm_source`. */
  query?: Query;
  /** What the document says of it (see `describe`). Left out: it is not in the document. */
  detail?: Readonly<Record<string, unknown>>;
  /** Answers. The body has not been read. */
  run: (asked: {
    request: Request;
    params: Readonly<Record<NamesIn<At>, string>>;
    query: Query extends TSchema ? Static<Query> : undefined;
  }) => Response | Promise<Response>;
};

/** A route as it is mounted. */
export type Route = Declared<RouteAddress, TSchema>;

/**
 * Declares what is no operation of the API: a page, a file, or the endpoint of another protocol. It decides by itself who
 * comes in, and what it answers is sent as it is.
 */
export const route = <At extends RouteAddress, Query extends TSchema | undefined = undefined>(
  declared: Declared<At, Query>,
): Route => declared as unknown as Route;
