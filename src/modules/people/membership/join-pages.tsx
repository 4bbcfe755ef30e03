/** @jsxRuntime automatic @jsxImportSource preact */
import { STATUS, toDomainError } from "../../../http/errors.ts";
import { type Route, route } from "../../../http/route.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { pageBrand } from "../../../pages/brand.ts";
import { formReader } from "../../../pages/form.ts";
import { asPage, messageResponse } from "../../../pages/message.tsx";
import { pageRootOf } from "../../../pages/paths.ts";
import { htmlResponse, redirect } from "../../../pages/respond.ts";
import { sessionCookie } from "../../../pages/session-cookie.ts";
import { isFromOwnPage } from "../../../pages/visitor.ts";
import { brandOf } from "../brand/service.ts";
import { findPerson } from "../people/service.ts";
import { SESSION_IDLE_SEC } from "../people/shapes.ts";
import { findRoomName, type ReadInvitation } from "../team/service.ts";
import { type JoinParts, joiningOf } from "./join-operations.ts";
import { JoinPage, LatePage } from "./join-views.tsx";
import { findInvitation, join, visitorOf } from "./service.ts";

const readJoin = formReader("token", "email", "name", "password");

/** `/join`: what the link of an invitation opens. Opening the page does not use the link up. */
export const joinPages = (deps: Deps, parts: JoinParts): Route[] => {
  const pages = { deps, parts, root: pageRootOf(deps.settings) };
  return [
    route({
      at: "GET /join",
      run: ({ request }) =>
        answer(pages, () => show(pages, request, new URL(request.url).searchParams.get("token") ?? "")),
    }),
    route({ at: "POST /join", run: ({ request }) => answer(pages, () => accept(pages, request)) }),
  ];
};

type Pages = { deps: Deps; parts: JoinParts; root: string };

/** Says of a link that never existed what is said of one that does not work any more. */
function answer({ root }: Pages, handler: () => Promise<Response>): Promise<Response> {
  return asPage(root, async () => {
    try {
      return await handler();
    } catch (thrown) {
      if (!(thrown instanceof DomainError) || thrown.code !== "invalid_link") throw thrown;
      const lead = "Ask whoever sent it to you for a new one.";
      return messageResponse({ title: LATE, lead, status: STATUS.invalid_link, root });
    }
  });
}

const LATE = "This invitation no longer works";

/** What was refused, and the name that was typed. */
type Retry = { refusal: DomainError; name: string };

async function show(pages: Pages, request: Request, token: string, retry?: Retry): Promise<Response> {
  const { deps, parts, root } = pages;
  const { session, links } = joiningOf(request, parts);
  const invitation = findInvitation(deps, token, links);
  const { visitor, signedInAs } = visitorOf(deps, invitation, session);
  const brand = pageBrand(root, brandOf(deps, invitation.accountId));
  if (visitor === "late")
    return htmlResponse(<LatePage root={root} title={LATE} library={invitation.library} />, {
      status: STATUS.invalid_link,
      brand,
    });
  const page = (
    <JoinPage
      root={root}
      token={token}
      invitation={termsOf(deps, invitation)}
      visitor={visitor}
      signedInAs={signedInAs}
      error={retry?.refusal}
      name={retry?.name}
      ways={{ ...deps.settings, provider: deps.settings.provider?.name }}
    />
  );
  const failed = retry && { status: STATUS[retry.refusal.code], headers: retry.refusal.headers };
  return htmlResponse(page, { ...failed, brand });
}

function termsOf({ db }: Deps, { madeBy, playlistId, ...invitation }: ReadInvitation) {
  const { email, role, library, accountId, memberUntil } = invitation;
  const inviter = madeBy === null ? null : (findPerson(db, madeBy)?.name ?? null);
  const room = playlistId === null ? null : (findRoomName(db, accountId, playlistId) ?? null);
  return { email, role, library, accountId, inviter, memberUntil, room };
}

async function accept(pages: Pages, request: Request): Promise<Response> {
  const { deps, parts, root } = pages;
  if (!isFromOwnPage(parts.visitors, request))
    throw new DomainError("origin_not_allowed", "Please use the form on the page of this server");
  const form = await readJoin(request);
  const field = (of: string) => form.get(of) ?? "";
  const [token, name, password] = [field("token"), field("name"), field("password")];
  try {
    const joining = joiningOf(request, parts);
    const { accountId } = findInvitation(deps, token, joining.links);
    const signedIn = await join(deps, { token, name, password }, joining);
    const cookies = signedIn ? [sessionCookie(deps.settings, request, signedIn.token, SESSION_IDLE_SEC)] : [];
    // Somebody who joins without a password sets up how they come back.
    const isWithout = signedIn !== undefined && !deps.settings.passwords;
    return redirect(`${root}/library${isWithout ? "/settings/security" : ""}?in=${accountId}`, cookies);
  } catch (thrown) {
    const refusal = toDomainError(thrown);
    if (refusal.code === "internal_error" || refusal.code === "origin_not_allowed") throw thrown;
    // It says by itself why a link does not work.
    return show(pages, request, token, { refusal, name });
  }
}
