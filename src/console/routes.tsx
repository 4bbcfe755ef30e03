/** @jsxRuntime automatic @jsxImportSource preact */
import { LIBRARY_PARAMETER, libraryNamedBy } from "../http/library-choice.ts";
import { setState, stateOf } from "../http/request-state.ts";
import { type Route, route } from "../http/route.ts";
import type { PersonActor, SessionActor } from "../kernel/actor.ts";
import type { Deps } from "../kernel/deps.ts";
import type { Need } from "../kernel/roles.ts";
import { loadConsoleFiles } from "../pages/console-files.ts";
import { asPage } from "../pages/message.tsx";
import { pageRootOf } from "../pages/paths.ts";
import { htmlResponse, redirect } from "../pages/respond.ts";
import type { Visitors } from "../pages/visitor.ts";
import { manifestRoutes } from "./manifest.ts";
import { NoLibraryPage, NotInLibraryPage } from "./outside.tsx";
import { firstRequests, GUEST_SCREENS, type Match, matchScreen } from "./shared/addresses.ts";
import { linkName, trackTitle } from "./shared/names.ts";
import { type FirstData, Shell } from "./shell.tsx";
import { workerRoutes } from "./worker-routes.tsx";

// The router finds the path only after a host of at least four characters (decision 0033, 12).
const INSIDE = "http://dubplate.internal";

/** Asks the program's own routes for a session; null for a refusal. */
type Ask = (path: string) => Promise<Json | null>;
// biome-ignore lint/suspicious/noExplicitAny: answers pass through to the script that knows their types
type Json = any;

/**
 * `/library` and everything below it: the document of the console for a session; anyone else is sent to sign in. An
 * address that is no screen, names a thing that the account does not have, or shows what the role does not allow answers
 * 404 with the same document.
 *
 * @param handle The program's routes, which the first data of a screen come from.
 */
export const consoleRoutes = (
  deps: Pick<Deps, "settings">,
  { personOf }: Visitors,
  handle: (request: Request) => Response | Promise<Response>,
): Route[] => {
  const root = pageRootOf(deps.settings);

  const open = (request: Request) =>
    asPage(root, () => {
      const person = personOf(request);
      if (!person) return signInFirst(root, request);
      stateOf(request).sessionActor = person; // its use moves its end
      if (!("memberId" in person)) return leave(request, person);
      const { pathname, search } = new URL(request.url);
      // A guest has no library to begin with.
      if (person.rooms && matchScreen(pathname)?.id === "library")
        return redirect(`${root}/library/playlists${search}`);
      return show(request, person);
    });

  // Who it is comes along, so that every answer is of the library of the document.
  const askAs = (request: Request, sessionActor: PersonActor | SessionActor): Ask => {
    const { ip } = stateOf(request);
    return async (path) => {
      const asked = new Request(INSIDE + path);
      setState(asked, { ip, startedAt: performance.now(), sessionActor });
      const response = await handle(asked);
      return response.ok ? response.json() : null;
    };
  };

  const leave = async (request: Request, person: PersonActor) => {
    const signedIn = await askAs(request, person)("/auth/session");
    return outside(root, request, signedIn?.data.libraries ?? []);
  };

  const show = async (request: Request, session: SessionActor): Promise<Response> => {
    const ask = askAs(request, session);
    const { pathname, searchParams } = new URL(request.url);
    const match = screenFor(session, pathname);
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
      library: signedIn.data.library,
      libraries: signedIn.data.libraries,
      mayFound: signedIn.data.mayFound,
      ways: {
        passkeys: deps.settings.passkeys,
        provider: deps.settings.provider?.name ?? null,
        passwords: deps.settings.passwords,
      },
      sendsMail: deps.settings.mail !== undefined,
      seq: changes.data.seq,
      answers: heading === undefined ? [] : answers,
    };
    const files = await loadConsoleFiles();
    const preload = (match && heading !== undefined && files.needs[match.id]) || [];
    const shell = <Shell heading={heading ?? "Nothing here"} first={first} files={files} preload={preload} />;
    return htmlResponse(shell, {
      status: heading === undefined ? 404 : 200,
      ...MAY_DO,
      acceptEncoding: request.headers.get("accept-encoding"),
    });
  };

  return [
    ...manifestRoutes(deps),
    ...workerRoutes(deps),
    route({ at: "GET /library", run: ({ request }) => open(request) }),
    route({ at: "GET /library/*", run: ({ request }) => open(request) }),
  ];
};

/** What the policies of a console's document allow. */
const MAY_DO = { imgSrc: ["blob:"], mediaSrc: ["blob:"], mayRecord: true, manifestSrc: ["'self'"] };

/** Returns what a member sees at an address; undefined: there is no screen, or the role does not allow it. */
function screenFor({ allowed, rooms }: SessionActor, pathname: string): Match | undefined {
  const match = matchScreen(pathname);
  if (rooms && match && !GUEST_SCREENS.includes(match.id)) return undefined;
  return match?.need === undefined || allowed.needs.has(match.need as Need) ? match : undefined;
}

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

/** Answers somebody who is not in the library of the address, or in none any more. */
function outside(
  root: string,
  request: Request,
  [first]: readonly { id: string; name: string }[],
): Response | Promise<Response> {
  if (!first) return htmlResponse(<NoLibraryPage root={root} />, { status: 403 });
  if (libraryNamedBy(request) !== null)
    return htmlResponse(<NotInLibraryPage root={root} other={first} />, { status: 403 });
  // The one that the session chose last is closed or over.
  const url = new URL(request.url);
  url.searchParams.set(LIBRARY_PARAMETER, first.id);
  return redirect(root + url.pathname + url.search);
}

function signInFirst(root: string, { url }: Request): Response {
  const { pathname, search } = new URL(url);
  return redirect(`${root}/signin?next=${encodeURIComponent(root + pathname + search)}`);
}
