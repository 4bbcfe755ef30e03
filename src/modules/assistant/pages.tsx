/** @jsxRuntime automatic @jsxImportSource preact */
import { Elysia } from "elysia";
import { stateOf } from "../../http/request-state.ts";
import type { SessionActor } from "../../kernel/actor.ts";
import type { Deps } from "../../kernel/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { readForm } from "../../pages/form.ts";
import { asPage } from "../../pages/message.tsx";
import { pageRootOf } from "../../pages/paths.ts";
import { htmlResponse, redirect } from "../../pages/respond.ts";
import type { Visitors } from "../../pages/visitor.ts";
import type { Rails } from "./model.ts";
import { listCalls, undoCall } from "./service.ts";
import { CallsView } from "./views.tsx";

const PER_PAGE = 50;

/** `/library/assistant`: what assistants did, for the owner, by the session. The page needs no script. */
export const assistantPages = (deps: Deps, visitors: Visitors, rails: Pick<Rails, "flush">) => {
  const root = pageRootOf(deps.settings);
  return new Elysia()
    .get("/library/assistant", ({ request }) =>
      asPage(root, () => {
        const session = findSession(visitors, request);
        if (!session)
          return redirect(`${root}/signin?next=${encodeURIComponent(`${root}/library/assistant`)}`);
        rails.flush();
        return show(deps, root, session, new URL(request.url).searchParams);
      }),
    )
    .post("/library/assistant/undo", ({ request }) => asPage(root, () => takeBack(deps, visitors, request)), {
      parse: "none",
    });
};

async function takeBack(deps: Deps, visitors: Visitors, request: Request): Promise<Response> {
  const session = findSession(visitors, request);
  if (!session) throw new DomainError("invalid_session_token", "You are no longer signed in");
  const form = await readForm(request);
  const root = pageRootOf(deps.settings);
  try {
    undoCall(deps, session.accountId, form.get("call") ?? "");
    return redirect(`${root}/library/assistant?undone=true`);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return show(deps, root, session, new URLSearchParams(), error.message);
  }
}

function show(
  deps: Deps,
  root: string,
  { accountId }: SessionActor,
  query: URLSearchParams,
  refusal?: string,
): Promise<Response> {
  const isChangedOnly = query.get("all") !== "true";
  const cursor = query.get("cursor");
  const { items, paging } = listCalls(deps, accountId, {
    limit: PER_PAGE,
    ...(isChangedOnly && { changed: true }),
    ...(cursor && { cursor }),
  });
  const next = new URLSearchParams({
    ...(!isChangedOnly && { all: "true" }),
    cursor: paging.next_cursor ?? "",
  });
  const done = query.get("undone") === "true" ? "Taken back. Everything is as it was before." : undefined;
  return htmlResponse(
    <CallsView
      root={root}
      calls={items}
      isChangedOnly={isChangedOnly}
      next={paging.next_cursor === null ? undefined : `${root}/library/assistant?${next}`}
      notice={noticeOf(refusal, done)}
    />,
  );
}

function noticeOf(refusal: string | undefined, done: string | undefined) {
  if (refusal) return { kind: "error" as const, text: `${refusal}.` };
  return done ? { kind: "info" as const, text: done } : undefined;
}

function findSession({ sessionOf }: Visitors, request: Request): SessionActor | undefined {
  const session = sessionOf(request);
  if (session) stateOf(request).sessionActor = session; // its use moves its end
  return session;
}
