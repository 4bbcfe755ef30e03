import type { Random } from "../../src/demo/dsp/random.ts";
import { type Client, call, GoneError } from "../backup/items.ts";
import { asking, type Ledger, type Note } from "./ledger.ts";
import { SONG_SEC } from "./mixes.ts";

/** A person who writes, with what they wrote. */
export type Writer = { client: Client; personId: string; own: Note[] };

type Writing = {
  writer: Writer;
  ledger: Ledger;
  random: Random;
  /** Sends another version of a track, unless it has enough. */
  addVersion: (client: Client, trackId: string) => Promise<void>;
};

/** Does one thing after another until the server is gone. */
export async function writeUntilGone(writing: Writing): Promise<void> {
  try {
    for (;;) await writeOnce(writing);
  } catch (error) {
    if (!(error instanceof GoneError)) throw error;
  }
}

/** What is done how often. */
const DEEDS: readonly [share: number, deed: (writing: Writing, trackId: string) => Promise<void>][] = [
  [0.42, addNote],
  [0.16, reply],
  [0.2, answer],
  [0.06, place],
  [0.04, remove],
  [0.1, review],
  [0.02, ({ addVersion, writer }, trackId) => addVersion(writer.client, trackId)],
];

function writeOnce(writing: Writing): Promise<void> {
  const { random, ledger } = writing;
  const trackId = pick(random, [...ledger.versions.keys()]) ?? "";
  let chance = random() * DEEDS.reduce((sum, [share]) => sum + share, 0);
  for (const [share, deed] of DEEDS) {
    if (chance < share) return deed(writing, trackId);
    chance -= share;
  }
  return addNote(writing, trackId);
}

const pick = <Item>(random: Random, items: readonly Item[]): Item | undefined =>
  items[Math.floor(random() * items.length)];

const textOf = ({ ledger, random }: Writing, what: string) => {
  const text = `${what} ${ledger.sent.size} ${Math.floor(random() * 2 ** 30).toString(36)}`;
  ledger.sent.add(text);
  return text;
};

async function addNote(writing: Writing, trackId: string): Promise<void> {
  const { writer, random, ledger } = writing;
  const versionId = pick(random, ledger.versions.get(trackId) ?? []) ?? "";
  const positionSec = Math.round(random() * (SONG_SEC / 2) * 1000) / 1000;
  const endSec = random() < 0.3 ? Math.round((positionSec + 0.5 + random() * 2) * 1000) / 1000 : null;
  const text = textOf(writing, "Note");
  const body = { text, versionId, positionSec, endSec };
  const { id } = (await call(writer.client, "POST", `/app/tracks/${trackId}/comments`, body)) as {
    id: string;
  };
  const note: Note = {
    ...{ id, trackId, text, positionSec, endSec, versionId },
    ...{
      isAnswered: new Set([false]),
      isThere: new Set([true]),
      placed: new Map(),
      replies: [],
      hasReplies: false,
    },
  };
  writer.own.push(note);
  ledger.notes.push(note);
}

/** Returns a note of the writer's own that is certainly there. */
const ownNote = ({ writer, random }: Writing, fits: (note: Note) => boolean = () => true): Note | undefined =>
  pick(
    random,
    writer.own.filter((note) => !note.isThere.has(false) && fits(note)),
  );

async function reply(writing: Writing): Promise<void> {
  const note = ownNote(writing);
  if (!note) return;
  note.hasReplies = true;
  const text = textOf(writing, "Reply");
  const path = `/app/tracks/${note.trackId}/comments`;
  const { id } = (await call(writing.writer.client, "POST", path, { text, parentId: note.id })) as {
    id: string;
  };
  note.replies.push({ id, text });
}

async function answer(writing: Writing): Promise<void> {
  const note = ownNote(writing);
  if (!note) return;
  const answered = writing.random() < 0.7;
  const isKnown = asking(note.isAnswered, answered);
  await call(writing.writer.client, "PATCH", `/app/comments/${note.id}`, { answered });
  isKnown();
}

async function place(writing: Writing): Promise<void> {
  const note = ownNote(writing);
  const { ledger, random, writer } = writing;
  const versionId = pick(
    random,
    (ledger.versions.get(note?.trackId ?? "") ?? []).filter((id) => id !== note?.versionId),
  );
  if (!note || versionId === undefined) return;
  const positionSec = Math.round(random() * 8 * 1000) / 1000;
  note.placed.delete(versionId);
  await call(writer.client, "PATCH", `/app/comments/${note.id}`, { place: { versionId, positionSec } });
  note.placed.set(versionId, positionSec);
}

/** Of a note with replies only the text would go. */
async function remove(writing: Writing): Promise<void> {
  const note = ownNote(writing, ({ hasReplies }) => !hasReplies);
  if (!note) return;
  const isKnown = asking(note.isThere, false);
  await call(writing.writer.client, "DELETE", `/app/comments/${note.id}`);
  isKnown();
}

async function review({ writer, ledger, random }: Writing, trackId: string): Promise<void> {
  const versionId = pick(random, ledger.versions.get(trackId) ?? []) ?? "";
  const state = pick(random, ["approved", "changes", null]) ?? null;
  const path = `/app/tracks/${trackId}/versions/${versionId}/review`;
  const key = `${writer.personId} ${versionId}`;
  const possible = ledger.verdicts.get(key) ?? new Set<string | null>([null]);
  ledger.verdicts.set(key, possible);
  const isKnown = asking(possible, state);
  if (state === null) await call(writer.client, "DELETE", path);
  else await call(writer.client, "PUT", path, { state });
  isKnown();
}
