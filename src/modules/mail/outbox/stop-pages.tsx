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
import { askedToStop, wantMailAgain } from "./again.ts";
import { readStop, type Stop, stopMail } from "./stops.ts";

const readForm = formReader("all", "again", "List-Unsubscribe");

type Wish = { isAll: boolean; isAgain: boolean };

/** Mail programs also send their one click as `multipart/form-data`, or nothing: it means the one library. */
async function readWish(request: Request): Promise<Wish> {
  const isOfPage = request.headers.get("content-type")?.startsWith("application/x-www-form-urlencoded");
  if (isOfPage !== true) return { isAll: false, isAgain: false };
  const form = await readForm(request);
  return { isAll: form.get("all") === "true", isAgain: form.get("again") === "true" };
}

/** Mails outlive the libraries that wrote them. */
const nameOf = ({ db }: Deps, { accountId }: Stop) =>
  findLibraryName(db, accountId) || "a library that is no longer here";

/**
 * `/mail/stop/{token}`: what a mail's foot opens. Opening it changes nothing, since programs open links; sending does, at once and
 * without a cookie, since mail programs send it in one step (RFC 8058). Whoever pressed it by mistake takes it back there.
 */
export const stopPages = (deps: Deps): Route[] => {
  const root = pageRootOf(deps.settings);
  const show = (stop: Stop, title: string, asked: ReturnType<typeof askedToStop>) => {
    const library = nameOf(deps, stop);
    const from = asked === "server" ? "this server" : library;
    return messageResponse({
      title,
      lead: asked
        ? `${stop.email} gets no more mail from ${from}. Links that you have keep working.`
        : `${stop.email} gets mail from ${library}. Links that you have keep working.`,
      root,
      brand: pageBrand(root, brandOf(deps, stop.accountId)),
      children: (
        <form method="post" class="stack">
          {asked ? (
            <Button kind="quiet" name="again" value="true">
              Get mail again
            </Button>
          ) : (
            <Button name="all" value="false">{`Stop mail from ${library}`}</Button>
          )}
          {asked !== "server" && (
            <Button kind="quiet" name="all" value="true">
              Stop all mail from this server
            </Button>
          )}
        </form>
      ),
    });
  };

  return [
    route({
      at: "GET /mail/stop/:token",
      run: ({ params: { token } }) =>
        asPage(root, () => {
          const stop = readStop(deps, token);
          const asked = askedToStop(deps.db, stop);
          return show(stop, asked ? "No more mail" : "No more mail?", asked);
        }),
    }),
    route({
      at: "POST /mail/stop/:token",
      run: ({ request, params: { token } }) =>
        asPage(root, async () => {
          const stop = readStop(deps, token);
          const { isAll, isAgain } = await readWish(request);
          if (isAgain) wantMailAgain(deps, stop);
          else stopMail(deps, stop, isAll);
          return show(stop, "That is done", isAgain ? undefined : (askedToStop(deps.db, stop) ?? "library"));
        }),
    }),
  ];
};
