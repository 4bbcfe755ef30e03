import { afterAll, beforeAll, expect, test } from "bun:test";
import { MODULES } from "../../src/modules/index.ts";
import { findAccount } from "../../src/modules/people/accounts/service.ts";
import { transferAccount } from "../../src/modules/whole/ownership/service.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import { addMember } from "../support/team.ts";
import { addTrackRows } from "../support/track-rows.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

test("a library's music goes to another one, and its members and guests stay and see nothing of it", async () => {
  const [giver, receiver] = [app.createAccount(), app.createAccount()];
  const { id: trackId } = addTrackRows(app.deps.db, giver.accountId);
  const manager = addMember(app, giver.accountId, { role: "manager" });
  const guest = addMember(app, giver.accountId, { role: "artist" });
  const web = app.signedIn(manager.token);
  const made = await app.as(app.createKey(giver.accountId))("POST", "/playlists", {
    name: "Room",
    trackIds: [trackId],
  });
  const room: string = made.body.data.playlist.id;
  const { $client } = app.deps.db;
  $client.run("UPDATE members SET reach = 'rooms' WHERE id = ?", [guest.memberId]);
  $client.run("INSERT INTO room_members VALUES (?, ?, 'listener', 0, 0, NULL, 1)", [room, guest.memberId]);
  $client.run(
    `INSERT INTO invitations (id, account_id, email, role, playlist_id, created_at, expires_at)
     VALUES ('inv_1', ?, 'asked@example.com', 'artist', ?, 1, 2), ('inv_2', ?, 'other@example.com', 'artist', NULL, 1, 2)`,
    [giver.accountId, room, giver.accountId],
  );
  const accountOf = ({ accountId }: { accountId: string }) => {
    const account = findAccount(app.deps.db, accountId);
    if (!account) throw new Error("There is no such account");
    return account;
  };

  await transferAccount(app.deps, accountOf(giver), accountOf(receiver), MODULES);

  const tracks = async (token: string) =>
    (await app.signedIn(token)("GET", "/app/library/tracks")).body.data.length;
  expect([await tracks(receiver.token), await tracks(giver.token), await tracks(manager.token)]).toEqual([
    1, 0, 0,
  ]);
  expect((await web("GET", "/app/team")).body.data.members).toHaveLength(3);
  expect((await app.signedIn(receiver.token)("GET", "/app/team")).body.data.members).toHaveLength(1);
  expect($client.query("SELECT * FROM room_members").all()).toEqual([]);
  expect($client.query("SELECT id FROM invitations").all()).toEqual([{ id: "inv_2" }]);
});
