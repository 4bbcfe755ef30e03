import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { DAY_MS, HOUR_MS } from "../../src/kernel/time.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import { unzipped } from "../support/unzipped.ts";
import { attributesOf, BROWSER, createVisitor } from "./visitor.ts";

const TONE = join(import.meta.dir, "../fixtures/tone.wav");

let app: TestApp;
let bytes: Uint8Array;
let trackId: string;
let otherId: string;
let token: string;
beforeAll(async () => {
  app = await createTestApp();
  bytes = await Bun.file(TONE).bytes();
  const account = app.createAccount();
  token = account.token;
  const upload = async (name: string) => {
    const form = new FormData();
    form.append("files", new File([bytes as Uint8Array<ArrayBuffer>], name));
    const { body } = await app.as(app.createKey(account.accountId))("POST", "/tracks/upload", form);
    return body.data.uploaded[0].id as string;
  };
  trackId = await upload("Night Bus.wav");
  otherId = await upload("Other.wav");
});
afterAll(() => app.close());

async function share(settings: object = {}, id = trackId) {
  const { body } = await app.signedIn(token)("POST", "/app/shares", { trackId: id, ...settings });
  return { id: body.data.id as string, path: new URL(body.data.url).pathname };
}

/** Opens a link as a person, and returns the track's addresses from its page. */
async function addressesOf(path: string) {
  const visitor = createVisitor(app);
  const { text } = await visitor.open(path);
  const [listen = ""] = attributesOf(text, "data-src");
  const download = attributesOf(text, "href").find((address) => address.includes("/download/"));
  return { visitor, text, listen, download };
}

describe("listening", () => {
  test("serves ranges of the audio, inline and not as a download", async () => {
    const { listen } = await addressesOf((await share()).path);

    const whole = await app.request(listen);
    const part = await app.request(listen, { headers: { range: "bytes=100-199" } });

    expect(whole.status).toBe(200);
    expect(whole.headers.get("content-type")).toBe("audio/wav");
    expect(whole.headers.get("content-disposition")).toBe("inline");
    expect(whole.headers.get("accept-ranges")).toBe("bytes");
    expect(Buffer.from(await whole.bytes())).toEqual(Buffer.from(bytes));
    expect(part.status).toBe(206);
    expect(part.headers.get("content-range")).toBe(`bytes 100-199/${bytes.length}`);
    expect(Buffer.from(await part.bytes())).toEqual(Buffer.from(bytes.subarray(100, 200)));
  });

  test("needs no cookie, and does not use up a visit", async () => {
    const { path } = await share({ maxUses: 1 });
    const { listen } = await addressesOf(path);

    for (let range = 0; range < 3; range++) expect((await app.request(listen)).status).toBe(200);
  });

  test("listening does not count as a download", async () => {
    const { listen } = await addressesOf((await share()).path);
    const downloads = () =>
      app.as(
        app.createKey(
          app.deps.db.$client.query<{ id: string }, []>("SELECT id FROM accounts").get()?.id ?? "",
        ),
      )("GET", `/analytics/stats?entity=track&ids=${trackId}`);
    const before = (await downloads()).body.data.items[0].stats.downloads;

    await (await app.request(listen)).bytes();

    expect((await downloads()).body.data.items[0].stats.downloads).toBe(before);
  });

  test.each([
    ["without a proof", (listen: string) => listen.replace(/\?.*/, "")],
    [
      "with a later expiry",
      (listen: string) => listen.replace(/e=(\d+)/, (_, hour) => `e=${Number(hour) + 1}`),
    ],
    [
      "with another signature",
      (listen: string) => `${listen.slice(0, -1)}${listen.endsWith("A") ? "B" : "A"}`,
    ],
    ["as a download", (listen: string) => listen.replace("/listen/", "/download/")],
  ])("a request for audio is refused: %s", async (_, change) => {
    const { listen } = await addressesOf((await share({ allowDownload: true })).path);

    expect((await app.request(change(listen))).status).toBe(403);
  });

  test("audio that is requested with the proof of another link is refused", async () => {
    const [one, other] = [await addressesOf((await share()).path), await addressesOf((await share()).path)];

    const mixed = one.listen.replace(/\?.*/, "") + other.listen.replace(/.*(?=\?)/, "");

    expect((await app.request(mixed)).status).toBe(403);
  });

  test("ends with the link", async () => {
    const { path, id } = await share();
    const { listen } = await addressesOf(path);

    await app.signedIn(token)("DELETE", `/app/shares/${id}`);

    expect((await app.request(listen)).status).toBe(403);
  });

  test("ends when the track leaves the playlist", async () => {
    const account = app.deps.db.$client.query<{ id: string }, []>("SELECT id FROM accounts").get()?.id ?? "";
    const api = app.as(app.createKey(account));
    const { body } = await api("POST", "/playlists", { name: "Set", trackIds: [trackId, otherId] });
    const { id, publicLink } = body.data.playlist;
    const { listen } = await addressesOf(new URL(publicLink).pathname);
    expect((await app.request(listen)).status).toBe(200);

    await api("DELETE", `/playlists/${id}/tracks/${trackId}`);

    expect((await app.request(listen)).status).toBe(404);
  });
});

