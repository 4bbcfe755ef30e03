import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { LibraryId } from "../../db/schema.ts";
import { sha256 } from "../../src/kernel/secrets.ts";
import { stopUrl } from "../../src/modules/mail/outbox/stops.ts";
import { getAccountByEmail, makeResetLink } from "../../src/modules/people/accounts/service.ts";
import { placeAddressChange } from "../../src/modules/people/people/service.ts";
import { ownerOf } from "../../src/modules/people/team/service.ts";
import { wavBytes } from "../media/wave-bytes.ts";
import { authorizeUrl, createWorld, openConsent, post, verifier, type World } from "../oauth/client.ts";
import { jsonOf, type TestApp } from "../support/app.ts";
import { sine } from "../support/signals.ts";
import { readSource, sourceFiles } from "../support/source.ts";
import { addTrackRows } from "../support/track-rows.ts";

const ORIGIN = "http://127.0.0.1:4747";
const BODY = { "content-type": "application/x-www-form-urlencoded", origin: ORIGIN };
const wav = wavBytes({ depth: "s16", sampleRateHz: 8000, samples: [...sine(8000, 0.2, 440)] });

/** Nothing is sent here. */
const mail = {
  host: "127.0.0.1",
  port: 1,
  isTls: false,
  needsTls: false,
  user: undefined,
  password: undefined,
  from: { name: null, address: "music@label.example" },
  perDay: 200,
};

let world: World;
let app: TestApp;
beforeAll(async () => {
  world = await createWorld({ settings: { registrationOpen: true, mail } });
  app = world.app;
});
afterAll(() => app.close());

describe("a form with a file", () => {
  const send = (path: string, parts: readonly (readonly [string, string | Blob])[], headers = {}) => {
    const form = new FormData();
    for (const [name, value] of parts) form.append(name, value);
    const key = app.createKey(world.person.accountId);
    return app.request(path, { method: "POST", headers: { "x-api-key": key, ...headers }, body: form });
  };
  const file = new File([wav as Uint8Array<ArrayBuffer>], "a.wav");
  const upload = "/api/v1/tracks/upload";
  const errorOf = async (response: Response) => (await jsonOf(response)).data.errors[0];

  test.each([
    [
      "a misspelt field",
      [
        ["visibel", "true"],
        ["files", file],
      ],
      "visibel",
      "visible",
    ],
    [
      "a misspelt field behind the file",
      [
        ["files", file],
        ["visibel", "true"],
      ],
      "visibel",
      "visible",
    ],
    [
      "another file in a field of its own",
      [
        ["file", file],
        ["files", file],
      ],
      "file",
      "files",
    ],
  ] as const)("with %s is refused with the nearest name", async (_, parts, path, nearest) => {
    const response = await send(upload, parts);

    expect(response.status).toBe(400);
    expect(await errorOf(response)).toEqual({
      path,
      code: "unknown_field",
      detail: `is unknown: did you mean ${nearest}?`,
    });
  });

  test("with a misspelt field of a profile is refused, and no track is made", async () => {
    const profiles = JSON.stringify([{ name: "a.wav", audioProfile: { titel: "Tide", title: "Tide" } }]);

    const response = await send(upload, [
      ["files", file],
      ["audioProfiles", profiles],
    ]);

    expect(await errorOf(response)).toMatchObject({ path: "audioProfiles.0.audioProfile.titel" });
    const { body } = await app.as(app.createKey(world.person.accountId))("GET", "/tracks");
    expect(body.data).toEqual([]);
  });

  test("with unknown fields is taken from a lenient sender", async () => {
    const profiles = JSON.stringify([{ name: "a.wav", audioProfile: { titel: "Tide" } }]);
    const parts = [
      ["mood", "dark"],
      ["files", file],
      ["audioProfiles", profiles],
    ] as [string, string | Blob][];

    const response = await send(upload, parts, { "dubplate-lenient": "1" });

    expect(response.status).toBe(200);
  });

  test("whose only file is in another field is told where files belong", async () => {
    const { messageCode, message } = await jsonOf(await send(upload, [["file", file]]));

    expect([messageCode, message]).toEqual(["missing_file", "Send at least one file in the field `files`"]);
  });

  test("takes a text that comes as a file", async () => {
    const profiles = [{ name: "a.wav", audioProfile: { title: "Ebb" } }];
    const parts = [
      ["audioProfiles", new File([JSON.stringify(profiles)], "profiles.json")],
      ["files", file],
    ] as const;

    const { data } = await jsonOf(await send(upload, parts));

    const { body } = await app.as(app.createKey(world.person.accountId))("GET", "/tracks?q=ebb");
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([data.uploaded[0].id]);
  });

  test("that adds a version is refused with an unknown field", async () => {
    const { id } = addTrackRows(app.deps.db, world.person.accountId, { name: "b.wav" });

    const response = await send(`/api/v1/tracks/${id}/versions`, [
      ["lable", "v2"],
      ["file", file],
    ]);

    expect(await errorOf(response)).toMatchObject({
      path: "lable",
      detail: "is unknown: did you mean label?",
    });
  });
});

