import style from "swagger-ui-dist/swagger-ui.css" with { type: "file" };
import script from "swagger-ui-dist/swagger-ui-bundle.js" with { type: "file" };
import { route } from "../../../http/route.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { type PackedText, packedResponse, packText } from "../../../pages/packed-text.ts";

const GENERATOR = "openapi-generator";
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Dubplate API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/swagger/style.css">
</head>
<body>
<div id="api"></div>
<noscript>This page needs JavaScript. The same document is at <a href="/openapi.json">/openapi.json</a>.</noscript>
<script src="/swagger/script.js"></script>
<script src="/swagger/start.js"></script>
</body>
</html>
`;

const START = `SwaggerUIBundle({ url: "/openapi.json", dom_id: "#api", deepLinking: true, tryItOutEnabled: true,
  persistAuthorization: false, validatorUrl: null });
`;

/** @throws DomainError `validation_failed` for a query parameter or a value that the document's address does not know. */
function isAskedForGenerator(query: URLSearchParams): boolean {
  const unknown = [...query].filter(([name, value]) => name !== "for" || value !== GENERATOR);
  if (unknown.length > 0)
    throw new DomainError("validation_failed", `The only parameter is for=${GENERATOR}`);
  return query.has("for");
}

/** Returns the OpenAPI document. */
export type DocumentText = (isForGenerator: boolean) => Promise<string>;

/** `/openapi.json`, and the page at `/swagger` that shows it with files from this server only. */
export const documentRoutes = (documentText: DocumentText) => {
  const packed = new Map<boolean, PackedText>();
  const html = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": CONTENT_SECURITY_POLICY,
  };
  const asset = (path: string, type: string) =>
    new Response(Bun.file(path), {
      headers: { "content-type": type, "cache-control": "public, max-age=3600" },
    });
  return [
    route({
      at: "GET /openapi.json",
      run: async ({ request }) => {
        const isForGenerator = isAskedForGenerator(new URL(request.url).searchParams);
        const text = packed.get(isForGenerator) ?? packText(await documentText(isForGenerator));
        packed.set(isForGenerator, text);
        return packedResponse(request, text, "application/json");
      },
    }),
    route({ at: "GET /swagger", run: () => new Response(PAGE, { headers: html }) }),
    route({
      at: "GET /swagger/start.js",
      run: () => new Response(START, { headers: { "content-type": "text/javascript" } }),
    }),
    route({ at: "GET /swagger/script.js", run: () => asset(script, "text/javascript") }),
    route({ at: "GET /swagger/style.css", run: () => asset(style, "text/css") }),
  ];
};
