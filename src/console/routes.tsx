/** @jsxRuntime automatic @jsxImportSource preact */
import { setState, stateOf } from "../http/request-state.ts";
import { type Route, route } from "../http/route.ts";
import type { SessionActor } from "../kernel/actor.ts";
import type { Deps } from "../kernel/deps.ts";
import { loadConsoleFiles } from "../pages/console-files.ts";
import { asPage } from "../pages/message.tsx";
import { pageRootOf } from "../pages/paths.ts";
import { htmlResponse, redirect } from "../pages/respond.ts";
import type { Visitors } from "../pages/visitor.ts";
import { manifestRoutes } from "./manifest.ts";
import { firstRequests, type Match, matchScreen } from "./shared/addresses.ts";
import { linkName, trackTitle } from "./shared/names.ts";
import { type FirstData, Shell } from "./shell.tsx";

// The router finds the path only after a host of at least four characters (decision 0033, 12).
const INSIDE = "http://dubplate.internal";

/** Asks the program's own routes for a session; null for a refusal. */
type Ask = (path: string) => Promise<Json | null>;
// biome-ignore lint/suspicious/noExplicitAny: answers pass through to the script that knows their types
type Json = any;

/**
 * `/library` and everything below it: the document of the console for a session; anyone else is sent to sign in. An
 * address that is no screen, or names a thing that the account does not have, answers 404 with the same document.
 *
 * @param handle The program's routes, which the first data of a screen come from.
 */
export const consoleRoutes = (
  deps: Pick<Deps, "settings">,
  { sessionOf }: Visitors,
  handle: (request: Request) => Response | Promise<Response>,
): Route[] => {
  const root = pageRootOf(deps.settings);

  const open = (request: Request) =>
    asPage(root, () => {
      const session = sessionOf(request);
      return session ? show(request, session) : signInFirst(root, request);
    });

  const show = async (request: Request, session: SessionActor): Promise<Response> => {
    const state = stateOf(request);
    state.sessionActor = session; // its use moves its end
    const ask: Ask = async (path) => {
      const asked = new Request(INSIDE + path);
      setState(asked, { ip: state.ip, startedAt: performance.now(), sessionActor: session });
      const response = await handle(asked);
      return response.ok ? response.json() : null;
    };
    const { pathname, searchParams } = new URL(request.url);
    const match = matchScreen(pathname);
    // First, so that no change is between the answers and the live changes.
    const changes = await ask("/app/changes");
    const [signedIn, ...answers] = await Promise.all([
      ask("/auth/session"),
      ...(match ? firstRequests(match, searchParams) : []).map(ask),
    ]);
    const heading = match && headingOf(match, answers);
    const { id, name, email } = signedIn.data.user;
    const first: FirstData = {
      root,
      account: { id, name, email },
      seq: changes.data.seq,
      answers: heading === undefined ? [] : answers,
    };
    const files = await loadConsoleFiles();
    const preload = (match && heading !== undefined && files.needs[match.id]) || [];
    const shell = <Shell heading={heading ?? "Nothing here"} first={first} files={files} preload={preload} />;
    return htmlResponse(shell, {
      status: heading === undefined ? 404 : 200,
      imgSrc: ["blob:"],
      manifestSrc: ["'self'"],
      acceptEncoding: request.headers.get("accept-encoding"),
    });
  };

  return [
    ...manifestRoutes(deps),
    route({ at: "GET /library", run: ({ request }) => open(request) }),
    route({ at: "GET /library/*", run: ({ request }) => open(request) }),
  ];
};

/** Returns the heading of a screen; undefined when it names a thing that the account does not have. */
function headingOf({ id, heading }: Match, [answer]: readonly (Json | null)[]): string | undefined {
  if (heading !== null) return heading;
  // REST answers for an unknown track or playlist with 200 and without the thing.
  if (id === "track") return answer?.data.track ? trackTitle(namesOf(answer.data.track)) : undefined;
  if (id === "playlist") return answer?.data.playlist?.name ?? answer?.data.name;
  if (id === "brief") return answer?.data.name;
  if (id === "composer") return answer?.data.fullName;
  return answer ? linkName(answer.data) : undefined;
}

const namesOf = ({ name, audio_profile }: Json) => ({ name, title: audio_profile.title });

function signInFirst(root: string, { url }: Request): Response {
  const { pathname, search } = new URL(url);
  return redirect(`${root}/signin?next=${encodeURIComponent(root + pathname + search)}`);
}
