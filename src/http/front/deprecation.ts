import { DomainError } from "../../kernel/errors.ts";
import { DAY_MS, type Now, parseUtcDay, SECOND_MS } from "../../kernel/time.ts";

const NOTICE_MS = 90 * DAY_MS;
const VERSION_PREFIX = "/api/v1";

/** A route that will be removed (specification section 9). Days are `YYYY-MM-DD` and begin at 00:00 UTC. */
export type DeprecatedRoute = {
  method: string;
  /** Full template as in the OpenAPI document: `/api/v1/tracks/{trackId}/versions`. */
  path: string;
  /** The day of the announcement. */
  since: string;
  /** The day from which the route answers 404; null: undecided. */
  sunset: string | null;
  /** Template of the successor. It uses only parameters that `path` has. */
  successor: string | null;
  note: string | null;
};

/** The announcement once a newer version of the API exists. */
export type DeprecatedVersion = { latest: string; since: string; sunset: string };

/** Everything that is deprecated. */
export type Deprecations = { routes: readonly DeprecatedRoute[]; version: DeprecatedVersion | null };

/** Nothing is deprecated at present. A route that will be removed gets a line here and in the changelog. */
export const DEPRECATIONS: Deprecations = { routes: [], version: null };

/** What an answer says about the deprecation of its route. */
export type DeprecationNotice = {
  /** Header fields, RFC 9745, RFC 8594 and RFC 8288 (decision 9.2). */
  fields: readonly (readonly [name: string, value: string])[];
  /** The refusal of decision 7.3, once the route is no longer served. */
  refusal: DomainError | undefined;
};

/** Returns the notice when a request is for something deprecated. `path` has no query. */
export type FindDeprecation = (method: string, path: string) => DeprecationNotice | undefined;

type MountedRoute = { method: string; path: string; detail?: Readonly<Record<string, unknown>> | undefined };
type Template = Pick<MountedRoute, "method" | "path">;
type Entry = Omit<DeprecatedRoute, "note"> & { pattern: RegExp };

/**
 * Returns the function that finds notices, or undefined when nothing is deprecated, so the front door can skip it.
 *
 * @param apiRoot Root of the REST service; `rel="deprecation"` points to its documentation page.
 * @throws Error when a date does not exist, when announcement and sunset are less than 90 days apart, when a route
 *   that is still served is not mounted, or when a successor needs a parameter that its route does not have.
 */
export function deprecationFinder(
  { routes: deprecated, version }: Deprecations,
  { now, routes, apiRoot }: { now: Now; routes: readonly MountedRoute[]; apiRoot: string },
): FindDeprecation | undefined {
  if (deprecated.length === 0 && !version) return undefined;
  const mounted = routes.map(({ method, path }) => ({ method, path: templateOf(path) }));
  for (const route of deprecated) checkRoute(route, mounted, now());
  if (version) checkDays("The API version", version);
  const templates = [...mounted, ...deprecated].map((route) => ({
    ...route,
    pattern: patternOf(route.path),
  }));
  const entries = deprecated.map((route) => ({ ...route, pattern: patternOf(route.path) }));

  return (method, path) => {
    const verb = method === "HEAD" ? "GET" : method;
    const same = entries.find((each) => each.method === verb && each.pattern.test(path));
    // A path without parameters belongs to its own route, not to a template that also matches it.
    const own = same && winner(templates, verb, path) === same.path ? same : undefined;
    const whole = version && isUnder(VERSION_PREFIX, path) ? versionEntry(version) : undefined;
    const found = [own, whole].filter((entry) => entry !== undefined);
    return found.length === 0 ? undefined : noticeOf(found, path, { at: now(), apiRoot });
  };
}

/** Returns the routes, with the deprecated ones marked for the OpenAPI document. */
export function announced<Route extends MountedRoute>(
  routes: readonly Route[],
  { routes: deprecated, version }: Deprecations,
): readonly Route[] {
  if (deprecated.length === 0 && !version) return routes;
  const names = new Set(deprecated.map(({ method, path }) => `${method} ${path}`));
  return routes.map((route) => {
    const isDeprecated =
      names.has(`${route.method} ${templateOf(route.path)}`) ||
      (version && isUnder(VERSION_PREFIX, route.path));
    if (!isDeprecated) return route;
    return { ...route, detail: { ...route.detail, deprecated: true } };
  });
}

/** Puts the fields of a notice on an answer. Most answers have no notice. */
export function setDeprecationFields(headers: Headers, notice: DeprecationNotice | undefined): void {
  for (const [name, value] of notice?.fields ?? []) headers.set(name, value);
}

