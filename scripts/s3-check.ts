/**
 * Checks the store in a bucket on a real S3 server: compares it with the store on the disk, kills the S3 server under load
 * and starts it again, breaks off uploads, and then reads back every acknowledged file and every object.
 *
 * usage: S3_ACCESS_KEY_ID=… S3_SECRET_ACCESS_KEY=… bun scripts/s3-check.ts --endpoint http://127.0.0.1:9000 --bucket music
 *   [--server "minio server --address 127.0.0.1:9000 DIR"] [--down 60] [--files 30] [--breaks 200] [--suite]
 * --server starts the S3 server, so that it can be killed. The bucket must be there. --suite runs the tests of the API on
 * the bucket as well. Exit 1 on any violation.
 */
import "./support/help.ts";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createBucket } from "../src/blobs/bucket/client.ts";
import { isSha256 } from "../src/blobs/paths.ts";
import { readSettings } from "../src/config.ts";
import { closeLibrary } from "../src/library.ts";
import { createOwner, openLibraryIn } from "./bench/library.ts";
import { freePort, type ServerProcess, spawnDubplate, temporaryFolder } from "./bench/processes.ts";
import { type Acknowledged, type Client, createClient, noiseWav, sha256Of } from "./s3-check/client.ts";
import { loadThrough, type Seen } from "./s3-check/outage.ts";
import { runSuite } from "./s3-check/suite.ts";

const FILE_BYTES = 8_000_000;
const RANGE_BYTES = 65_536;
const BEFORE_SEC = 10;
const AFTER_SEC = 20;

const { values } = parseArgs({
  args: Bun.argv.slice(2),
  options: {
    endpoint: { type: "string" },
    bucket: { type: "string" },
    server: { type: "string" },
    down: { type: "string", default: "60" },
    files: { type: "string", default: "30" },
    breaks: { type: "string", default: "200" },
    suite: { type: "boolean", default: false },
  },
});
if (!values.endpoint || !values.bucket) throw new Error("--endpoint and --bucket are needed");
const place = {
  BLOB_STORE: `s3://${values.bucket}/check-${Date.now()}`,
  S3_ENDPOINT: values.endpoint,
  S3_ACCESS_KEY_ID: Bun.env.S3_ACCESS_KEY_ID ?? "",
  S3_SECRET_ACCESS_KEY: Bun.env.S3_SECRET_ACCESS_KEY ?? "",
};
const settings = readSettings(place);
if (!settings.bucket) throw new Error("no bucket");
const bucket = createBucket(settings.bucket);
const violations: string[] = [];
let s3: Bun.Subprocess | undefined;

await startS3();
const files = Number(values.files);
const disk = await startServer({});
await measure("disk", disk.client, files);
await disk.server.stop();
const stored = await startServer(place);
const known = await measure("bucket", stored.client, files);
if (values.server) await outage(stored, known);
await breaks(stored.client, Number(values.breaks));
await checkObjects();
await stored.server.stop();
if (values.suite) violations.push(...(await runSuite(place, values.bucket)));
s3?.kill();
for (const violation of violations) console.log(`VIOLATION ${violation}`);
console.log(violations.length === 0 ? "No violation." : `${violations.length} violations.`);
process.exit(violations.length === 0 ? 0 : 1);

async function startS3(): Promise<void> {
  if (values.server)
    s3 = Bun.spawn(["sh", "-c", `exec ${values.server}`], { stdio: ["ignore", "ignore", "ignore"] });
  const until = performance.now() + 30_000;
  for (;;) {
    const found = await bucket.sizeOf("store.json").catch((error: Error) => error);
    if (!(found instanceof Error)) return;
    if (performance.now() > until) throw found;
    await Bun.sleep(100);
  }
}

async function startServer(
  extra: Record<string, string>,
): Promise<{ server: ServerProcess; client: Client }> {
  const dataDir = temporaryFolder("s3-check");
  const deps = openLibraryIn(dataDir);
  const { key } = await createOwner(deps);
  closeLibrary(deps);
  const log = join(temporaryFolder("s3-check-log"), "log");
  const more = { ANALYSIS_CONCURRENCY: "1", LOG_LEVEL: "error", ...extra };
  const server = spawnDubplate({ dataDir, port: freePort(), log, settings: more });
  await server.healthy();
  return { server, client: createClient(server.address, key) };
}

