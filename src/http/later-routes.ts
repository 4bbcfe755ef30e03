import type { Route } from "./route.ts";

/**
 * Declares routes whose code is loaded with the first request for one of them: pages, which a server that starts does not need.
 *
 * @param at The addresses of the routes that `load` returns. They have neither a query nor a description.
 */
export function laterRoutes(
  at: readonly Route["at"][],
  load: () => Promise<readonly Route[]>,
): readonly Route[] {
  let loading: Promise<readonly Route[]> | undefined;
  const loaded = () => {
    loading ??= load().then((routes) => inOrder(routes, at));
    return loading;
  };
  return at.map((address, place) => ({
    at: address,
    run: async (asked) => {
      const route = (await loaded())[place];
      if (!route) throw new Error(`${address} was not loaded`);
      return route.run(asked);
    },
  }));
}

/** @throws Error when other routes were loaded than were declared: nothing would lead to them. */
function inOrder(routes: readonly Route[], declared: readonly string[]): readonly Route[] {
  const found = new Map(routes.map((route) => [route.at as string, route]));
  const ordered = declared.flatMap((address) => found.get(address) ?? []);
  if (ordered.length === declared.length && ordered.length === routes.length) return ordered;
  throw new Error(`Declared: ${declared.join(", ")}. Loaded: ${[...found.keys()].join(", ")}`);
}
