import { rateLimitKey } from "../../../http/front/client-ip.ts";
import { stateOf } from "../../../http/request-state.ts";
import { type Route, route } from "../../../http/route.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { issuerOf, resourceOf, wellKnownPath } from "./addresses.ts";
import { readBody } from "./body.ts";
import { readFields } from "./fields.ts";
import { resourceMetadata, serverMetadata } from "./metadata.ts";
import { OAuthError } from "./oauth-error.ts";
import { registerClient } from "./registration.ts";
import { exchange, revokeToken } from "./tokens.ts";

const NO_STORE = { "cache-control": "no-store", pragma: "no-cache" };

/**
 * The OAuth routes for programs (decision 5.9): metadata, `/oauth/token`, `/oauth/register` and `/oauth/revoke`. Bodies
 * have no envelope, as the RFCs require. The pages for owners are in pages.tsx.
 */
export const oauthRoutes = (deps: Deps): Route[] => [
  ...[...documentsOf(deps)].map(([path, document]) =>
    route({
      at: `GET ${path}`,
      run: () => Response.json(document, { headers: { "cache-control": "public, max-age=3600" } }),
    }),
  ),
  route({
    at: "POST /oauth/token",
    run: ({ request }) => answer(request, async () => json(exchange(deps, await readForm(request)))),
  }),
  route({
    at: "POST /oauth/revoke",
    run: ({ request }) =>
      answer(request, async () => {
        revokeToken(deps, await readForm(request));
        return new Response(null, { headers: NO_STORE });
      }),
  }),
  route({
    at: "POST /oauth/register",
    run: ({ request }) =>
      answer(request, async () => {
        const text = await readBody(request, "application/json", "invalid_client_metadata");
        const from = rateLimitKey(stateOf(request).ip);
        return json(registerClient(deps, parseJson(text), from), 201);
      }),
  }),
];

/** Returns both documents, each at the path that its identifier requires and at the path that clients guess. */
function documentsOf({ settings }: Pick<Deps, "settings">): Map<`/${string}`, object> {
  const resource = resourceMetadata(settings);
  const server = serverMetadata(settings);
  return new Map<`/${string}`, object>([
    ["/.well-known/oauth-protected-resource", resource],
    ["/.well-known/oauth-protected-resource/mcp", resource],
    [wellKnownPath("oauth-protected-resource", resourceOf(settings)), resource],
    ["/.well-known/oauth-authorization-server", server],
    [wellKnownPath("oauth-authorization-server", issuerOf(settings)), server],
  ]);
}

async function readForm(request: Request) {
  const text = await readBody(request, "application/x-www-form-urlencoded", "invalid_request");
  if (request.headers.has("authorization"))
    throw new OAuthError(
      "invalid_client",
      "Clients of this server are public: send only the client_id, without an Authorization header",
      {
        "www-authenticate": 'Basic realm="Dubplate"',
      },
    );
  return readFields(new URLSearchParams(text));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new OAuthError("invalid_client_metadata", "The body is not JSON");
  }
}

async function answer(request: Request, work: () => Promise<Response>): Promise<Response> {
  try {
    return await work();
  } catch (thrown) {
    if (!(thrown instanceof OAuthError)) throw thrown;
    const { code, message, headers } = thrown;
    return json({ error: code, error_description: message }, statusOf(request, thrown), headers);
  }
}

/** Answers 401 to clients that sent an Authorization header (RFC 6749, section 5.2), and 400 to others. */
function statusOf(request: Request, { code }: OAuthError): number {
  if (code === "temporarily_unavailable") return 429;
  return code === "invalid_client" && request.headers.has("authorization") ? 401 : 400;
}

function json(body: object, status = 200, headers: Readonly<Record<string, string>> = {}): Response {
  return Response.json(body, { status, headers: { ...NO_STORE, ...headers } });
}
