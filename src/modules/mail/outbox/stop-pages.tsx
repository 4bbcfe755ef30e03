/** @jsxRuntime automatic @jsxImportSource preact */
import { type Route, route } from "../../../http/route.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { pageBrand } from "../../../pages/brand.ts";
import { Button } from "../../../pages/components.tsx";
import { formReader } from "../../../pages/form.ts";
import { asPage, messageResponse } from "../../../pages/message.tsx";
import { pageRootOf } from "../../../pages/paths.ts";
import { brandOf } from "../../people/brand/service.ts";
import { findLibraryName } from "../../people/team/service.ts";
import { readStop, type Stop, stopMail } from "./stops.ts";

const readForm = formReader("all", "List-Unsubscribe");

/** Mail programs also send their one click as `multipart/form-data`, or nothing: it means the one library. */
async function asksForAll(request: Request): Promise<boolean> {
  const isOfPage = request.headers.get("content-type")?.startsWith("application/x-www-form-urlencoded");
  return isOfPage === true && (await readForm(request)).get("all") === "true";
}

/** Mails outlive the libraries that wrote them. */
const nameOf = ({ db }: Deps, { accountId }: Stop) =>
  findLibraryName(db, accountId) || "a library that is no longer here";

/**
 * `/mail/stop/{token}`: what a mail's foot opens. Opening it changes nothing, since programs open links; sending does, at once and
 * without a cookie, since mail programs send it in one step (RFC 8058).
 */
export const stopPages = (deps: Deps): Route[] => {
  const root = pageRootOf(deps.settings);
  return [
    route({
      at: "GET /mail/stop/:token",
      run: ({ params: { token } }) =>
        asPage(root, () => {
          const stop = readStop(deps, token);
          const library = nameOf(deps, stop);
          return messageResponse({
            title: "No more mail?",
            lead: `${stop.email} gets mail from ${library}. Links that you have keep working.`,
            root,
            brand: pageBrand(root, brandOf(deps, stop.accountId)),
            children: (
              <form method="post" class="stack">
                <Button name="all" value="false">{`Stop mail from ${library}`}</Button>
                <Button kind="quiet" name="all" value="true">
                  Stop all mail from this server
                </Button>
              </form>
            ),
          });
        }),
    }),
    route({
      at: "POST /mail/stop/:token",
      run: ({ request, params: { token } }) =>
        asPage(root, async () => {
          const stop = readStop(deps, token);
          const isAll = await asksForAll(request);
          stopMail(deps, stop, isAll);
          const from = isAll ? "this server" : nameOf(deps, stop);
          return messageResponse({
            title: "That is done",
            lead: `${stop.email} gets no more mail from ${from}.`,
            root,
            brand: pageBrand(root, brandOf(deps, stop.accountId)),
          });
        }),
    }),
  ];
};
