import { Elysia } from "elysia";
import { ok } from "../../http/envelope.ts";
import type { Guards } from "../../http/guards.ts";
import { describe } from "../../http/openapi.ts";
import { signalOf } from "../../http/request-state.ts";
import type { Deps } from "../../kernel/deps.ts";
import { SearchRequest, SearchResult } from "./model.ts";
import { searchTracks } from "./service.ts";

/** Ranks the library by prose. The only metered operation: one credit a call, failed calls are free. */
export const searchRoutes = (deps: Deps, guard: Guards) =>
  new Elysia({ prefix: "/tracks" }).use(guard).post(
    "/search",
    async ({ actor, body, request, set }) => {
      const { result, creditsRemaining } = await searchTracks(deps, actor, body, signalOf(request));
      set.headers["x-service-credits-remaining"] =
        creditsRemaining === null ? "unlimited" : String(creditsRemaining);
      return ok(result);
    },
    {
      scope: "read:tracks",
      body: SearchRequest,
      detail: describe({
        operationId: "searchTracks",
        tag: "Search",
        summary: "Search tracks by prose",
        description:
          "Ranks every analysed track. Only `constraints` filter; the prose is a hint. Costs one credit a call; " +
          "`X-Service-Credits-Remaining` tells what is left.",
        answer: SearchResult,
        refusals: ["not_enough_credits"],
      }),
    },
  );
