import type { Role } from "../../db/schema.ts";
import { type Json, jsonOf, type TestApp } from "./app.ts";
import { type Planted, planted, plantLibrary } from "./planted.ts";
import { addMember } from "./team.ts";

type Route = { method: string; path: string };
/** Somebody's session and key. */
type Caller = { role: Role; token: string; key: string };

/** Numbers from 0 to below 1, the same for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/**
 * Makes two libraries and people who are in both, and walks them: what any answer says of the other library, of splits, of plays or
 * of an original, without being allowed to, is a fault.
 */
export async function createForeignWalk(app: TestApp) {
  const here = await plantLibrary(app, "Herons", 410);
  const there = await plantLibrary(app, "Egrets", 420);
  const original = Buffer.from(planted(410));
  const document = await jsonOf(await app.request("/openapi.json"));
  const all: Route[] = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.entries<Json>(item)
      .filter(([, { security }]) => security?.length > 0)
      .map(([method]) => ({ method: method.toUpperCase(), path })),
  );
  const routes = all.filter(
    ({ path }) => !/platform|\/live|\/auth\/|server|\/app\/(accounts|people|account|libraries)/.test(path),
  );
  const idsOf = (lib: Planted) => [
    ...[lib.trackId, lib.quietId, lib.composer.id, lib.playlist.id, lib.link.id, lib.quietLink.id],
    ...[lib.comment.id, lib.brief.id],
  ];
  const ids = [...idsOf(here), ...idsOf(there)];

  /** Somebody with a role here, and all of the other library. */
  function person(role: Role): Caller {
    const inHere = addMember(app, here.accountId, { role });
    app.deps.db.$client
      .query(
        `INSERT INTO members (id, account_id, person_id, role, reach, sees_splits, sees_listening, joined_at)
         VALUES (?, ?, ?, 'manager', 'library', 1, 1, 1)`,
      )
      .run(`mem_${crypto.randomUUID()}`, there.accountId, inHere.personId);
    const key = app.createKey(here.accountId);
    app.deps.db.$client
      .query("UPDATE api_keys SET made_by = ? WHERE id = ?")
      .run(inHere.personId, key.split(".")[0] ?? "");
    return { role, token: inHere.token, key };
  }

  function faultsOf(role: Role, text: string): string[] {
    const isLimited = role !== "owner" && role !== "manager";
    return [
      ...(/Egrets/i.test(text) ? ["the other library"] : []),
      ...(isLimited && /37\.37|Heronscomposer|Heronspublisher/i.test(text) ? ["a split"] : []),
      ...(isLimited && /"plays":\s*[1-9]|"metric":"plays"/.test(text) ? ["plays"] : []),
    ];
  }

  /** True for an answer that is an original, or that has an address of one. */
  async function hasOriginal(bytes: Buffer, text: string): Promise<boolean> {
    const urls = [...text.matchAll(/"(?:downloadUrl|playbackUrl)":"([^"]+)"/g)].map(([, url = ""]) => url);
    const files = await Promise.all(
      [...new Set(urls)].map(async (url) => Buffer.from(await (await app.request(url)).arrayBuffer())),
    );
    return [bytes, ...files].some((file) => file.includes(original));
  }

  /** Sends one request as somebody, and follows the addresses of files in its answer. Returns its faults. */
  async function walk(caller: Caller, { method, path }: Route, id: string, query: string, isByKey = false) {
    const { role, token, key } = caller;
    const door = isByKey ? path : path.replace("/api/v1", "/app/library");
    const address = door.replace(/\{\w+\}/g, id) + query;
    const credential: Record<string, string> = isByKey
      ? { "x-api-key": key }
      : { authorization: `Bearer ${token}`, "x-library": here.accountId };
    const response = await app.request(address, {
      method,
      headers: {
        ...credential,
        ...(method !== "GET" && { "content-type": "application/json" }),
      },
      ...(method !== "GET" && { body: "{}" }),
    });
    if (response.headers.get("content-type")?.startsWith("text/event-stream")) {
      await response.body?.cancel();
      return [];
    }
    const bytes = Buffer.from(await response.arrayBuffer());
    const text = bytes.toString("latin1");
    const faults = faultsOf(role, text);
    if (role === "listener" && (await hasOriginal(bytes, text))) faults.push("an original");
    return faults.map((fault) => `${role}: ${method} ${address} tells of ${fault}`);
  }

  const queries = ["", `?id=${here.trackId}`, `?id=${there.trackId}`, `?id=${there.composer.id}`];
  const reads = routes
    .filter(({ method }) => method === "GET")
    .flatMap((route) => (route.path.includes("{") ? ids : [""]).map((id) => ({ route, id })))
    .flatMap((each) =>
      (each.route.path.endsWith("/single") ? queries : [""]).map((query) => ({ ...each, query })),
    );
  return {
    /** Reads every route with every kind of id. @param judgedAs Whose sight the answers are compared with. */
    readAll: async (role: Role, judgedAs = role) => {
      const caller = { ...person(role), role: judgedAs };
      const faults: string[] = [];
      for (const { route, id, query } of reads) faults.push(...(await walk(caller, route, id, query)));
      return faults;
    },
    /** Sends random requests by session and key, changes among them. */
    random: async (role: Role, count: number, seed: number) => {
      const caller = person(role);
      const random = randomFrom(seed);
      const one = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
      const faults: string[] = [];
      for (let sent = 0; sent < count; sent++) {
        const route = one(routes);
        const isByKey = route.path.startsWith("/api/v1") && random() < 0.5;
        faults.push(...(await walk(caller, route, one(ids), one(queries), isByKey)));
      }
      return faults;
    },
  };
}
