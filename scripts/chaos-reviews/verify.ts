import { Database } from "bun:sqlite";
import { join } from "node:path";
import { type Client, call } from "../backup/items.ts";
import type { Ledger, Note } from "./ledger.ts";

type Listed = {
  id: string;
  text: string;
  positionSec: number | null;
  endSec: number | null;
  versionId: string | null;
  parentId: string | null;
  answeredAt: string | null;
  place?: { positionSec: number | null; how: string };
};

/** Compares what the server lists with the ledger. Returns what is wrong. */
export async function compareNotes(client: Client, ledger: Ledger): Promise<string[]> {
  const wrong = [];
  for (const [trackId, acknowledged] of ledger.versions)
    wrong.push(...(await compareTrack(client, ledger, { trackId, acknowledged })));
  return wrong;
}

type Track = { trackId: string; acknowledged: readonly string[] };

async function compareTrack(
  client: Client,
  ledger: Ledger,
  { trackId, acknowledged }: Track,
): Promise<string[]> {
  const versions = (await call(client, "GET", `/app/tracks/${trackId}/versions`)) as { id: string }[];
  const missing = acknowledged.filter((id) => !versions.some((version) => version.id === id));
  const listed = await listAll(client, trackId, acknowledged[0] ?? "");
  const byId = new Map(listed.map((comment) => [comment.id, comment]));
  const ofTrack = ledger.notes.filter((note) => note.trackId === trackId);
  const wrong = [
    ...missing.map((id) => `the version ${id} is missing`),
    ...strangers(listed, ledger),
    ...ofTrack.flatMap((note) => faultsOf(note, byId)),
  ];
  for (const versionId of acknowledged)
    wrong.push(...misplaced(await listAll(client, trackId, versionId), ledger, versionId));
  return wrong;
}

async function listAll(client: Client, trackId: string, versionId: string): Promise<Listed[]> {
  const listed: Listed[] = [];
  for (let cursor = ""; ; ) {
    const path = `/app/tracks/${trackId}/comments?limit=200&versionId=${versionId}${cursor}`;
    const response = await fetch(`${client.address}${path}`, {
      headers: { authorization: `Bearer ${client.token}` },
    });
    const page = (await response.json()) as { data: Listed[]; paging: { next_cursor: string | null } };
    listed.push(...page.data);
    if (page.paging.next_cursor === null) return listed;
    cursor = `&cursor=${page.paging.next_cursor}`;
  }
}

/** Comments that nobody sent, and those that are there twice. */
function strangers(listed: readonly Listed[], { sent }: Ledger): string[] {
  const texts = listed.map(({ text }) => text);
  return [
    ...texts.filter((text) => !sent.has(text)).map((text) => `nobody sent “${text}”`),
    ...texts.filter((text, index) => texts.indexOf(text) < index).map((text) => `“${text}” is there twice`),
  ];
}

function faultsOf(note: Note, listed: ReadonlyMap<string, Listed>): string[] {
  const found = listed.get(note.id);
  if (!found) return note.isThere.has(false) ? [] : [`the note “${note.text}” is missing`];
  if (!note.isThere.has(true)) return [`the note “${note.text}” is back`];
  const { text, positionSec, endSec, versionId, parentId } = found;
  const isSame =
    Bun.deepEquals([text, positionSec, endSec], [note.text, note.positionSec, note.endSec]) &&
    versionId === note.versionId &&
    parentId === null;
  const isAnswered = found.answeredAt !== null;
  return [
    ...(isSame ? [] : [`the note “${note.text}” is ${JSON.stringify(found)}`]),
    ...(note.isAnswered.has(isAnswered)
      ? []
      : [`the note “${note.text}” is ${isAnswered ? "answered" : "open"}`]),
    ...note.replies
      .filter(({ id, text }) => listed.get(id)?.parentId !== note.id || listed.get(id)?.text !== text)
      .map(({ text }) => `the reply “${text}” is missing`),
  ];
}

function misplaced(listed: readonly Listed[], { notes }: Ledger, versionId: string): string[] {
  const byId = new Map(listed.map(({ id, place }) => [id, place]));
  return notes.flatMap(({ id, text, placed }) => {
    const wanted = placed.get(versionId);
    const found = byId.get(id);
    if (wanted === undefined || !found) return [];
    const isThere = found.how === "placed" && found.positionSec === wanted;
    return isThere
      ? []
      : [`“${text}” was placed at ${wanted} in ${versionId}, and is ${JSON.stringify(found)}`];
  });
}

/** Compares verdicts and events with the ledger, in the rows. No server needs to run. */
export function compareRows(dataDir: string, ledger: Ledger): string[] {
  const db = new Database(join(dataDir, "dubplate.db"), { readonly: true });
  try {
    const verdicts = new Map(
      db
        .query<{ key: string; state: string }, []>(
          "SELECT person_id || ' ' || version_id AS key, state FROM reviews WHERE person_id IS NOT NULL",
        )
        .all()
        .map(({ key, state }) => [key, state]),
    );
    const silent = db
      .query<{ id: string }, []>(
        `SELECT c.id FROM comments c WHERE NOT EXISTS
           (SELECT 1 FROM events e WHERE e.type = 'comment.added' AND e.data ->> 'commentId' = c.id)`,
      )
      .all();
    return [
      ...[...ledger.verdicts].flatMap(([key, possible]) => {
        const found = verdicts.get(key) ?? null;
        return possible.has(found) ? [] : [`the verdict of ${key} is ${found}, and was ${[...possible]}`];
      }),
      ...[...verdicts.keys()]
        .filter((key) => !ledger.verdicts.has(key))
        .map((key) => `nobody gave the verdict ${key}`),
      ...silent.map(({ id }) => `the comment ${id} was announced to nobody`),
    ];
  } finally {
    db.close();
  }
}

/** Returns every place that was found, not chosen, as lines. */
export function placesIn(dataDir: string): string[] {
  const db = new Database(join(dataDir, "dubplate.db"), { readonly: true });
  const places = db
    .query<Record<string, unknown>, []>(
      "SELECT comment_id, version_id, at_sec, end_sec, how FROM comment_places WHERE how <> 'placed' ORDER BY 1, 2",
    )
    .values();
  db.close();
  return places.map((place) => JSON.stringify(place));
}

/** Forgets every place that was found: the next start finds them anew. */
export function forgetPlaces(dataDir: string): void {
  const db = new Database(join(dataDir, "dubplate.db"));
  db.run("DELETE FROM comment_places WHERE how <> 'placed'");
  db.close();
}