/** A page with a form: the file that draws it, and what a browser gets. */
type FormPage = { source: string; draw: () => Promise<{ path: string; html: string; headers?: object }> };

const open = async (path: string, headers: Record<string, string> = {}) => {
  const response = await app.request(path, { headers: { accept: "text/html", ...headers } });
  return { path, html: await response.text() };
};

async function shareOf(settings: object): Promise<string> {
  const { id } = addTrackRows(app.deps.db, world.person.accountId, {
    name: "a.wav",
    durationSec: 100,
    measured: {},
  });
  const { body } = await app.signedIn(world.person.token)("POST", "/app/shares", {
    trackId: id,
    ...settings,
  });
  return new URL(body.data.url).pathname;
}

async function briefPath(): Promise<string> {
  const settings = { name: "Late night", status: "open", publicPage: true };
  const { body } = await app.signedIn(world.person.token)("POST", "/app/briefs", settings);
  return new URL(body.data.publicUrl).pathname;
}

async function receipt(): Promise<string> {
  const form = new FormData();
  form.append("name", "Ada");
  form.append("links", "https://example.com/song");
  const answer = await app.request(await briefPath(), {
    method: "POST",
    headers: { origin: ORIGIN },
    body: form,
    redirect: "manual",
  });
  return answer.headers.get("location") ?? "";
}

/** Every page with a form that is posted, by the file that draws it. */
const PAGES: readonly [name: string, page: FormPage][] = [
  ["sign-in", { source: "src/modules/people/accounts/views.tsx", draw: () => open("/signin") }],
  ["registration", { source: "src/modules/people/accounts/views.tsx", draw: () => open("/signup") }],
  [
    "recovery",
    { source: "src/modules/people/signin/recovery-views.tsx", draw: () => open("/signin/recovery") },
  ],
  [
    "reset",
    {
      source: "src/modules/people/people/reset-views.tsx",
      draw: () => {
        const account = getAccountByEmail(app.deps, world.person.email);
        const { pathname, search } = new URL(makeResetLink(app.deps, account).url);
        return open(pathname + search);
      },
    },
  ],
  [
    "invitation",
    {
      source: "src/modules/people/membership/join-views.tsx",
      draw: async () => {
        const { token, accountId } = app.createAccount();
        const email = `${accountId}@invited.example.com`;
        const invitation = await app.signedIn(token)("POST", "/app/team/invitations", {
          email,
          role: "artist",
        });
        const { pathname, search } = new URL(invitation.body.data.url);
        return open(pathname + search);
      },
    },
  ],
  [
    "forgotten password",
    { source: "src/modules/people/accounts/forgot-pages.tsx", draw: () => open("/forgot") },
  ],
  [
    "another address",
    {
      source: "src/modules/people/accounts/address-pages.tsx",
      draw: () => {
        const token = crypto.randomUUID();
        const account = app.createAccount(`${token}@old.example`);
        const personId = ownerOf(app.deps.db, account.accountId as LibraryId);
        if (!personId) throw new RangeError("There is no such person");
        placeAddressChange(app.deps.db, {
          personId,
          email: `${token}@example.com`,
          tokenHash: sha256(token),
          expiresAt: app.deps.now() + 60_000,
        });
        return open(`/confirm-address?token=${token}`);
      },
    },
  ],
  [
    "no more mail",
    {
      source: "src/modules/mail/outbox/stop-pages.tsx",
      draw: () =>
        open(
          new URL(stopUrl(app.deps, { email: "bo@example.com", accountId: world.person.accountId })).pathname,
        ),
    },
  ],
  [
    "details of a composer",
    {
      source: "src/modules/delivery/supply/views.tsx",
      draw: async () => {
        const { token } = app.createAccount();
        const call = app.signedIn(token);
        const { id } = (await call("POST", "/app/composers", { fullName: "Ben" })).body.data;
        const asked = await call("POST", `/app/composers/${id}/ask`, {});
        return open(new URL(asked.body.data.url).pathname);
      },
    },
  ],
  [
    "password of a link",
    {
      source: "src/modules/sharing/shares/pages/share-views.tsx",
      draw: async () => open(await shareOf({ password: "tidal wave" })),
    },
  ],
  [
    "link of few visits",
    {
      source: "src/modules/sharing/shares/pages/share-views.tsx",
      draw: async () => open(await shareOf({ maxUses: 3 })),
    },
  ],
  [
    "comment",
    {
      source: "src/pages/player/comments.tsx",
      draw: async () => open(await shareOf({ allowComments: true })),
    },
  ],
  [
    "approval",
    {
      source: "src/pages/player/approval.tsx",
      draw: async () => open(await shareOf({ recipient: "Bo", allowReview: true })),
    },
  ],
  [
    "answer",
    {
      source: "src/pages/player/pitch.tsx",
      draw: async () => open(await shareOf({ recipient: "Bo", askAnswer: true })),
    },
  ],
  [
    "submission",
    { source: "src/modules/briefs/submissions/form-views.tsx", draw: async () => open(await briefPath()) },
  ],
  [
    "account after a submission",
    { source: "src/modules/briefs/submissions/thanks-views.tsx", draw: async () => open(await receipt()) },
  ],
  [
    "consent",
    {
      source: "src/modules/people/oauth/views.tsx",
      draw: async () => {
        const { html, url } = await openConsent(world, authorizeUrl(world, verifier()));
        const cookie = [...world.browser.cookies].map((each) => each.join("=")).join("; ");
        return { path: url, html, headers: { cookie } };
      },
    },
  ],
];