/** Uploads files one after another, and reads parts of them. Prints the rates. */
async function measure(name: string, client: Client, count: number): Promise<Acknowledged[]> {
  const sent: Acknowledged[] = [];
  const bodies = Array.from({ length: count }, () => noiseWav(FILE_BYTES));
  const startedAt = performance.now();
  for (const body of bodies) {
    const answer = await client.upload(body);
    if (!("file" in answer)) throw new Error(`An upload to the ${name} was refused: ${answer.status}`);
    sent.push(answer.file);
  }
  const seconds = (performance.now() - startedAt) / 1000;
  const addresses = await Promise.all(sent.map(({ trackId }) => client.addressOf(trackId)));
  const times: number[] = [];
  for (let read = 0; read < 300; read++) {
    const start = Math.floor(Math.random() * (FILE_BYTES / RANGE_BYTES - 1)) * RANGE_BYTES;
    const headers = { range: `bytes=${start}-${start + RANGE_BYTES - 1}` };
    const at = performance.now();
    await (await fetch(addresses[read % count] ?? "", { headers })).arrayBuffer();
    times.push(performance.now() - at);
  }
  times.sort((a, b) => a - b);
  const [p50, p99] = [0.5, 0.99].map((share) => times[Math.floor(times.length * share)]?.toFixed(1));
  const rate = ((count * FILE_BYTES) / 1e6 / seconds).toFixed(1);
  console.log(
    `${name}: ${count} uploads of ${FILE_BYTES / 1e6} MB at ${rate} MB/s; 64 KiB ranges p50 ${p50} ms, p99 ${p99} ms`,
  );
  return sent;
}

async function outage({ server, client }: typeof stored, known: readonly Acknowledged[]): Promise<void> {
  const kill = async () => {
    s3?.kill("SIGKILL");
    await s3?.exited;
  };
  const seen = await loadThrough({ client, server, known }, [
    { seconds: BEFORE_SEC, enter: () => undefined },
    { seconds: Number(values.down), enter: kill },
    { seconds: AFTER_SEC, enter: startS3 },
  ]);
  const { uploads, reads, aborted, peakMb } = seen;
  console.log(
    `outage of ${values.down} s: uploads ${JSON.stringify(uploads)}, reads ${JSON.stringify(reads)} by status,`,
  );
  console.log(`  ${aborted} uploads broken off, memory of the server at most ${Math.round(peakMb)} MB`);
  judge(seen);
  await readBack(client, [...known, ...seen.acknowledged]);
}

/** A read that is under way when the server dies may break; no other answer than these is allowed. */
function judge({ uploads, reads, withoutRetryAfter }: Seen): void {
  for (const [kind, counts] of Object.entries({ upload: uploads, read: reads }))
    for (const status of Object.keys(counts))
      if (!["0", "200", "206", "503"].includes(status))
        violations.push(`a ${kind} was answered with ${status}`);
  if ((reads[0] ?? 0) > 8) violations.push(`${reads[0]} reads broke`);
  if ((uploads[0] ?? 0) > 0) violations.push(`${uploads[0]} uploads had no answer`);
  if (withoutRetryAfter > 0) violations.push(`${withoutRetryAfter} refusals without Retry-After`);
}

async function readBack(client: Client, acknowledged: readonly Acknowledged[]): Promise<void> {
  let lost = 0;
  for (const { trackId, sha256 } of acknowledged) {
    const response = await fetch(await client.addressOf(trackId));
    if (sha256Of(await response.bytes()) !== sha256) lost++;
  }
  console.log(`${acknowledged.length} acknowledged files read back: ${lost} lost or changed`);
  if (lost > 0) violations.push(`${lost} acknowledged files are lost or changed`);
}

/** Breaks off uploads after a random time; those that were quicker are acknowledged. */
async function breaks(client: Client, count: number): Promise<void> {
  const acknowledged: Acknowledged[] = [];
  for (let round = 0; round < count; round++) {
    const signal = AbortSignal.timeout(1 + Math.floor(Math.random() * 80));
    const sent = await client.upload(noiseWav(4_000_000), signal);
    if ("file" in sent) acknowledged.push(sent.file);
  }
  console.log(`${count} uploads broken off at random, ${acknowledged.length} of them acknowledged before`);
  await readBack(client, acknowledged);
}

/** Every object under a hash has the bytes of that hash. */
async function checkObjects(): Promise<void> {
  let [objects, wrong] = [0, 0];
  for await (const { key } of bucket.list("audio/")) {
    const name = key.slice(key.lastIndexOf("/") + 1);
    const body = await bucket.open(key);
    objects++;
    if (!body || !isSha256(name) || sha256Of(await new Response(body).bytes()) !== name) wrong++;
  }
  console.log(`${objects} objects read: ${wrong} with other bytes than their name says`);
  if (wrong > 0) violations.push(`${wrong} objects have other bytes than their name says`);
}
