import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { oauthGrants, oauthTokens } from "../../db/schema.ts";
import { newId, newToken } from "../../src/kernel/ids.ts";
import { ROLES } from "../../src/kernel/roles.ts";
import { sha256 } from "../../src/kernel/secrets.ts";
import { mayReceive } from "../../src/modules/outward/webhooks/receivers.ts";
import { songBytes } from "../backup/support.ts";
import { createVisitor } from "../pages/visitor.ts";
import { createTestApp, type Json, jsonOf, type TestApp } from "../support/app.ts";
import { addGuest, addMember } from "../support/team.ts";
import { addTrackRows } from "../support/track-rows.ts";

const ROOT = join(import.meta.dir, "../..");
const PAGE = readFileSync(join(ROOT, "docs/review.md"), "utf8");

/** The tables of docs/review.md by their first column: for each line, what its cells say by the names of the columns. */
const TABLES = new Map(
  [...PAGE.matchAll(/^\| (.+) \|\n\|[-|]+\|\n((?:\|.*\|\n)+)/gm)].map(([, head = "", body = ""]) => {
    const cellsOf = (line: string) =>
      line
        .split("|")
        .map((cell) => cell.trim())
        .slice(1, -1);
    const [what = "", ...names] = cellsOf(`|${head}|`);
    const lines = body.trimEnd().split("\n").map(cellsOf);
    return [
      what,
      lines.map(([who = "", ...cells]) => ({
        who,
        cells: Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ""])),
      })),
    ];
  }),
);
const linesOf = (what: string) => TABLES.get(what) ?? [];

/** What was said, each in words that nothing else has. */
const SAID = {
  people: "zibeline",
  reply: "quokka",
  throughA: "ocarina",
  toA: "marzipan",
  throughB: "xylem",
  verdictA: "gossamer",
  verdictPeople: "tamarind",
} as const;
type Said = keyof typeof SAID;
const NOTES: readonly Said[] = ["people", "throughA", "throughB"];
const VERDICTS: readonly Said[] = ["verdictA", "verdictPeople"];
/** What each door shows that shows words. */
const WORDS: Readonly<Record<string, readonly Said[]>> = {
  comments: [...NOTES, "reply", "toA"],
  round: [...NOTES, ...VERDICTS],
  markers: NOTES,
  WAV: NOTES,
  search: ["people"],
  tool: ["people", "throughB"], // the open ones
};

let app: TestApp;
let accountId: string;
let owner: ReturnType<TestApp["signedIn"]>;
let [trackId, versionId] = ["", ""];
type Headers = Record<string, string>;
const credentials = new Map<string, Headers>();
const links = new Map<"A" | "B", { id: string; path: string }>();
let publicLink = "";

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const byKey = (account: string, scopes: string[]) => ({ "x-api-key": app.createKey(account, scopes) });

/** Lets a program in, with some scopes. */
function grantTo(personId: string, scopes: string[]): Headers {
  const [id, token] = [newId("grt"), newToken(32)];
  const [at, expiresAt] = [app.deps.now(), app.deps.now() + 3_600_000];
  app.deps.db
    .insert(oauthGrants)
    .values({
      ...{ id, accountId, scopes, expiresAt, createdAt: at, lastUsedAt: at },
      clientId: "https://client.example/",
      clientName: "Client",
      redirectUri: "https://client.example/back",
      resource: "http://127.0.0.1:4747/mcp",
      personId: personId as never,
    })
    .run();
  app.deps.db
    .insert(oauthTokens)
    .values({ ...{ grantId: id, scopes, expiresAt }, tokenHash: sha256(token), kind: "access" } as never)
    .run();
  return bearer(token);
}

beforeAll(async () => {
  app = await createTestApp({ settings: { publicUrl: "http://127.0.0.1:4747" } });
  const account = app.createAccount();
  accountId = account.accountId;
  owner = app.signedIn(account.token);
  credentials.set("owner", bearer(account.token));
  const form = new FormData();
  form.append("files", new File([songBytes(1) as Uint8Array<ArrayBuffer>], "tone.wav"));
  trackId = (await upload("/app/library/tracks/upload", form)).uploaded[0].id;
  await app.drainJobs();
  await prepareWords();
  await prepareViewers();
});
afterAll(() => app.close());

