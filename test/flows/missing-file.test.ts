import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { eq } from "drizzle-orm";
import { tracks, versions } from "../../db/schema.ts";
import { blobPath } from "../../src/blobs/store.ts";
import { downloadUrl } from "../../src/modules/library/files/service.ts";
import { attributesOf, createVisitor } from "../pages/visitor.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import { noise, wavBytes } from "../support/signals.ts";

const BYTES = wavBytes([noise(8_000, 2)], 8_000, 16);

let app: TestApp;
let owner: ReturnType<TestApp["createAccount"]>;
let trackId: string;
let version: typeof versions.$inferSelect;
let page: string;
beforeEach(async () => {
  app = await createTestApp();
  owner = app.createAccount();
  trackId = await upload();
  version = versionOf(trackId);
  const { body } = await app.signedIn(owner.token)("POST", "/app/shares", { trackId, allowDownload: true });
  page = new URL(body.data.url).pathname;
  rmSync(blobPath(app.deps.settings, version.sha256));
});
afterEach(() => app.close());

async function upload(): Promise<string> {
  const form = new FormData();
  form.append("files", new File([BYTES], "Night Bus.wav"));
  const { body } = await app.as(app.createKey(owner.accountId))("POST", "/tracks/upload", form);
  return body.data.uploaded[0].id;
}

function versionOf(id: string): typeof versions.$inferSelect {
  const found = app.deps.db.select().from(versions).where(eq(versions.trackId, id)).get();
  if (!found) throw new Error("no version");
  return found;
}

const told = async (token = owner.token) =>
  (await app.signedIn(token)("GET", "/app/notifications")).body.data as Record<string, unknown>[];

describe("a version whose file is missing from the disk", () => {
  test("says so at its link, for GET and HEAD", async () => {
    const answer = await app.request(downloadUrl(app.deps, version));
    const head = await app.request(downloadUrl(app.deps, version), { method: "HEAD" });

    expect([answer.status, head.status]).toEqual([500, 500]);
    expect(await answer.json()).toEqual({
      statusCode: 500,
      messageCode: "file_missing",
      message: "The file of this version is missing from the server's storage",
      error: "Internal Server Error",
    });
  });

  test("says so on a link's pages: in JSON to the player, on a page to a person", async () => {
    const visitor = createVisitor(app);
    const { text } = await visitor.open(page);
    const [listen = ""] = attributesOf(text, "data-src");
    const download = attributesOf(text, "href").find((address) => address.includes("/download/")) ?? "";

    const played = await visitor.open(listen, { accept: "*/*" });
    const downloaded = await visitor.open(download);

    expect([played.status, JSON.parse(played.text).messageCode]).toEqual([500, "file_missing"]);
    expect(downloaded.status).toBe(500);
    expect(downloaded.headers.get("content-type")).toContain("text/html");
    expect(downloaded.text).toContain("missing from the server's storage");
  });

  test("fails its analysis with the reason", async () => {
    await app.drainJobs();

    const track = app.deps.db.select().from(tracks).where(eq(tracks.id, trackId)).get();
    expect(track).toMatchObject({ analysisStatus: "failed", analysisCode: "file_missing" });
    expect(await told()).toHaveLength(1);
  });

  test("notifies only its owner, and only once, wherever it was noticed", async () => {
    const other = app.createAccount();
    await app.request(downloadUrl(app.deps, version));
    await app.request(downloadUrl(app.deps, version));
    const { text } = await createVisitor(app).open(page);
    await app.request(attributesOf(text, "data-src")[0] ?? "");
    await app.drainJobs();

    expect(await told()).toEqual([
      {
        id: expect.any(String),
        kind: "track.file_missing",
        title:
          "The audio file of Night Bus.wav is missing from the server: restore a backup, or upload it again",
        entityKey: "track",
        entityId: trackId,
        createdAt: new Date(app.clock.now()).toISOString(),
        readAt: null,
        by: null,
      },
    ]);
    expect(await told(other.token)).toEqual([]);
    expect(app.logged.filter(({ level }) => level === "error")).toMatchObject([
      { fields: { versionId: version.id } },
    ]);
  });

  test("is not reported again after the notification is read", async () => {
    await app.request(downloadUrl(app.deps, version));
    await app.signedIn(owner.token)("POST", "/app/notifications/read");

    await app.request(downloadUrl(app.deps, version));

    expect(await told()).toMatchObject([{ readAt: expect.any(String) }]);
  });

  test("is whole again when the same bytes are uploaded", async () => {
    await upload();

    const answer = await app.request(downloadUrl(app.deps, version));

    expect(answer.status).toBe(200);
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(new Uint8Array(BYTES));
  });

  test("does not stop notifications about other versions", async () => {
    const other = versionOf(await upload());
    rmSync(blobPath(app.deps.settings, other.sha256));

    await app.request(downloadUrl(app.deps, version));
    await app.request(downloadUrl(app.deps, other));

    expect((await told()).map(({ entityId }) => entityId).toSorted()).toEqual(
      [trackId, other.trackId].toSorted(),
    );
  });
});
