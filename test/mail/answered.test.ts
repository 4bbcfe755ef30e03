import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { shares } from "../../db/schema.ts";
import { DAY_MS, HOUR_MS } from "../../src/kernel/time.ts";
import { addLinkComment, answerLinkNote } from "../../src/modules/sharing/comments/service.ts";
import { type MailReceiver, receiveMails } from "../support/mail-receiver.ts";
import { addTrackRows, addVersionRow } from "../support/track-rows.ts";
import { createMailApp, type MailApp } from "./mail-app.ts";

let receiver: MailReceiver;
let app: MailApp;
beforeAll(async () => {
  receiver = await receiveMails();
  app = await createMailApp(receiver);
});
afterAll(async () => {
  await app.close();
  await receiver.close();
});

/** Makes a library with two songs, each with a link for Bo and both with a link to their playlist. */
async function library(settings: object = {}) {
  const { accountId, token } = app.createAccount();
  const call = app.signedIn(token);
  const key = app.as(app.createKey(accountId));
  const measured = { integratedLufs: -9.4 };
  const [first, second] = ["Night Ferry", "Harbour"].map((title) =>
    addTrackRows(app.deps.db, accountId, { name: `${title}.wav`, title, durationSec: 187, measured }),
  ) as [ReturnType<typeof addTrackRows>, ReturnType<typeof addTrackRows>];
  const made = await key("POST", "/playlists", { name: "EP", trackIds: [first.id, second.id] });
  const share = async (target: object) => {
    const person = { recipient: "Bo Berg", recipientEmail: "bo@example.com" };
    const { body } = await call("POST", "/app/shares", {
      ...person,
      allowReview: true,
      ...target,
      ...settings,
    });
    return { id: body.data.id as string, url: body.data.url as string };
  };
  const linkOf = (id: string) => {
    const link = app.deps.db.select().from(shares).where(eq(shares.id, id)).get();
    if (!link) throw new Error("There is no such link");
    return { ...link, ownerId: accountId };
  };
  return {
    call,
    first,
    second,
    shareTrack: () => share({ trackId: first.id }),
    sharePlaylist: () => share({ playlistId: made.body.data.playlist.id }),
    linkOf,
    /** Writes a note through a link. Returns its id. */
    note: ({ id }: { id: string }, trackId = first.id) => {
      const said = { authorId: null, authorName: "Bo", text: "Kick", positionSec: 10, versionId: undefined };
      return addLinkComment(app.deps, { share: linkOf(id), trackId, ...said }).id;
    },
    /** Adds a version, which plays from now on if it says so. Returns its id. */
    add: async (versionOrder: number, { trackId = first.id, plays = true } = {}) => {
      const createdAt = app.clock.now();
      const id = addVersionRow(app.deps.db, trackId, {
        versionOrder,
        label: `v${versionOrder + 1}`,
        createdAt,
      });
      if (plays) await key("POST", `/tracks/${trackId}/versions/${id}/activate`);
      return id;
    },
    play: (versionId: string) => key("POST", `/tracks/${first.id}/versions/${versionId}/activate`),
    answer: async (id: string, versionId?: string) => {
      const { status } = await call("PATCH", `/app/comments/${id}`, {
        answered: true,
        ...(versionId && { versionId }),
      });
      expect(status).toBe(200);
    },
  };
}

/** Lets an hour pass, after which recipients are written to. */
const later = (ms = HOUR_MS) => {
  app.clock.advance(ms);
  return app.mails();
};