/** A mix, the notes on it through two links and by people, and a second mix that answers one of them. */
async function prepareWords(): Promise<void> {
  const call = async (method: string, path: string, body: object) =>
    (await owner(method, path, body)).body.data;
  const write = (body: object) => call("POST", `/app/tracks/${trackId}/comments`, body);
  const { id } = await write({ text: SAID.people, positionSec: 0.2 });
  await write({ text: SAID.reply, parentId: id });
  for (const name of ["A", "B"] as const) {
    const asking = { trackId, recipient: `Recipient ${name}`, allowReview: true };
    const link = await call("POST", "/app/shares", asking);
    links.set(name, { id: link.id, path: new URL(link.url).pathname });
    const text = name === "A" ? SAID.throughA : SAID.throughB;
    await press(links.get(name)?.path ?? "", "Send comment", { name: `Recipient ${name}`, at: "0:00", text });
  }
  const noted = (await owner("GET", `/app/tracks/${trackId}/comments`)).body.data;
  const noteA: string = noted.find(({ text }: { text: string }) => text === SAID.throughA).id;
  await write({ text: SAID.toA, parentId: noteA });
  const form = new FormData();
  form.append("file", new File([songBytes(2) as Uint8Array<ArrayBuffer>], "tone 2.wav"));
  versionId = (await upload(`/app/library/tracks/${trackId}/versions`, form)).id;
  await owner("POST", `/app/library/tracks/${trackId}/versions/${versionId}/activate`);
  await app.drainJobs();
  await call("PATCH", `/app/comments/${noteA}`, { answered: true, versionId });
  await press(links.get("A")?.path ?? "", "Ask for changes", { text: SAID.verdictA });
  const review = { state: "changes", text: SAID.verdictPeople };
  await call("PUT", `/app/tracks/${trackId}/versions/${versionId}/review`, review);
}

async function upload(path: string, body: FormData): Promise<Json> {
  const headers = credentials.get("owner") ?? {};
  return (await jsonOf(await app.request(path, { method: "POST", headers, body }))).data;
}

/** Opens a page in a new browser, writes into the form that has a button, and presses it. */
async function press(path: string, button: string, typed: Record<string, string>): Promise<void> {
  const visitor = createVisitor(app);
  const { text } = await visitor.open(path);
  const forms = [...text.matchAll(/<form[^>]* action="([^"]*)"[^>]*>([\s\S]*?)<\/form>/g)];
  const [, action = "", inner = ""] = forms.find(([form]) => form.includes(`>${button}</button>`)) ?? [];
  const hidden = [...inner.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
  const fields = Object.fromEntries(hidden.map(([, name = "", value = ""]) => [name, value]));
  const { status } = await visitor.post(action.replaceAll("&amp;", "&"), { ...fields, ...typed });
  if (status !== 303) throw new Error(`"${button}" at ${path} was answered ${status}`);
}

async function prepareViewers(): Promise<void> {
  const roomOf = async (name: string, id: string): Promise<string> => {
    const made = await owner("POST", "/app/library/playlists", { name, trackIds: [id] });
    publicLink ||= new URL(made.body.data.playlist.publicLink).pathname;
    return made.body.data.playlist.id;
  };
  const other = addTrackRows(app.deps.db, accountId).id;
  const [room, otherRoom] = [await roomOf("Room", trackId), await roomOf("Other room", other)];
  const both = ["read:comments", "read:tracks"];
  const stranger = app.createAccount();
  for (const role of ROLES.slice(1)) credentials.set(role, bearer(addMember(app, accountId, { role }).token));
  const guestOf = (playlistId: string) => bearer(addGuest(app, accountId, { [playlistId]: {} }).token);
  credentials.set("guest of a room with the track", guestOf(room));
  credentials.set("guest of another room", guestOf(otherRoom));
  credentials.set("key with `read:comments` and `read:tracks`", byKey(accountId, both));
  credentials.set("key with `read:comments`", byKey(accountId, ["read:comments"]));
  credentials.set("key with `read:tracks`", byKey(accountId, ["read:tracks"]));
  credentials.set("program let in with both", grantTo(accountId, both));
  credentials.set("program let in with `read:tracks`", grantTo(accountId, ["read:tracks"]));
  credentials.set("somebody of another library", bearer(stranger.token));
  credentials.set("key of another library", byKey(stranger.accountId, both));
  credentials.set("nobody", {});
}

/** People and programs have doors of their own. */
const isPerson = (who: string) => !/^(key|program)/.test(who);

async function read(
  who: string,
  path: string,
  init: RequestInit = {},
): Promise<{ status: number; text: string }> {
  const headers = { ...credentials.get(who), ...(init.headers as Headers) };
  const address = isPerson(who) ? `/app/library${path}` : `/api/v1${path}`;
  const response = await app.request(address, { ...init, headers });
  return { status: response.status, text: await response.text() };
}

const json = (body: object): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});
const ofVersion = (rest: string) => `/tracks/${trackId}/versions/${versionId}${rest}`;