/**
 * Returns the methods that a path still accepts: `methodsOf` without those whose route has been removed. When only
 * OPTIONS is left, the path is unknown.
 */
export function servedMethods(
  methodsOf: (path: string) => readonly string[],
  find: FindDeprecation | undefined,
): (path: string) => readonly string[] {
  if (!find) return methodsOf;
  return (path) => {
    const served = methodsOf(path).filter((method) => !find(method, path)?.refusal);
    return served.some((method) => method !== "OPTIONS") ? served : [];
  };
}

function noticeOf(
  found: readonly Entry[],
  path: string,
  { at, apiRoot }: { at: number; apiRoot: string },
): DeprecationNotice {
  const since = Math.min(...found.map((entry) => dayMs(entry.since)));
  const [last] = found
    .filter((entry) => entry.sunset !== null)
    .sort((a, b) => dayMs(a.sunset ?? "") - dayMs(b.sunset ?? ""));
  const successor = found.find((entry) => entry.successor !== null);
  const links = [`<${apiRoot}/swagger>; rel="deprecation"; type="text/html"`];
  if (successor) links.push(`<${apiRoot}${fillIn(successor, path)}>; rel="successor-version"`);
  const sunsetMs = last ? dayMs(last.sunset ?? "") : Number.POSITIVE_INFINITY;
  return {
    fields: [
      ["deprecation", `@${since / SECOND_MS}`],
      // `toUTCString` gives exactly an IMF-fixdate.
      ...(last ? [["sunset", new Date(sunsetMs).toUTCString()] as const] : []),
      ["link", links.join(", ")],
    ],
    refusal: last && at >= sunsetMs ? gone(last) : undefined,
  };
}

function gone({ sunset, successor }: Entry): DomainError {
  return new DomainError("not_found", `This address was removed on ${sunset}`, {
    data: { sunset, successor },
  });
}

/** A newer version replaces all paths at once: its root is the successor. */
function versionEntry({ latest, since, sunset }: DeprecatedVersion): Entry {
  const path = VERSION_PREFIX;
  return { method: "", path, pattern: patternOf(path), since, sunset, successor: `/api/v${latest}` };
}

const templateOf = (path: string) => path.replace(/:(\w+)/g, "{$1}");
const isUnder = (prefix: string, path: string) => path === prefix || path.startsWith(`${prefix}/`);

/**
 * Returns the template of the mounted route that a path belongs to. Segment by segment, words win over parameters.
 */
function winner(
  templates: readonly (Template & { pattern: RegExp })[],
  method: string,
  path: string,
): string | undefined {
  const rank = (template: string) => template.replace(/[^/]+/g, (part) => (part.startsWith("{") ? "1" : "0"));
  return templates
    .filter((each) => each.method === method && each.pattern.test(path))
    .map((each) => each.path)
    .sort((a, b) => (rank(a) < rank(b) ? -1 : Number(rank(a) > rank(b))))[0];
}

function patternOf(template: string): RegExp {
  const source = template.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{(\w+)\}/g, "(?<$1>[^/]+)");
  return new RegExp(`^${source}$`);
}

/** Returns the successor's address, filled in with the parameters of the request. */
function fillIn({ pattern, successor }: Entry, path: string): string {
  const values = pattern.exec(path)?.groups ?? {};
  return (successor ?? "").replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "");
}

function checkRoute(route: DeprecatedRoute, mounted: readonly Template[], at: number): void {
  const name = `${route.method} ${route.path}`;
  checkDays(name, route);
  const isServed = route.sunset === null || dayMs(route.sunset) > at;
  if (isServed && !mounted.some(({ method, path }) => `${method} ${path}` === name))
    throw new Error(`${name} is deprecated but does not exist`);
  const missing = parametersOf(route.successor ?? "").find(
    (each) => !parametersOf(route.path).includes(each),
  );
  if (missing) throw new Error(`The successor of ${name} needs ${missing}, which the route does not have`);
}

function checkDays(name: string, { since, sunset }: { since: string; sunset: string | null }): void {
  for (const day of [since, sunset])
    if (day !== null && parseUtcDay(day) === undefined)
      throw new Error(`${name} is deprecated on a day that does not exist: ${day}`);
  if (sunset !== null && dayMs(sunset) - dayMs(since) < NOTICE_MS)
    throw new Error(`${name} must be served for at least 90 days after ${since}`);
}

const parametersOf = (template: string): string[] => template.match(/\{\w+\}/g) ?? [];
const dayMs = (day: string) => parseUtcDay(day) ?? Number.NaN;
