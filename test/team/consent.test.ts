import { afterAll, beforeAll, expect, test } from "bun:test";
import type { PersonId } from "../../db/schema.ts";
import { legacyRequest } from "../mcp/support.ts";
import {
  authorizeUrl,
  connect,
  createWorld,
  newBrowser,
  openConsent,
  redeem,
  verifier,
  type World,
} from "../oauth/client.ts";
import { attributesOf } from "../pages/visitor.ts";
import { jsonOf } from "../support/app.ts";
import { joinToo } from "../support/team.ts";
import { addTrackRows } from "../support/track-rows.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.app.close());

const run = (sql: string, ...values: (string | number)[]) => world.app.deps.db.$client.run(sql, values);

/** Somebody with a library of their own who is also in a label. */
function createBen(role: "producer" | "listener") {
  const { app, clientId } = world;
  const label = app.createAccount();
  run("UPDATE accounts SET name = 'The Label' WHERE id = ?", label.accountId);
  const person = app.createAccount();
  run("UPDATE accounts SET name = 'Ben’s Studio' WHERE id = ?", person.accountId);
  app.clock.advance(1000);
  const memberId = joinToo(app, label.accountId, person.accountId, { role });
  const ben: World = { app, clientId, person, browser: newBrowser(app) };
  return { ben, label: label.accountId, studio: person.accountId as string as PersonId, memberId };
}

const scopesIn = (html: string) =>
  attributesOf(html, "value").filter((value) => /^(read|create|update|delete):/.test(value));

const callTool = async (token: string, name: string, args: object) => {
  const response = await world.app.request(
    "/mcp",
    legacyRequest("tools/call", { name, arguments: args }, { authorization: `Bearer ${token}` }),
  );
  return { status: response.status, headers: response.headers, body: await jsonOf(response) };
};

test("somebody with several libraries is asked which one first, and the program is let into that one alone", async () => {
  const { ben, label } = createBen("producer");
  const { id } = addTrackRows(world.app.deps.db, label, { title: "Of the label" });
  const codeVerifier = verifier();

  const choice = await openConsent(ben, authorizeUrl(ben, codeVerifier));
  const href = attributesOf(choice.html, "href").find((each) => each.includes(`in=${label}`)) ?? "";
  const consent = await ben.browser.load(
    new URL(href.replaceAll("&amp;", "&"), "http://127.0.0.1:4747").href,
  );
  const { url } = await ben.browser.submit(consent, { decision: "allow" });
  const code = new URL(url).searchParams.get("code") ?? "";
  const { body } = await redeem(ben, { code, code_verifier: codeVerifier });

  expect(choice.html).toContain("<h1>Which library?</h1>");
  expect(consent.html).toContain("Let Studio Helper into The Label?");
  expect(new URL(url).searchParams.get("state")).toBe("s t&te");
  const listed = await callTool(body.access_token, "list_tracks", {});
  expect(JSON.stringify(listed.body.result)).toContain(id);
});

test("an address that names a library in which the person is not shows no consent", async () => {
  const { ben } = createBen("producer");
  const third = world.app.createAccount().accountId;

  const page = await openConsent(ben, `${authorizeUrl(ben, verifier())}&in=${third}`);

  expect([page.status, page.text.includes("You are not in this library")]).toEqual([403, true]);
});

test("the page offers only what the person's role allows, and grants nothing else whatever is sent", async () => {
  const { ben, label } = createBen("listener");
  const codeVerifier = verifier();
  const address = `${authorizeUrl(ben, codeVerifier, { scope: "read:tracks update:tracks read:shares" })}&in=${label}`;

  const consent = await openConsent(ben, address);
  const { url } = await ben.browser.submit(consent, {
    decision: "allow",
    scope: ["read:tracks", "update:tracks", "read:shares"],
    further: ["create:shares"],
  });
  const code = new URL(url).searchParams.get("code") ?? "";
  const { body } = await redeem(ben, { code, code_verifier: codeVerifier });

  const offered = scopesIn(consent.html);
  expect(offered).toContain("read:tracks");
  for (const scope of ["update:tracks", "read:shares", "create:shares"]) expect(offered).not.toContain(scope);
  expect(body.scope).toBe("read:tracks");
});

test("a tool that the role does not allow is refused as for a key, and asks for no consent that could not help", async () => {
  const { ben, studio } = createBen("producer");
  const { id } = addTrackRows(world.app.deps.db, studio, {});
  run("DELETE FROM members WHERE person_id = ? AND account_id <> ?", studio, studio);
  const { access_token: token } = await connect(ben, { scope: "read:tracks update:tracks" });
  const missing = await callTool(token, "list_playlists", {});

  run("UPDATE members SET role = 'listener' WHERE person_id = ?", studio);
  const small = await callTool(token, "update_track_tags", { trackId: id, genres: ["House"] });
  const stillAsks = await callTool(token, "list_playlists", {});

  // What consent can add is asked for; what the role lacks is said by the tool.
  expect([missing.status, stillAsks.status]).toEqual([403, 403]);
  expect(small.status).toBe(200);
  expect(small.body.result.isError).toBe(true);
  expect(small.body.result.content[0].text).toContain("insufficient_scope");
  expect(small.headers.get("www-authenticate")).toBeNull();
});