type Door = (who: string) => Promise<{ status: number; text: string }>;
const DOORS: Readonly<Record<string, Door>> = {
  comments: (who) => read(who, `/tracks/${trackId}/comments`),
  round: (who) => read(who, ofVersion("/round")),
  versions: (who) => read(who, `/tracks/${trackId}/versions`),
  markers: (who) => read(who, ofVersion("/notes?format=csv&state=open,answered")),
  WAV: (who) => read(who, ofVersion("/notes?format=wav&state=open,answered")),
  search: async (who) => {
    const { status, text } = await read(who, "/tracks/search", json({ query: SAID.people }));
    // The answer says again what was asked for.
    return { status, text: JSON.stringify(status === 200 ? JSON.parse(text).data.results : null) };
  },
  tool: (who) => callTool(who, { trackId, notes: true }),
  notifications: (who) => read(who, "/notifications"),
};

async function callTool(who: string, input: object): Promise<{ status: number; text: string }> {
  const response = await app.request("/mcp", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2025-11-25",
      ...credentials.get(who),
    },
    body: JSON.stringify({
      ...{ jsonrpc: "2.0", id: 1, method: "tools/call" },
      params: { name: "list_track_versions", arguments: input },
    }),
  });
  return { status: response.status, text: await response.text() };
}

/** Returns what an answer shows, as the table says it. */
function shownIn(where: string, { status, text }: { status: number; text: string }): string {
  const shown = Object.entries(SAID).filter(([, words]) => text.includes(words));
  const names = shown.map(([name]) => name).sort();
  if (names.length > 0) return Bun.deepEquals(names, [...(WORDS[where] ?? [])].sort()) ? "w" : names.join();
  if (status !== 200) return "-";
  if (/openNotes\\?":[1-9]/.test(text)) return "n";
  return /A visitor commented on /.test(text) && !text.includes("Recipient") ? "t" : "-";
}

/** What a page shows, by the columns of its table. */
const ON_PAGES: Readonly<Record<string, RegExp>> = {
  "notes through link A": new RegExp(SAID.throughA),
  "replies to them": new RegExp(SAID.toA),
  "answers to them": /answers 1 of your 1 notes?|answers your note/,
  "verdict of link A": new RegExp(SAID.verdictA),
  "notes through link B": new RegExp(SAID.throughB),
  "notes of people": new RegExp(`${SAID.people}|${SAID.reply}`),
  "verdicts of people": new RegExp(SAID.verdictPeople),
};
const PAGES: Readonly<Record<string, () => Promise<string>>> = {
  "link A, which asks for approval": async () => links.get("A")?.path ?? "",
  "link B, which asks for approval": async () => links.get("B")?.path ?? "",
  "link A, when it takes no comments": async () => {
    const { id, path } = links.get("A") ?? { id: "", path: "" };
    await owner("PATCH", `/app/shares/${id}`, { allowComments: false });
    return path;
  },
  "public link of a playlist with the track": async () => publicLink,
  "link A, when it has ended": async () => {
    const { id, path } = links.get("A") ?? { id: "", path: "" };
    await owner("DELETE", `/app/shares/${id}`);
    return path;
  },
};

describe("who sees what was said of a mix, as docs/review.md has it", () => {
  const lines = linesOf("who");

  test("has a line for each of those whom this test knows", () => {
    expect(lines.map(({ who }) => who)).toEqual([...credentials.keys()]);
    expect(linesOf("page").map(({ who }) => who)).toEqual(Object.keys(PAGES));
  });

  test.each(lines)("$who", async ({ who, cells }) => {
    const shown: Record<string, string> = {};
    for (const [where, cell] of Object.entries(cells))
      shown[where] =
        cell === "." ? "." : shownIn(where, (await DOORS[where]?.(who)) ?? { status: 0, text: "" });

    expect(shown).toEqual(cells);
  });

  test.each(linesOf("page"))("the page of $who", async ({ who, cells }) => {
    const { text } = await createVisitor(app).open((await PAGES[who]?.()) ?? "");

    const shown = Object.keys(cells).map((what) => [what, ON_PAGES[what]?.test(text) ? "w" : "-"]);
    expect(Object.fromEntries(shown)).toEqual(cells);
  });

  test.each(linesOf("key with a webhook"))("a key with $who is sent", ({ who, cells }) => {
    const scopes = who === "every scope" ? null : [who.replaceAll("`", "")];

    const sent = Object.keys(cells).map((type) => [type, mayReceive({ scopes }, type) ? "y" : "-"]);

    expect(Object.fromEntries(sent)).toEqual(cells);
  });
});
