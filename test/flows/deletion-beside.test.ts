import { expect, test } from "bun:test";
import { deleteAccount } from "../../src/modules/whole/ownership/service.ts";
import { createTestApp } from "../support/app.ts";

test("what a server beside writes down of an account's last requests is deleted with the account", async () => {
  const app = await createTestApp();
  const leaving = app.createAccount();
  const { $client } = app.deps.db;
  $client.run(
    "INSERT INTO events (id, owner_id, type, data, at) VALUES ('evt_1', ?, 'track.updated', '{}', 0)",
    [leaving.accountId],
  );
  // By then the usage was deleted once.
  $client.run(
    `CREATE TEMP TRIGGER flushed AFTER DELETE ON events BEGIN
       INSERT INTO usage_records (id, key_id, account_id, route, method, status, duration_ms, ip, at)
       VALUES ('use_1', 'key_1', old.owner_id, '/api/v1/tracks', 'GET', 200, 1, '127.0.0.1', 0); END`,
  );

  await deleteAccount(app.deps, { id: leaving.accountId, email: leaving.email } as never);

  const left = $client.query("SELECT * FROM usage_records WHERE account_id = ?").all(leaving.accountId);
  expect(left).toEqual([]);
  await app.close();
});