describe("whoever made notes through a link that asks for approval", () => {
  test("is written to an hour after the first is answered, once for all", async () => {
    const lib = await library();
    const link = await lib.shareTrack();
    const [one, two] = [lib.note(link), lib.note(link), lib.note(link)];
    await lib.add(1);
    await lib.answer(one ?? "");
    app.clock.advance(HOUR_MS / 2);
    await lib.answer(two ?? "");
    const early = await app.mails();
    const [mail, ...more] = await later(HOUR_MS / 2);

    expect([early, more]).toEqual([[], []]);
    const text = mail?.text ?? "";
    expect(text).toContain("v2 of “Night Ferry” answers 2 of your 3 notes.");
    expect(text).toContain(`Hear old and new:\n${link.url}`);
    expect(mail?.headers.get("list")).toMatchObject({ unsubscribe: {} });
    expect(mail).toMatchObject({
      subject: "v2 of “Night Ferry” answers 2 of your 3 notes",
      to: { value: [{ address: "bo@example.com", name: "Bo Berg" }] },
    });
    expect(await later(3 * DAY_MS)).toEqual([]);
  });

  test("is written to at most once a day", async () => {
    const lib = await library();
    const link = await lib.shareTrack();
    const [one, two] = [lib.note(link), lib.note(link)];
    await lib.add(1);
    await lib.answer(one);
    const first = await later();
    await lib.answer(two);

    expect(first).toHaveLength(1);
    expect(await later()).toEqual([]);
    expect((await later(23 * HOUR_MS)).map(({ subject }) => subject)).toEqual([
      "v2 of “Night Ferry” answers 2 of your 2 notes",
    ]);
  });

  test("hears of a version only once it plays", async () => {
    const lib = await library();
    const link = await lib.shareTrack();
    const note = lib.note(link);
    const version = await lib.add(1, { plays: false });
    await lib.answer(note, version);

    expect(await later()).toEqual([]);
    await lib.play(version);
    expect((await later(DAY_MS)).map(({ subject }) => subject)).toEqual([
      "v2 of “Night Ferry” answers your note",
    ]);
  });

  test("hears of all songs of a playlist together", async () => {
    const lib = await library();
    const link = await lib.sharePlaylist();
    const notes = [lib.note(link), lib.note(link, lib.second.id), lib.note(link, lib.second.id)];
    await lib.add(1);
    await lib.add(1, { trackId: lib.second.id });
    const all = { ids: notes.slice(0, 2) };
    for (const id of all.ids) await lib.answer(id);
    const [mail, ...more] = await later();

    expect(more).toEqual([]);
    expect(mail?.subject).toBe("Someone answers 2 of your 3 notes");
    expect(mail?.text).toContain("- Harbour\n  v2 answers 1 of your 2 notes");
    expect(mail?.text).toContain("- Night Ferry\n  v2 answers your note");
  });

  test("hears nothing of what they marked answered themselves, or what was opened again before", async () => {
    const lib = await library();
    const link = await lib.shareTrack();
    const [own, reopened] = [lib.note(link), lib.note(link)];
    const versionId = await lib.add(1);
    const said = { share: lib.linkOf(link.id), noteId: own, answered: true, versionId };
    answerLinkNote(app.deps, { ...said, authorId: null, authorName: "Bo" });
    await lib.answer(reopened);
    await lib.call("PATCH", `/app/comments/${reopened}`, { answered: false });

    expect(await later()).toEqual([]);
  });

  const ENDS: [string, (lib: Awaited<ReturnType<typeof library>>, id: string) => unknown][] = [
    ["has ended", (lib, id) => lib.call("DELETE", `/app/shares/${id}`)],
    ["asks no more", (lib, id) => lib.call("PATCH", `/app/shares/${id}`, { allowReview: false })],
    ["leads to what is in the bin", (lib) => lib.call("DELETE", `/app/tracks/${lib.first.id}`)],
  ];
  test.each(ENDS)("hears nothing when the link %s", async (_, end) => {
    const lib = await library();
    const link = await lib.shareTrack();
    const note = lib.note(link);
    await lib.add(1);
    await lib.answer(note);
    expect(await end(lib, link.id)).toMatchObject({ status: 200 });

    expect(await later()).toEqual([]);
  });

  test("is not written to through a link without approval or without an address", async () => {
    const lib = await library({ allowReview: false, allowComments: true });
    const link = await lib.shareTrack();
    const note = lib.note(link);
    await lib.add(1);
    await lib.answer(note);
    expect(await later()).toEqual([]);

    const other = await library();
    const silent = await other.shareTrack();
    await other.call("PATCH", `/app/shares/${silent.id}`, { recipientEmail: null });
    const said = other.note(silent);
    await other.add(1);
    await other.answer(said);
    expect(await later()).toEqual([]);
  });

  test("is not written to after they asked not to be", async () => {
    const lib = await library();
    const link = await lib.shareTrack();
    const [one, two] = [lib.note(link), lib.note(link)];
    await lib.add(1);
    await lib.answer(one);
    const [mail] = await later();
    const stop = /https:\S+\/mail\/stop\/\S+/.exec(mail?.text ?? "")?.[0] ?? "";
    await app.request(stop, {
      method: "POST",
      body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }),
    });
    await lib.answer(two);

    expect(await later(DAY_MS)).toEqual([]);
  });
});
