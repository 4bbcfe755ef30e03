/** A mounted route: method and path template (`/api/v1/tracks/:id`). */
type Mounted = { method: string; path: string };

/**
 * Returns a function from a path to the methods that it accepts, including HEAD and OPTIONS; none for an unknown path.
 */
export function methodFinder(routes: readonly Mounted[]): (path: string) => readonly string[] {
  const patterns = [...Map.groupBy(routes, ({ path }) => path)].map(([path, known]) => ({
    pattern: new RegExp(`^${path.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/:\w+/g, "[^/]+")}$`),
    methods: known.map(({ method }) => method),
  }));
  return (path) => {
    const methods = patterns.filter(({ pattern }) => pattern.test(path)).flatMap((match) => match.methods);
    return methods.length === 0 ? [] : withImplied(methods);
  };
}

function withImplied(methods: readonly string[]): string[] {
  return [...new Set(methods.includes("GET") ? [...methods, "HEAD", "OPTIONS"] : [...methods, "OPTIONS"])];
}

const templates = new Map<string, string>();

/** Returns a route as usage records name it: relative to the API's base, parameters in braces (decision 2.22). */
export function routeTemplate(route: string): string {
  const known = templates.get(route);
  if (known !== undefined) return known;
  const template = route.replace(/^\/api\/v1/, "").replace(/:(\w+)/g, "{$1}");
  templates.set(route, template);
  return template;
}
