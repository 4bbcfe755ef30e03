import { describe, expect, test } from "bun:test";
import type { LibraryId } from "../../db/schema.ts";
import { accounts } from "../../db/schema.ts";
import { secretsOf } from "../../src/kernel/secrets.ts";
import {
  copyOfLink,
  findMarkKey,
  type LinkCopy,
  listCopies,
  listCopiesOfFile,
  markKeyOf,
  noteDelivered,
  resealMarks,
  transferMarks,
} from "../../src/modules/sharing/marks/service.ts";
import { markLinksHandler } from "../../src/modules/sharing/shares/marking.ts";
import { createTestApp } from "../support/app.ts";
import { openEmpty } from "../support/empty-library.ts";
import { addTrackRows } from "../support/track-rows.ts";

const secrets = secretsOf(Buffer.alloc(32, 1));

function library() {
  const db = openEmpty();
  for (const id of ["usr_a", "usr_b"]) db.insert(accounts).values({ id, name: id, createdAt: 1 }).run();
  return { db, secrets };
}

const LINK: LinkCopy = {
  accountId: "usr_a",
  shareId: "lnk_1",
  versionId: "ver_1",
  trackId: "trk_1",
  kind: "listen",
  recipient: "Bo",
};

describe("a copy", () => {
  test("is the same whenever it is asked for, and what one recipient downloads has the code of what they hear", () => {
    const { db } = library();

    const heard = copyOfLink(db, LINK, 1);
    const again = copyOfLink(db, LINK, 2);
    const downloaded = copyOfLink(db, { ...LINK, kind: "download" }, 3);

    expect(again).toEqual(heard);
    expect(heard.code).toHaveLength(16);
    expect(downloaded.code).toEqual(heard.code);
    expect(downloaded.id).not.toBe(heard.id);
  });

  test.each([
    ["another link", { shareId: "lnk_2" }],
    ["another version", { versionId: "ver_2" }],
    ["another recipient of the same link", { recipient: "Cy" }],
    ["anyone", { recipient: null }],
  ])("of %s has another code", (_, other) => {
    const { db } = library();

    const [one, two] = [copyOfLink(db, LINK, 1), copyOfLink(db, { ...LINK, ...other }, 1)];

    expect(two.code).not.toEqual(one.code);
  });

  test("is found by its version and by its file, within its account alone", () => {
    const { db } = library();
    const copy = copyOfLink(db, LINK, 1);
    const other = copyOfLink(db, { ...LINK, versionId: "ver_2" }, 1);
    db.$client.run(
      `INSERT INTO marked_files VALUES ('${copy.id}', 'original', '${"a".repeat(64)}', 9, 1, 0)`,
    );
    noteDelivered(db, copy.id, 5);
    noteDelivered(db, copy.id, 6);

    expect(listCopies(db, "usr_a")).toEqual([{ ...copy, deliveredAt: 5 }, other]);
    expect(listCopies(db, "usr_a", ["ver_2"])).toEqual([other]);
    expect(listCopiesOfFile(db, "usr_a", "a".repeat(64)).map(({ id }) => id)).toEqual([copy.id]);
    expect(listCopies(db, "usr_b")).toEqual([]);
    expect(listCopiesOfFile(db, "usr_b", "a".repeat(64))).toEqual([]);
  });
});

describe("the key of a version", () => {
  test("is made once, differs from that of another version, and is not in the database as it is", () => {
    const deps = library();
    const marked = { accountId: "usr_a", versionId: "ver_1" };

    expect(findMarkKey(deps, marked)).toBeUndefined();
    const key = markKeyOf(deps, marked);

    expect(key).toHaveLength(32);
    expect(markKeyOf(deps, marked)).toEqual(key);
    expect(findMarkKey(deps, marked)).toEqual(key);
    expect(markKeyOf(deps, { ...marked, versionId: "ver_2" })).not.toEqual(key);
    const stored = deps.db.$client.query<{ key: Uint8Array }, []>("SELECT key FROM mark_keys").all();
    expect(stored.some((row) => Buffer.from(row.key).includes(key))).toBeFalse();
  });

  test("outlives a new master secret, and goes with the copies to another account", () => {
    const { db } = library();
    const marked = { accountId: "usr_a", versionId: "ver_1" };
    const key = markKeyOf({ db, secrets }, marked);
    copyOfLink(db, LINK, 1);
    const later = secretsOf(Buffer.alloc(32, 2));

    expect(resealMarks(db, secrets, later)).toBe(1);
    transferMarks(db, "usr_a", "usr_b");

    expect(findMarkKey({ db, secrets: later }, { ...marked, accountId: "usr_b" })).toEqual(key);
    expect(listCopies(db, "usr_b")).toHaveLength(1);
    expect(listCopies(db, "usr_a")).toEqual([]);
  });
});

test("a track that is far down a long list is prepared for its link once it plays another version", async () => {
  const app = await createTestApp({ ffmpegPath: "/nowhere/ffmpeg" });
  const { db, now, settings } = app.deps;
  const { accountId, token } = app.createAccount();
  const ids = Array.from({ length: 52 }, () => addTrackRows(db, accountId, {}).id);
  const web = app.signedIn(token);
  const { body } = await web("POST", "/app/playlists", { name: "All", trackIds: ids });
  await web("POST", "/app/shares", { playlistId: body.data.id, recipient: "Bo" });
  const last = ids.at(-1) ?? "";
  const prepared = () =>
    listCopies(db, accountId as LibraryId).filter(({ trackId }) => trackId === last).length;
  expect(prepared()).toBe(0);

  await markLinksHandler({ db, now, settings })(
    { trackId: last },
    { signal: new AbortController().signal, attempt: 1, isLastAttempt: true },
  );

  expect(prepared()).toBe(1);
  await app.close();
});
