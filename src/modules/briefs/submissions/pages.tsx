/** @jsxRuntime automatic @jsxImportSource preact */
import { receiveForm } from "../../../http/body/multipart.ts";
import { STATUS, toDomainError } from "../../../http/errors.ts";
import { rateLimitKey } from "../../../http/front/client-ip.ts";
import { stateOf } from "../../../http/request-state.ts";
import { type Route, route } from "../../../http/route.ts";
import type { AttemptLimit } from "../../../kernel/attempt-limit.ts";
import type { Deps } from "../../../kernel/deps.ts";
import type { DomainError } from "../../../kernel/errors.ts";
import { asPage } from "../../../pages/message.tsx";
import { pageRootOf } from "../../../pages/paths.ts";
import { htmlResponse, redirect } from "../../../pages/respond.ts";
import type { Visitors } from "../../../pages/visitor.ts";
import { MAX_EMAIL } from "../../people/people/shapes.ts";
import { type Door, findDoor } from "../briefs/service.ts";
import { MAX_MESSAGE, MAX_SUBMITTER_NAME } from "../briefs/shapes.ts";
import { brandFor } from "./brand-pages.ts";
import { createSubmissions, getDoor, type Submissions } from "./context.ts";
import { handIn, ProblemError } from "./hand-in.ts";
import { findUploads, type UploadRow } from "./queries.ts";
import { receiptPages, receiptPath } from "./receipt-pages.tsx";
import { receiveFile } from "./receive.ts";
import type { FreeBytes } from "./room.ts";
import { type Draft, MAX_ITEMS, MAX_LINKS, type Problem } from "./shapes.ts";
import { signUp, thank } from "./thanks-pages.tsx";
import { submissionUploadRoutes } from "./upload-routes.ts";
import { ClosedPage, SubmitPage } from "./views.tsx";

/** Of the form to send music with. */
const FIELDS = ["files", "uploads", "links", "name", "email", "message", "website"];

const NO_DRAFT: Draft = { name: "", email: "", message: "", links: "" };

/** `/submit/{token}`: the public page of a brief, and the personal pages of the people asked by e-mail. */
export const submissionPages = (
  deps: Deps,
  visitors: Visitors,
  registerLimit: AttemptLimit,
  freeBytes?: FreeBytes,
): Route[] => {
  const submissions = createSubmissions(deps, registerLimit, freeBytes);
  const asDoorPage = (token: string, handler: () => Response | Promise<Response>) =>
    asPage(pageRootOf(deps.settings), handler, () => brandFor(deps, findDoor(deps, token)?.ownerId));
  return [
    ...submissionUploadRoutes(submissions),
    ...receiptPages(deps),
    route({
      at: "GET /submit/:token",
      run: ({ params: { token } }) =>
        asDoorPage(token, () => {
          const door = getDoor(submissions, token);
          return door.state === "open" ? showForm(submissions, door, token, {}) : closed(deps, door);
        }),
    }),
    route({
      at: "POST /submit/:token",
      run: ({ request, params: { token } }) => asDoorPage(token, () => receive(submissions, request, token)),
    }),
    route({
      at: "GET /submit/:token/received/:batch",
      run: ({ params: { token, batch } }) => asDoorPage(token, () => thank(submissions, { token, batch })),
    }),
    route({
      at: "POST /submit/:token/received/:batch",
      run: ({ request, params: { token, batch } }) =>
        asDoorPage(token, () => signUp(submissions, visitors, request, { token, batch })),
    }),
  ];
};

function closed(deps: Deps, door: Door): Promise<Response> {
  const root = pageRootOf(deps.settings);
  const reason = door.state === "off" || door.state === "past" ? door.state : "closed";
  return htmlResponse(<ClosedPage root={root} door={door} reason={reason} />, {
    status: 410,
    brand: brandFor(deps, door.ownerId),
  });
}

type Again = {
  draft?: Draft;
  kept?: readonly UploadRow[];
  problems?: readonly Problem[];
  refusal?: DomainError;
};

function showForm({ deps }: Submissions, door: Door, token: string, again: Again): Promise<Response> {
  const { draft = NO_DRAFT, kept = [], problems = [], refusal } = again;
  const root = pageRootOf(deps.settings);
  const status = refusal ? STATUS[refusal.code] : problems.length > 0 ? 400 : 200;
  return htmlResponse(
    <SubmitPage
      root={root}
      door={door}
      at={deps.now()}
      action={`${root}/submit/${token}`}
      draft={shortened(draft)}
      kept={kept}
      problems={problems}
      error={refusal?.message}
    />,
    { status, headers: refusal?.headers ?? {}, brand: brandFor(deps, door.ownerId) },
  );
}

