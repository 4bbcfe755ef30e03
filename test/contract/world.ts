import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { changeCredits } from "../../src/modules/people/accounts/service.ts";
import { createKey, createPlatformKey } from "../../src/modules/people/keys/service.ts";
import { type Answer, createTestApp, type Json, jsonOf } from "../support/app.ts";
import { serveFile } from "./files.ts";
import { createLibrary, type Library } from "./library.ts";
import { nameOf, type Row } from "./notation.ts";

/** The values of a row's request. Lists in `form` are sent as repeated fields. */
export type Call = {
  params?: Record<string, string>;
  query?: Record<string, Json>;
  body?: Record<string, Json>;
  form?: Record<string, Json>;
  /** Replaces `form` for a body too large for memory. */
  stream?: { type: string; body: ReadableStream };
};

/** A person with an account, a key with every scope, and a session. */
export type Person = Library & {
  accountId: string;
  email: string;
  key: string;
  token: string;
  /** Sends a row's request; `headers` replace the person's own credential. */
  send: (row: Row, call: Call, headers?: Record<string, string>) => Promise<Answer>;
  /** Sends a row's request so that what is unknown in it is left out. */
  sendLenient: (row: Row, call: Call) => Promise<Answer>;
};

export type World = Awaited<ReturnType<typeof createWorld>>;

const DAY_MS = 24 * 3600 * 1000;

/** Starts the whole service, with two unrelated people, and an outside server with files. */
export async function createWorld() {
  const outside = await listen();
  const host = `127.0.0.1:${(outside.address() as AddressInfo).port}`;
  const app = await createTestApp({ settings: { networkAllow: [host, "127.0.0.1:1", "hooks.example"] } });
  const platformKey = createPlatformKey(app.deps, {
    name: "partner",
    scopes: ["platform:read:file-requests", "platform:read:accounts"],
    days: 30,
  }).key;
  /** `status messageCode` of every refusal that occurred. */
  const refusalsMet = new Set<string>();

  const send = async (row: Row, call: Call, headers: Record<string, string>): Promise<Answer> => {
    const type = call.body ? "application/json" : call.stream?.type;
    const response = await app.request(addressOf(row, call), {
      method: row.method,
      headers: { ...(type && { "content-type": type }), ...headers },
      ...(call.body && { body: JSON.stringify(call.body) }),
      ...(call.stream && { body: call.stream.body }),
      ...(call.form && { body: formOf(call.form) }),
    });
    const body = await jsonOf(response);
    if (response.status >= 400) refusalsMet.add(`${body.statusCode} ${body.messageCode}`);
    return { status: response.status, headers: response.headers, body };
  };

  const createPerson = (credits: number | null = null): Person => {
    const account = app.createAccount();
    changeCredits(app.deps, account, { set: credits });
    const key = app.createKey(account.accountId);
    const credentials = credentialsOf({ key, token: account.token, platformKey });
    return {
      ...account,
      key,
      send: (row, call, headers) => send(row, call, headers ?? credentials(row)),
      sendLenient: (row, call) => send(row, call, { ...credentials(row), "dubplate-lenient": "1" }),
      ...createLibrary(app, { ...account, key }),
    };
  };

  return {
    app,
    files: `http://${host}`,
    platformKey,
    refusalsMet,
    send,
    createPerson,
    owner: createPerson(),
    stranger: createPerson(),
    /** Returns a key of the account that expired yesterday. */
    expiredKey: (accountId: string) =>
      createKey({ ...app.deps, now: () => app.deps.now() - 2 * DAY_MS }, accountId, { name: "old", days: 1 })
        .key,
    close: async () => {
      await new Promise((closed) => outside.close(closed));
      await app.close();
    },
  };
}

/** Returns the header fields that a row's caller needs. */
export function credentialsOf({
  key,
  token,
  platformKey,
}: {
  key: string;
  token: string;
  platformKey: string;
}) {
  return ({ needs }: Row): Record<string, string> => {
    if (needs === "nothing") return {};
    if (needs === "session token") return { authorization: `Bearer ${token}` };
    return { "x-api-key": needs.startsWith("platform:") ? platformKey : key };
  };
}

/** Returns the address of a row's request. */
export function addressOf(row: Row, { params = {}, query = {} }: Call): string {
  const path = row.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`${nameOf(row)} was called without ${name}`);
    return encodeURIComponent(value);
  });
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(
    given.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  const prefix = path.startsWith("/integration") ? "" : "/api/v1";
  return `${prefix}${path}${search === "" ? "" : `?${search}`}`;
}

function formOf(fields: Record<string, Json>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields))
    for (const each of Array.isArray(value) ? value : [value])
      if (each !== undefined) form.append(name, each);
  return form;
}

function listen(): Promise<Server> {
  const server = createServer(serveFile);
  return new Promise((ready) => server.listen(0, "127.0.0.1", () => ready(server)));
}

/** Puts `value` into a copy of a call, at a place such as `body.items.0.fileUrl`; undefined removes the field. */
export function changed(call: Call, place: string, value: Json): Call {
  const copy = structuredCloneOf(call);
  const names = place.split(".");
  const last = names.pop() ?? "";
  let at: Json = copy;
  for (const name of names) at = at[name] ??= {};
  if (value === undefined) delete at[last];
  else at[last] = value;
  return copy;
}

/** Files are not copied, because they are never changed. */
function structuredCloneOf(value: Json): Json {
  if (Array.isArray(value)) return value.map(structuredCloneOf);
  if (typeof value !== "object" || value === null || value instanceof Blob) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, structuredCloneOf(each)]));
}
