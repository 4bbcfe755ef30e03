import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { createServer } from "node:http";
import { eq } from "drizzle-orm";
import { versions } from "../../db/schema.ts";
import type { Finding } from "../../src/backup/finding.ts";
import { verifyDatabase } from "../../src/backup/verify-database.ts";
import { verifyFiles } from "../../src/backup/verify-files.ts";
import { originalsOf } from "../../src/blobs/store.ts";
import { DAY_MS } from "../../src/kernel/time.ts";
import { tidyHourly } from "../../src/upkeep.ts";
import { serveFile } from "../contract/files.ts";
import { createLibrary, type Library } from "../contract/library.ts";
import { createToolApp, modernRequest, type ToolApp } from "./support.ts";

let app: ToolApp;
let library: Library;
const outside = createServer(serveFile);

beforeAll(async () => {
  await new Promise<void>((resolve) => outside.listen(0, "127.0.0.1", resolve));
  const address = `127.0.0.1:${(outside.address() as { port: number }).port}`;
  app = await createToolApp({ settings: { networkAllow: [address] } });
  library = createLibrary(app, app);
  await library.analysed();
});
afterAll(async () => {
  outside.close();
  await app.close();
});

test("a deleted version's file is held, and gone for good when nobody wants it back; the check of the library finds nothing at any time", async () => {
  const owner = app.signedIn(app.token);
  const lastCall = async () => (await owner("GET", "/app/assistant/calls?limit=1")).body.data[0];
  const trackId = await library.track();
  const versionId = await library.version(trackId);
  const { db, settings } = app.deps;
  const { sha256 = "" } = db.select().from(versions).where(eq(versions.id, versionId)).get() ?? {};
  const held = () =>
    readdirSync(settings.dataDir, { recursive: true }).filter((path) => String(path).endsWith(sha256)).length;
  const findings: Finding[] = [];
  const check = async () => {
    const report = (finding: Finding) => void findings.push(finding);
    verifyDatabase(db, report);
    const originals = originalsOf(settings);
    await verifyFiles({
      dataDir: settings.dataDir,
      originals,
      db,
      hash: true,
      report,
      read: () => undefined,
    });
  };
  const params = { name: "delete_track_version", arguments: { trackId, versionId } };
  await app.request("/mcp", modernRequest("tools/call", params, { "x-api-key": app.key }));
  const noted = await lastCall();
  await check();
  expect([held(), noted.undoUntil === null]).toEqual([1, false]);

  app.clock.advance(settings.undoDays * DAY_MS);
  await tidyHourly(app.deps);
  await check();
  expect((await owner("POST", `/app/assistant/calls/${noted.id}/undo`)).status).toBe(404);
  app.clock.advance((settings.quarantineDays + 1 - settings.undoDays) * DAY_MS);
  await tidyHourly(app.deps);
  await check();

  expect([held(), findings]).toEqual([0, []]);
  expect(db.$client.query("SELECT count(*) AS steps FROM undo_steps").get()).toEqual({ steps: 0 });
});