/** Returns the draft to show again, cut to what its fields accept: a page must not grow with its input. */
function shortened({ name, email, message, links }: Draft): Draft {
  return {
    name: name.slice(0, 2 * MAX_SUBMITTER_NAME),
    email: email.slice(0, 2 * MAX_EMAIL),
    message: message.slice(0, 2 * MAX_MESSAGE),
    links: links.slice(0, MAX_LINKS),
  };
}

/** The contents of a form. `kept` grows while the form is read, so that nothing is lost if the connection breaks. */
type Received = { draft: Draft; kept: UploadRow[]; problems: Problem[]; isFilledByMachine: boolean };

/** Receives the form. The page's script gets a JSON answer, a plain form the next page. */
async function receive(submissions: Submissions, request: Request, token: string): Promise<Response> {
  stateOf(request).hasNoTimeout = true;
  const root = pageRootOf(submissions.deps.settings);
  const wantsJson = request.headers.get("accept") === "application/json";
  const door = getDoor(submissions, token);
  if (door.state !== "open") return wantsJson ? word(410, OVER) : closed(submissions.deps, door);
  const received: Received = { draft: NO_DRAFT, kept: [], problems: [], isFilledByMachine: false };
  try {
    const batch = await takeIn(submissions, door, request, received);
    const location = `${root}/submit/${token}/received/${batch}`;
    const receipt = receiptPath(submissions.deps, batch);
    return wantsJson ? Response.json({ location, receipt }, { headers: NO_STORE }) : redirect(location);
  } catch (thrown) {
    const refusal = refusalOf(thrown, received);
    if (wantsJson) return word(refusal ? STATUS[refusal.code] : 400, refusal?.message ?? wordsOf(received));
    return showForm(submissions, door, token, { ...received, ...(refusal && { refusal }) });
  }
}

/** Adds a problem to the others, or returns the refusal of the whole form; rethrows anything else. */
function refusalOf(thrown: unknown, received: Received): DomainError | undefined {
  if (thrown instanceof ProblemError) {
    received.problems.push(thrown.problem);
    return undefined;
  }
  const refusal = toDomainError(thrown);
  if (refusal.code === "internal_error") throw thrown;
  return refusal;
}

/** Reads the form and hands it in; only successful submissions count against the limit. Returns the batch's id. */
async function takeIn(
  submissions: Submissions,
  door: Door,
  request: Request,
  received: Received,
): Promise<string> {
  const attempts = submissions.submitLimit("", rateLimitKey(stateOf(request).ip));
  attempts.check();
  const takeBack = attempts.count(); // counted at the start, so that simultaneous long uploads all count
  try {
    await readSubmission(submissions, door, request, received);
    return await finish(submissions, door, received);
  } catch (error) {
    takeBack();
    throw error;
  }
}

const OVER = "This page no longer takes submissions";
const NO_STORE = { "cache-control": "no-store" };
const word = (status: number, message: string) => Response.json({ message }, { status, headers: NO_STORE });
const wordsOf = ({ problems }: Received) => problems.map(({ words }) => words).join(". ");

async function finish({ deps }: Submissions, door: Door, received: Received): Promise<string> {
  const problem = received.problems.pop();
  if (problem) throw new ProblemError(problem.field, problem.words);
  if (received.isFilledByMachine)
    throw new ProblemError("files", "A hidden field was filled in: please reload the page and try again");
  const uploadIds = received.kept.map(({ id }) => id);
  return handIn(deps, door, { draft: received.draft, uploadIds });
}

async function readSubmission(
  submissions: Submissions,
  door: Door,
  request: Request,
  received: Received,
): Promise<void> {
  const { deps } = submissions;
  const client = rateLimitKey(stateOf(request).ip);
  const { fields } = await receiveForm(
    request,
    "files",
    { maxFiles: MAX_ITEMS, known: FIELDS },
    async (file) => {
      const taken = await receiveFile(submissions, door, file, client);
      if ("row" in taken) received.kept.push(taken.row);
      else received.problems.push({ field: "files", words: taken.refusal });
    },
  );
  const read = (name: string) => (fields.get(name) ?? "").toWellFormed().replaceAll("\r\n", "\n");
  received.draft = {
    name: read("name"),
    email: read("email"),
    message: read("message"),
    links: read("links"),
  };
  received.isFilledByMachine = read("website") !== "";
  const ids = [
    ...new Set(
      read("uploads")
        .split(/\s+/)
        .filter((id) => id !== ""),
    ),
  ].slice(0, MAX_ITEMS + 1); // one more than the limit is enough to refuse them
  const earlier = findUploads(deps.db, door.briefId, ids, deps.now());
  received.kept.unshift(...earlier);
  if (earlier.length < ids.length)
    received.problems.push({
      field: "files",
      words: "One of the files is no longer here: please choose it again",
    });
}
