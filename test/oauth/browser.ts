/** A form on a page: its address, and the values that it sends. */
export type Form = {
  action: string;
  fields: [name: string, value: string][];
  boxes: { name: string; value: string }[];
};

/** A page as a browser without JavaScript shows it. */
export type Visit = {
  url: string;
  status: number;
  headers: Headers;
  html: string;
  text: string;
  form: Form | undefined;
};

export type Send = (url: string, init: RequestInit) => Promise<Response>;

const MAX_HOPS = 10;

/**
 * A browser without JavaScript: it keeps cookies, follows redirects and refreshes within `origin`, and fills in
 * forms. It stays within `origin`: a visit that ends elsewhere has the other address, and status 0.
 */
export function createBrowser(origin: string, send: Send) {
  const cookies = new Map<string, string>();

  const fetchPage = async (url: string, init: RequestInit): Promise<Response> => {
    const headers = new Headers(init.headers);
    if (cookies.size > 0) headers.set("cookie", [...cookies].map((each) => each.join("=")).join("; "));
    const response = await send(url, { ...init, headers, redirect: "manual" });
    for (const line of response.headers.getSetCookie()) keepCookie(cookies, line);
    return response;
  };

  const load = async (start: string, init: RequestInit = {}): Promise<Visit> => {
    let [url, options] = [start, init];
    for (let hops = 0; hops < MAX_HOPS; hops++) {
      if (!url.startsWith(`${origin}/`)) return elsewhere(url);
      const response = await fetchPage(url, options);
      const next = nextOf(response.headers);
      if (next === undefined) return visitOf(url, response);
      // Kept exactly as a client gets it: parsing would change an app's own scheme.
      [url, options] = [next.startsWith("/") ? origin + next : next, {}];
    }
    throw new Error("It redirects too often");
  };

  /** Sends a page's form with these values instead of its own; `undefined` removes one. */
  const submit = (
    page: Visit,
    values: Record<string, string | string[] | undefined> = {},
  ): Promise<Visit> => {
    if (!page.form) throw new Error(`There is no form on ${page.url}: ${page.text}`);
    const body = new URLSearchParams(page.form.fields.filter(([name]) => !(name in values)));
    for (const [name, value] of Object.entries(values))
      for (const each of [value ?? []].flat()) body.append(name, each);
    return load(new URL(page.form.action, page.url).href, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded", origin },
      body: body.toString(),
    });
  };

  return { load, submit, cookies };
}

export type Browser = ReturnType<typeof createBrowser>;

function keepCookie(cookies: Map<string, string>, line: string): void {
  const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
  if (/max-age=0/i.test(line)) cookies.delete(name);
  else cookies.set(name, value);
}

function nextOf(headers: Headers): string | undefined {
  const refresh = /^0; url=(.+)$/.exec(headers.get("refresh") ?? "")?.[1];
  return headers.get("location") ?? refresh;
}

const elsewhere = (url: string): Visit => ({
  url,
  status: 0,
  headers: new Headers(),
  html: "",
  text: "",
  form: undefined,
});

async function visitOf(url: string, response: Response): Promise<Visit> {
  const html = await response.text();
  const form = formOf(html);
  const text = html
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  return { url, status: response.status, headers: response.headers, html, text: decode(text), form };
}

function formOf(html: string): Form | undefined {
  const [, head = "", content = ""] = /<form([^>]*)>([\s\S]*?)<\/form>/.exec(html) ?? [];
  if (head === "") return undefined;
  const inputs = [...content.matchAll(/<input([^>]*)>/g)].map(([, text = ""]) => ({
    name: attribute(text, "name") ?? "",
    value: attribute(text, "value") ?? "",
    isBox: attribute(text, "type") === "checkbox",
    isChecked: /\schecked/.test(text),
  }));
  return {
    action: attribute(head, "action") ?? "",
    fields: inputs
      .filter(({ isBox, isChecked }) => !isBox || isChecked)
      .map(({ name, value }) => [name, value]),
    boxes: inputs.filter(({ isBox }) => isBox).map(({ name, value }) => ({ name, value })),
  };
}

function attribute(text: string, name: string): string | undefined {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(text)?.[1];
  return value === undefined ? undefined : decode(value);
}

function decode(text: string): string {
  return text
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}
