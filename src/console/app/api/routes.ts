/**
 * The server's routes, as its operations declare them: what each takes and answers. Only types are imported, so no code of the
 * server comes into the script.
 */
import type { AnyOperation } from "../../../modules/index.ts";

type Wire = NonNullable<AnyOperation["wire"]>;
type Routes = { [Each in Wire as Each["doors"]]: Each };

/** A method and a path, such as `GET /app/shares/{id}`; REST operations stand below `/app/library`. */
export type Address = keyof Routes;
export type Path<Method extends string = string> = Address extends infer Each
  ? Each extends `${Method} ${infer Own}`
    ? Own
    : never
  : never;

/** The whole answer of a route: `data`, and its siblings such as `paging`. */
export type Answer<At extends Address> = Routes[At]["answered"];
/** The `data` of a route's answer. */
export type Data<At extends Address> = Answer<At> extends { data: infer Own } ? Own : never;
/** The body that a route takes. */
export type Body<At extends Address> = Part<Sent<At>, "body">;

type Sent<At extends Address> = Routes[At]["sent"];
type Part<All, Name extends string> = All extends { [name in Name]: infer Own } ? Own : never;
type NamesIn<At> = At extends `${string}{${infer Name}}${infer After}` ? Name | NamesIn<After> : never;

/** What the address of a route is made of: `{ path: { id }, query: { limit } }`. */
export type Parameters<At extends Address> = PathPart<At> & QueryPart<Part<Sent<At>, "query">>;
type PathPart<At extends Address> = [NamesIn<At>] extends [never]
  ? { path?: never }
  : { path: { [Name in NamesIn<At>]: Part<Required<Part<Sent<At>, "params">>, Name> } };
type QueryPart<Query> = [Query] extends [never]
  ? { query?: never }
  : Record<never, never> extends Query
    ? { query?: Query }
    : { query: Query };

/** Asks a route: `api.POST("/app/shares", { body })`. */
type Ask<Method extends string> = <At extends Path<Method>>(
  path: At,
  ...options: OptionsOf<Address & `${Method} ${At}`>
) => Promise<{ data?: Answer<Address & `${Method} ${At}`> }>;
type OptionsOf<At extends Address> =
  Record<never, never> extends Options<At> ? [options?: Options<At>] : [options: Options<At>];
type Options<At extends Address> = {
  signal?: AbortSignal;
  headers?: Readonly<Record<string, string>>;
} & (Record<never, never> extends Parameters<At> ? { params?: Parameters<At> } : { params: Parameters<At> }) &
  ([Body<At>] extends [never] ? { body?: never } : { body: Body<At> });

/** The routes by method and path, as `openapi-fetch` asks them. */
export type Api = { [Method in "GET" | "POST" | "PUT" | "PATCH" | "DELETE"]: Ask<Method> };
