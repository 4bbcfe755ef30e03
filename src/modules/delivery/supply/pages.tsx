/** @jsxRuntime automatic @jsxImportSource preact */
import { STATUS, toDomainError } from "../../../http/errors.ts";
import { rateLimitKey } from "../../../http/front/client-ip.ts";
import { stateOf } from "../../../http/request-state.ts";
import { type Route, route } from "../../../http/route.ts";
import { type AttemptLimit, createAttemptLimit } from "../../../kernel/attempt-limit.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { pageBrand } from "../../../pages/brand.ts";
import { formReader } from "../../../pages/form.ts";
import { asPage, messageResponse } from "../../../pages/message.tsx";
import { pageRootOf } from "../../../pages/paths.ts";
import { htmlResponse } from "../../../pages/respond.ts";
import { MAX_ASKED_TRACKS } from "../../library/composers/shapes.ts";
import { brandOf } from "../../people/brand/service.ts";
import { findLibraryName } from "../../people/team/service.ts";
import { findSupply, keepSupplied, type OpenSupply, readSupplied } from "./supplied.ts";
import { SUPPLY_FIELDS, SupplyPage, shareField, type Typed } from "./views.tsx";

/** The address is the secret. On the page with the form, browsers need `same-origin` to send the form's origin. */
const HEADERS = { "referrer-policy": "no-referrer" };

const readForm = formReader(
  ...SUPPLY_FIELDS,
  ...Array.from({ length: 2 * MAX_ASKED_TRACKS }, (_, at) => shareField(at)),
);

type Pages = { deps: Deps; root: string; wrong: AttemptLimit };

/** `/supply/{token}`: where a composer checks and completes their own details. It needs no script and no sign-in. */
export const supplyPages = (deps: Deps): Route[] => {
  const pages = { deps, root: pageRootOf(deps.settings), wrong: createAttemptLimit(deps.now) };
  return [
    route({
      at: "GET /supply/:token",
      run: ({ request, params: { token } }) =>
        asPage(pages.root, () => show(pages, find(pages, request, token), token)),
    }),
    route({
      at: "POST /supply/:token",
      run: ({ request, params: { token } }) =>
        asPage(pages.root, () => receive(pages, find(pages, request, token), request, token)),
    }),
  ];
};

/** @throws DomainError `not_found` for a link that does not work; `rate_limit_exceeded` after ten of them. */
function find({ deps, wrong }: Pages, request: Request, token: string): OpenSupply {
  const attempts = wrong("supply", rateLimitKey(stateOf(request).ip));
  attempts.check();
  const open = findSupply(deps, token);
  if (open) return open;
  attempts.count();
  throw new DomainError("not_found", "This link no longer works. Ask whoever sent it to you for a new one");
}

const libraryOf = ({ deps }: Pages, { request }: OpenSupply): string =>
  findLibraryName(deps.db, request.ownerId) || "this library";
const brandFor = ({ deps, root }: Pages, { request }: OpenSupply) =>
  pageBrand(root, brandOf(deps, request.ownerId));

function show(
  pages: Pages,
  open: OpenSupply,
  token: string,
  again?: { typed: Typed; refusal: DomainError },
): Promise<Response> {
  const { root } = pages;
  return htmlResponse(
    <SupplyPage
      root={root}
      library={libraryOf(pages, open)}
      action={`${root}/supply/${token}`}
      composer={open.composer}
      shares={open.shares}
      typed={again?.typed}
      error={again?.refusal}
    />,
    {
      brand: brandFor(pages, open),
      status: again ? STATUS[again.refusal.code] : 200,
      ...(again && { headers: again.refusal.headers }),
    },
  );
}

async function receive(pages: Pages, open: OpenSupply, request: Request, token: string): Promise<Response> {
  const form = await readForm(request);
  try {
    keepSupplied(pages.deps, open, readSupplied(open, form));
  } catch (thrown) {
    const refusal = toDomainError(thrown);
    if (refusal.code !== "validation_failed") throw thrown;
    return show(pages, open, token, { typed: Object.fromEntries(form), refusal });
  }
  const library = libraryOf(pages, open);
  return messageResponse({
    title: "Thank you",
    lead: `${library} has your details now, and decides what to take. You may close this page.`,
    root: pages.root,
    headers: HEADERS,
    brand: brandFor(pages, open),
  });
}
