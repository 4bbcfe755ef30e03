import { type Route, route } from "../http/route.ts";
import type { Deps } from "../kernel/deps.ts";
import { DomainError } from "../kernel/errors.ts";
import { isSameBytes, sha256 } from "../kernel/secrets.ts";
import type { Metrics } from "./metrics.ts";

const TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** `GET /metrics`, for the token of METRICS_TOKEN. Without that setting the address does not exist. */
export const metricsRoutes = (
  { settings }: Pick<Deps, "settings">,
  metrics: Metrics | undefined,
): Route[] => {
  const { metricsToken } = settings;
  if (!metrics || metricsToken === undefined) return [];
  const expected = sha256(metricsToken);
  const answer = async ({ request }: { request: Request }) => {
    const [, token = ""] = /^Bearer (.+)$/i.exec(request.headers.get("authorization") ?? "") ?? [];
    // Hashes have one length, so the comparison tells nothing of the token.
    if (!isSameBytes(sha256(token), expected)) throw wrongToken();
    return new Response(await metrics.text(), {
      headers: { "content-type": TYPE, "cache-control": "no-store" },
    });
  };
  return [route({ at: "GET /metrics", run: answer })];
};

function wrongToken(): DomainError {
  return new DomainError(
    "invalid_token",
    "The metrics need the token of METRICS_TOKEN as Authorization: Bearer",
    {
      headers: { "www-authenticate": "Bearer" },
    },
  );
}