describe("a page left open for more than a day", () => {
  const renewalOf = (listen: string) => listen.replace("/listen/", "/renewed/").replace(/\?.*/, "");

  test("has its addresses renewed while its link is open, without another visit", async () => {
    const { path, id } = await share({ maxUses: 1 });
    const { visitor, listen } = await addressesOf(path);
    app.clock.advance(2 * DAY_MS);
    expect((await visitor.open(listen)).status).toBe(403);

    const renewed = await visitor.open(renewalOf(listen));

    expect([renewed.status, renewed.headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect((await app.request(listen.replace(/\?.*/, `?${renewed.text}`))).status).toBe(200);
    const { body } = await app.signedIn(token)("GET", `/app/shares/${id}`);
    expect(body.data.uses).toBe(1);
  });

  test("is not renewed for visitors who could not open the link", async () => {
    const [closed, limited, locked] = [
      await share(),
      await share({ maxUses: 1 }),
      await share({ password: "sesame" }),
    ];
    const { listen } = await addressesOf(closed.path);
    const version = /listen\/([^?]+)/.exec(listen)?.[1];
    await app.signedIn(token)("DELETE", `/app/shares/${closed.id}`);
    const stranger = createVisitor(app);
    const elsewhere = (await share({}, otherId)).path;

    const statuses = await Promise.all(
      [closed.path, limited.path, locked.path, elsewhere].map(
        async (path) => (await stranger.open(`${path}/renewed/${version}`)).status,
      ),
    );

    expect(statuses).toEqual([403, 403, 403, 404]);
  });
});

describe("downloads", () => {
  test("serve the original under its name, and count once", async () => {
    const { path, id } = await share({ allowDownload: true });
    const { visitor, download } = await addressesOf(path);

    const answer = await app.request(download ?? "");

    expect(answer.headers.get("content-disposition")).toStartWith('attachment; filename="Night Bus.wav"');
    expect(Buffer.from(await answer.bytes())).toEqual(Buffer.from(bytes));
    expect((await visitor.head(download ?? "")).headers.get("content-length")).toBe(String(bytes.length));
    expect(id).toStartWith("lnk_");
  });

  test("are not offered by a link that does not allow them", async () => {
    const { text, download } = await addressesOf((await share()).path);

    expect(download).toBeUndefined();
    expect(text).not.toContain("Download");
  });

  test("end when the owner switches them off, and the page says so", async () => {
    const { path, id } = await share({ allowDownload: true });
    const { visitor, download } = await addressesOf(path);
    await app.signedIn(token)("PATCH", `/app/shares/${id}`, { allowDownload: false });

    const { status, text, headers } = await visitor.open(download ?? "");

    expect(status).toBe(403);
    expect(headers.get("content-type")).toContain("text/html");
    expect(text).toContain("This link is for listening only.");
  });

  test("end after a day, like the page that offered them", async () => {
    const { path } = await share({ allowDownload: true });
    const { visitor, download } = await addressesOf(path);

    app.clock.advance(DAY_MS + HOUR_MS);

    expect((await visitor.open(download ?? "")).status).toBe(403);
  });
});

describe("all tracks of a playlist as one archive", () => {
  const list = async (trackIds: string[], settings: object) => {
    const account = app.deps.db.$client.query<{ id: string }, []>("SELECT id FROM accounts").get()?.id ?? "";
    const made = await app.as(app.createKey(account))("POST", "/playlists", { name: "Für: Ines", trackIds });
    const playlistId: string = made.body.data.playlist.id;
    const { body } = await app.signedIn(token)("POST", "/app/shares", { playlistId, ...settings });
    const [id, path] = [body.data.id as string, new URL(body.data.url).pathname];
    const visitor = createVisitor(app);
    const all = attributesOf((await visitor.open(path)).text, "href").find((at) => at.includes("/download?"));
    return { id, playlistId, path, visitor, all };
  };
  const log = async (id: string) => {
    app.app.counting.flush();
    const { body } = await app.signedIn(token)("GET", `/app/shares/${id}/activity`);
    const rows: { metric: string; entityId: string; leftOut: string | null }[] = body.data;
    return rows
      .filter(({ metric }) => metric === "downloads")
      .map(({ entityId, leftOut }) => [entityId, leftOut]);
  };

  test("holds each original once, in order, and counts like single downloads", async () => {
    const { id, visitor, all = "" } = await list([otherId, trackId, otherId], { allowDownload: true });

    const answer = await app.request(all, { headers: { "user-agent": BROWSER } });

    expect(answer.headers.get("content-disposition")).toContain("F%C3%BCr_%20Ines.zip");
    const archive = await answer.bytes();
    expect(answer.headers.get("content-length")).toBe(String(archive.length));
    const files = unzipped(archive);
    expect(files.map(({ name }) => name)).toEqual(["Other.wav", "Night Bus.wav"]);
    for (const { content } of files) expect(content).toEqual(Buffer.from(bytes));
    expect(await log(id)).toEqual([
      [trackId, null],
      [otherId, null],
    ]);
    expect((await visitor.head(all)).headers.get("content-length")).toBe(String(archive.length));
    expect(await log(id)).toHaveLength(2);
  });

  test("an archive that was broken off counts only the files that were sent", async () => {
    const { id, all = "" } = await list([otherId, trackId], { allowDownload: true });
    const answer = await app.request(all, { headers: { "user-agent": BROWSER } });
    const reader = (answer.body as ReadableStream<Uint8Array>).getReader();

    let taken = 0;
    while (taken <= bytes.length + 200) taken += (await reader.read()).value?.length ?? 0;
    await reader.cancel();

    expect(await log(id)).toEqual([
      [trackId, "incomplete"],
      [otherId, null],
    ]);
  });

  test("is offered only where the link allows downloads and there are several", async () => {
    const { all } = await list([trackId, otherId], {});
    const single = await list([trackId], { allowDownload: true });

    expect([all, single.all]).toEqual([undefined, undefined]);
  });

  test("ends with the link, and needs the proof of its page", async () => {
    const { id, visitor, all = "", path } = await list([trackId, otherId], { allowDownload: true });

    const forged = await visitor.open(`${path}/download?e=999999&s=AAAAAAAAAAAAAAAAAAAAAA`);
    await app.signedIn(token)("PATCH", `/app/shares/${id}`, { allowDownload: false });
    const off = await visitor.open(all);
    await app.signedIn(token)("DELETE", `/app/shares/${id}`);

    expect([forged.status, off.status, (await visitor.open(all)).status]).toEqual([403, 403, 403]);
    expect(off.text).toContain("This link is for listening only.");
  });

  test("is offered to the owner too, and is not counted", async () => {
    const { id, playlistId } = await list([trackId, otherId], {});
    const path = `/library/playlists/${playlistId}/plain/download`;

    const answer = await app.request(path, { headers: { cookie: `dubplate_session=${token}` } });

    expect(unzipped(await answer.bytes())).toHaveLength(2);
    expect(await log(id)).toEqual([]);
  });
});

test("a track without analysis has no waveform, and the page shows a flat line", async () => {
  const { visitor, text } = await addressesOf((await share({}, otherId)).path);

  expect(text).toContain('d="M1 48v4M3 48v4');
  expect((await visitor.open(attributesOf(text, "data-wave")[0] ?? "")).status).toBe(404);
});
