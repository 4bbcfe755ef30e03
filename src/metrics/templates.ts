/** What requests are called that no route answers. */
const UNMATCHED = "unmatched";

type Template = { pattern: RegExp; name: string; parameters: number };

/**
 * Returns a function from an address to the template of its route, such as `/playlist/{token}`. It is for the routes
 * without a guard: the others know their template.
 */
export function templateFinder(routes: readonly { path: string }[]): (url: string) => string {
  const names = new Set(routes.map(({ path }) => path));
  const byFirst = Map.groupBy([...names].map(templateOf), ({ name }) => firstOf(name));
  // Of several that fit, the one with more words of its own.
  for (const templates of byFirst.values()) templates.sort((a, b) => a.parameters - b.parameters);
  return (url) => {
    const { pathname } = new URL(url);
    const fitting = [...(byFirst.get(firstOf(pathname)) ?? []), ...(byFirst.get("") ?? [])];
    return fitting.find(({ pattern }) => pattern.test(pathname))?.name ?? UNMATCHED;
  };
}

/** Returns the route as the metrics name it: parameters in braces, as in the API's document. */
export function routeName(route: string): string {
  return route.replace(/:(\w+)/g, "{$1}");
}

function templateOf(path: string): Template {
  const source = path
    .replace(/[.*+?^$()|[\]\\]/g, "\\$&")
    .replace(/:\w+/g, "[^/]+")
    .replace(/\\\*$/, ".*");
  return {
    pattern: new RegExp(`^${source}$`),
    name: routeName(path),
    parameters: path.split(/[:*]/).length - 1,
  };
}

/** Returns the first segment of a path; empty where it is a parameter. */
function firstOf(path: string): string {
  const first = path.split("/")[1] ?? "";
  return /[:*{]/.test(first) ? "" : first;
}
