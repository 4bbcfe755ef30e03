import { h, type VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { loadAssets } from "./assets.ts";
import { BrandOfPage, OURS, type PageBrand } from "./brand.ts";
import { encodingFor } from "./encoding.ts";
import { AssetNames } from "./layout.tsx";

/** Options of an HTML answer. */
export type HtmlOptions = {
  /** The default is 200. */
  status?: number;
  headers?: Readonly<Record<string, string>>;
  /** `Set-Cookie` values, see {@link cookie}. */
  cookies?: readonly string[];
  /** Other origins that a form on the page may lead to, directly or by a redirect. The browser blocks all others. */
  formAction?: readonly string[];
  /** Further sources of the page's pictures. */
  imgSrc?: readonly string[];
  /** Further sources of what the page plays. */
  mediaSrc?: readonly string[];
  /** True for a page that may ask for the microphone. */
  mayRecord?: boolean;
  /** False for a page with the system's fonts. */
  hasFont?: boolean;
  /** What the page shows in place of our name, mark and colour. */
  brand?: PageBrand;
  /** Where the page's manifest may come from; left out: it has none. */
  manifestSrc?: readonly string[];
  /**
   * The request's Accept-Encoding, if the answer may be compressed. Leave it out for pages that contain both a
   * secret of the visitor and text from the request: the compressed size would leak the secret.
   */
  acceptEncoding?: string | null;
};

/**
 * Renders a page (a `<Page>`) and answers with it. Scripts and styles come only from `/assets`, other sites may not
 * frame it, and search engines should not index it. It is not cached unless `headers` allow it.
 */
export async function htmlResponse(page: VNode, options: HtmlOptions = {}): Promise<Response> {
  const assets = await loadAssets();
  const names = new Map([...assets].map(([source, { name }]) => [source, name]));
  const branded = h(BrandOfPage.Provider, { value: options.brand ?? OURS }, page);
  const html = `<!doctype html>${renderToString(h(AssetNames.Provider, { value: names }, branded))}`;
  const headers = new Headers({
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    ...PAGE_HEADERS,
    "permissions-policy": permissionsPolicy(options.mayRecord),
    "content-security-policy": securityPolicy(options),
    ...options.headers,
  });
  for (const each of options.cookies ?? []) headers.append("set-cookie", each);
  const body = await compress(html, options.acceptEncoding, headers);
  return new Response(body, { status: options.status ?? 200, headers });
}

/** Answers with a fragment that a script inserts into a page. */
export async function fragmentResponse(part: VNode, acceptEncoding: string | null): Promise<Response> {
  const headers = new Headers({
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    ...PAGE_HEADERS,
    "content-security-policy": "default-src 'none'",
  });
  return new Response(await compress(renderToString(part), acceptEncoding, headers), { headers });
}

/** Returns a fragment that a script puts into a page, as text. */
export const fragmentText = (part: VNode): string => renderToString(part);

/**
 * Sends the browser to another page by GET, also after a form. `location` is an address, or a path that includes
 * the page root.
 */
export function redirect(location: string, cookies: readonly string[] = []): Response {
  const headers = new Headers({ location, "cache-control": "no-store", ...PAGE_HEADERS });
  for (const each of cookies) headers.append("set-cookie", each);
  return new Response(null, { status: 303, headers });
}

/** The scope of a cookie. Without `maxAgeSec` it ends with the browser session; with 0 it ends at once. */
export type CookieOptions = { path: string; isSecure: boolean; maxAgeSec?: number };

/** Returns a `Set-Cookie` value. Scripts cannot read the cookie, and forms on other sites do not send it. */
export function cookie(name: string, value: string, { path, isSecure, maxAgeSec }: CookieOptions): string {
  const age = maxAgeSec === undefined ? "" : `; Max-Age=${maxAgeSec}`;
  return `${name}=${value}; Path=${path}${age}; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
}

const permissionsPolicy = (mayRecord = false) =>
  `camera=(), microphone=(${mayRecord ? "self" : ""}), geolocation=(), browsing-topics=()`;

const PAGE_HEADERS = {
  // With `no-referrer`, browsers would post our own forms with the origin "null", which is refused.
  "referrer-policy": "same-origin",
  "x-frame-options": "DENY",
  "x-content-type-options": "nosniff",
  "x-robots-tag": "noindex, nofollow, noarchive",
  "permissions-policy": permissionsPolicy(),
  "cross-origin-resource-policy": "same-origin",
};

function securityPolicy(options: HtmlOptions): string {
  const { formAction = [], imgSrc = [], mediaSrc = [], manifestSrc, hasFont = true } = options;
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    ["img-src 'self'", ...imgSrc].join(" "),
    ...(hasFont ? ["font-src 'self'"] : []),
    ["media-src 'self'", ...mediaSrc].join(" "),
    "connect-src 'self'",
    ...(manifestSrc ? [`manifest-src ${manifestSrc.join(" ")}`] : []),
    `form-action ${["'self'", ...formAction].join(" ")}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

async function compress(html: string, acceptEncoding: string | null | undefined, headers: Headers) {
  if (acceptEncoding === undefined) return html;
  headers.append("vary", "Accept-Encoding");
  const encoding = encodingFor(acceptEncoding);
  if (encoding === "identity") return html;
  headers.set("content-encoding", encoding);
  // Fast enough to run for every visitor: beyond quality 5, brotli takes ten times as long to save a tenth of the
  // bytes.
  const { toBrotli, toGzip } = await import("./compress.ts");
  return encoding === "br" ? toBrotli(html, 5) : toGzip(html, 6);
}