/** Returns where a page's form is sent, how, and the fields that it sends, with the values that it shows. */
function formOf(html: string, path: string) {
  const [, head = "", content = ""] = /<form([^>]*method="post"[^>]*)>([\s\S]*?)<\/form>/.exec(html) ?? [];
  const attribute = (tag: string, name: string) => new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];
  const fields = [...content.matchAll(/<(?:input|textarea|select|button)([^>]*)>/g)].flatMap(
    ([, tag = ""]): [string, string][] => {
      const name = attribute(tag, "name");
      return name === undefined || / disabled/.test(tag) ? [] : [[name, attribute(tag, "value") ?? ""]];
    },
  );
  const action = (attribute(head, "action") ?? path).replaceAll("&amp;", "&");
  return { action, isMultipart: head.includes("multipart/form-data"), fields };
}

describe("the form of a page", () => {
  const submit = async ({ source: _, draw }: FormPage, further: [string, string][], more = {}) => {
    const { path, html, headers } = await draw();
    const { action, isMultipart, fields } = formOf(html, path);
    const all = [...fields, ...further];
    const form = new FormData();
    for (const [name, value] of all) form.append(name, value);
    const response = await app.request(action, {
      method: "POST",
      headers: { ...(isMultipart ? { origin: ORIGIN } : BODY), ...headers, ...more },
      body: isMultipart ? form : new URLSearchParams(all).toString(),
      redirect: "manual",
    });
    return { fields, status: response.status, text: await response.text() };
  };
  const UNKNOWN = /Invalid request|is unknown/;

  test.each(PAGES)("for %s knows every field that it sends", async (_, page) => {
    const { fields, text } = await submit(page, []);

    expect(fields.length).toBeGreaterThan(0);
    expect(text).not.toMatch(UNKNOWN);
  });

  test.each(PAGES)("for %s is refused with a field that it does not know", async (_, page) => {
    const { status, text } = await submit(page, [["colour", "blue"]]);

    expect(status).toBe(400);
    expect(text).toMatch(UNKNOWN);
  });

  test.each(PAGES)("for %s drops an unknown field of a lenient sender", async (_, page) => {
    const { text } = await submit(page, [["colour", "blue"]], { "dubplate-lenient": "1" });

    expect(text).not.toMatch(UNKNOWN);
  });

  test("is in the table above, whichever page draws it", async () => {
    const drawing: string[] = [];
    for (const file of sourceFiles.filter((each) => each.endsWith(".tsx") && !each.includes("console/")))
      if (/<form[^>]*method="post"/.test(await readSource(file))) drawing.push(file);

    expect(new Set(PAGES.map(([, { source }]) => source))).toEqual(new Set(drawing));
  });
});

test("the token endpoint ignores parameters that it does not know, as RFC 6749 asks", async () => {
  const { body } = await post(app, "/oauth/token", { grant_type: "password", colour: "blue" });

  expect(body.error).toBe("unsupported_grant_type");
});
