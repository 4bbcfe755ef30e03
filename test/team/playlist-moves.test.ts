import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Json } from "../support/app.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import { addMember } from "../support/team.ts";
import { addTrackRows } from "../support/track-rows.ts";

const STEPS = 500;

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

/** A small generator of numbers from 0 to 1, the same in every run (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

test("two people move and add at random in one playlist, each by the list that they saw last: nothing is lost or doubled", async () => {
  const { accountId, token } = app.createAccount();
  const ben = addMember(app, accountId, { role: "producer" });
  const anasWeb = app.signedIn(token);
  const people = [anasWeb, app.signedIn(ben.token)].map((web) => ({ web, seen: [] as string[] }));
  const add = () => addTrackRows(app.deps.db, accountId, {}).id;
  const added = [add(), add(), add()];
  const made = await anasWeb("POST", "/app/playlists", { name: "Roughs", trackIds: added });
  const { id } = made.body.data;
  const read = async (web = anasWeb): Promise<string[]> =>
    (await web("GET", `/app/playlists/${id}/tracks`)).body.data.map((row: Json) => row.id);
  for (const person of people) person.seen = await read(person.web);
  const next = random(20_261_126);
  let refused = 0;

  for (let step = 0; step < STEPS; step++) {
    const person = people[Math.floor(next() * 2)];
    if (!person) throw new RangeError("There are two");
    const { web } = person;
    if (next() < 0.3) person.seen = await read(web);
    if (next() < 0.2) {
      const trackId = add();
      const { body } = await web("POST", `/app/library/playlists/${id}/tracks`, { trackIds: [trackId] });
      expect(body.data.ok).toBe(true);
      added.push(trackId);
      continue;
    }
    const from = Math.floor(next() * person.seen.length);
    const moved = person.seen[from] as string;
    const trackIds = person.seen
      .toSpliced(from, 1)
      .toSpliced(Math.floor(next() * person.seen.length), 0, moved);
    const { status, body } = await web("PATCH", `/app/library/playlists/${id}/order`, { trackIds });
    if (status === 200 && body.data.ok) {
      expect(await read(web)).toEqual(trackIds);
      person.seen = trackIds;
    } else refused++;
  }

  expect((await read()).toSorted()).toEqual(added.toSorted());
  expect(added.length).toBeGreaterThan(50);
  expect(refused).toBeGreaterThan(20);
});
