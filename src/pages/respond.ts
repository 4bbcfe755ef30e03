import { h, type VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { loadAssets } from "./assets.ts";
import { encodingFor } from "./encoding.ts";
import { AssetNames } from "./layout.tsx";

/** What an answer is beside its page. */
export type HtmlOptions = {
  /** 200 when left out. */
  status?: number;
  headers?: Readonly<Record<string, string>>;
  /** `Set-Cookie` values, see {@link cookie}. */
  cookies?: readonly string[];
  /** Origins besides the own one that a form of the page leads to, also by a redirect: the browser refuses others. */
  formAction?: readonly string[];
  /** Further sources of the page's pictures. */
  imgSrc?: readonly string[];
  /** Where the page's manifest may come from; left out: it has none. */
  manifestSrc?: readonly string[];
  /**
   * The request's Accept-Encoding, where the answer is to be compressed. Leave it out for pages that hold a secret of the
   * visitor's and repeat what was sent: sizes would tell one from the other.
   */
  acceptEncoding?: string | null;
};

/**
 * Renders a page (a `<Page>`) and answers with it. Scripts and styles come from `/assets` alone, no other site may frame
 * it, and no search engine should keep it. It is not cached unless `headers` say otherwise.
 */
export async function htmlResponse(page: VNode, options: HtmlOptions = {}): Promise<Response> {
  const assets = await loadAssets();
  const names = new Map([...assets].map(([source, { name }]) => [source, name]));
  const html = `<!doctype html>${renderToString(h(AssetNames.Provider, { value: names }, page))}`;
  const headers = new Headers({
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    ...PAGE_HEADERS,
    "content-security-policy": securityPolicy(options),
    ...options.headers,
  });
  for (const each of options.cookies ?? []) headers.append("set-cookie", each);
  const body = await compress(html, options.acceptEncoding, headers);
  return new Response(body, { status: options.status ?? 200, headers });
}

/** Answers with a part of a page, for a script that puts it into one. */
export async function fragmentResponse(part: VNode, acceptEncoding: string | null): Promise<Response> {
  const headers = new Headers({
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    ...PAGE_HEADERS,
    "content-security-policy": "default-src 'none'",
  });
  return new Response(await compress(renderToString(part), acceptEncoding, headers), { headers });
}

/** Sends the browser to another page by GET, also after a form. `location` is an address or a path with the page root. */
export function redirect(location: string, cookies: readonly string[] = []): Response {
  const headers = new Headers({ location, "cache-control": "no-store", ...PAGE_HEADERS });
  for (const each of cookies) headers.append("set-cookie", each);
  return new Response(null, { status: 303, headers });
}

/** What a cookie is bound to; without `maxAgeSec` it ends with the browser's session, with 0 at once. */
export type CookieOptions = { path: string; isSecure: boolean; maxAgeSec?: number };

/** Returns a `Set-Cookie` value: never readable by scripts, never sent by other sites' forms. */
export function cookie(name: string, value: string, { path, isSecure, maxAgeSec }: CookieOptions): string {
  const age = maxAgeSec === undefined ? "" : `; Max-Age=${maxAgeSec}`;
  return `${name}=${value}; Path=${path}${age}; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
}

const PAGE_HEADERS = {
  // With no-referrer a browser would post the pages' own forms from the origin "null", which is refused.
  "referrer-policy": "same-origin",
  "x-frame-options": "DENY",
  "x-content-type-options": "nosniff",
  "x-robots-tag": "noindex, nofollow, noarchive",
  "permissions-policy": "camera=(), microphone=(), geolocation=(), browsing-topics=()",
  "cross-origin-resource-policy": "same-origin",
};

function securityPolicy({ formAction = [], imgSrc = [], manifestSrc }: HtmlOptions): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    ["img-src 'self'", ...imgSrc].join(" "),
    "media-src 'self'",
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
  // Fit to be done for every visitor: beyond quality 5 brotli takes ten times the time for a tenth of the bytes.
  const { toBrotli, toGzip } = await import("./compress.ts");
  return encoding === "br" ? toBrotli(html, 5) : toGzip(html, 6);
}
