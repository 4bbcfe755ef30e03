import type { TestApp } from "../support/app.ts";

/** A page as its visitor received it. */
export type Seen = { status: number; headers: Headers; text: string; location: string | null };

/** The user agent of an ordinary browser. */
export const BROWSER =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
const ORIGIN = "http://127.0.0.1:4747";

/**
 * Makes a person with their own browser. It keeps cookies by their path and follows no redirects by itself.
 * `origin` is the address that they open the server at.
 */
export function createVisitor({ request }: Pick<TestApp, "request">, peer = "203.0.113.7", origin = ORIGIN) {
  const jar = new Map<string, { value: string; path: string }>();

  const send = async (path: string, init: RequestInit): Promise<Seen> => {
    const { pathname } = new URL(path, origin);
    const cookies = [...jar]
      .filter(([, { path: scope }]) => pathname === scope || pathname.startsWith(scope.replace(/\/?$/, "/")))
      .map(([name, { value }]) => `${name.split(" ")[0]}=${value}`);
    const headers = new Headers({ "user-agent": BROWSER, accept: "text/html", ...(init.headers as object) });
    if (cookies.length > 0) headers.set("cookie", cookies.join("; "));
    const response = await request(origin + path, {
      ...init,
      headers,
      redirect: "manual",
      peer,
    } as RequestInit);
    for (const cookie of response.headers.getSetCookie()) keep(cookie);
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      location: response.headers.get("location"),
    };
  };
  const keep = (cookie: string) => {
    const [, name = "", value = "", attributes = ""] = /^([^=]+)=([^;]*);(.*)$/.exec(cookie) ?? [];
    const path = /Path=([^;]+)/.exec(attributes)?.[1] ?? "/";
    if (/Max-Age=0\b/.test(attributes)) jar.delete(`${name} ${path}`);
    else jar.set(`${name} ${path}`, { value, path });
  };

  return {
    open: (path: string, headers: Record<string, string> = {}) => send(path, { headers }),
    head: (path: string) => send(path, { method: "HEAD" }),
    /** Sends a form from a page of this server. */
    post: (
      path: string,
      fields: Record<string, string> | [string, string][],
      headers: Record<string, string> = {},
    ) =>
      send(path, {
        method: "POST",
        body: new URLSearchParams(fields).toString(),
        headers: { "content-type": "application/x-www-form-urlencoded", origin, ...headers },
      }),
    cookieNames: () => [...jar.keys()].map((key) => key.split(" ")[0]),
    setCookie: (name: string, value: string, path = "/") => jar.set(`${name} ${path}`, { value, path }),
  };
}

/** Returns the values of an attribute in a page, with entities decoded. */
export function attributesOf(html: string, name: string): string[] {
  return [...html.matchAll(new RegExp(` ${name}="([^"]*)"`, "g"))].map(([, value = ""]) =>
    value.replaceAll("&amp;", "&").replaceAll("&quot;", '"'),
  );
}

/** Returns the words of a page. */
export const textOf = ({ text }: Pick<Seen, "text">): string =>
  text
    .replace(/<(script|style)[\s\S]*?<\/\1>/g, "")
    .replace(/<[^>]+>/g, " ")
    .replaceAll("&#39;", "'")
    .replace(/\s+/g, " ");
