import { createHash } from "node:crypto";
import { unzipped } from "../../test/support/unzipped.ts";

/** What a reader got of a package. `sums` is the hash of its `SHA256SUMS`. */
export type Seen = { bytes: number; isWhole: boolean; sums: string };

type Handing = {
  address: string;
  token: string;
  ids: readonly string[];
  seen: Map<string, Seen>;
  signal: AbortSignal;
};

/** How many packages of four are given up. */
const GIVEN_UP = 0.25;

/** Lets two readers take packages, and one have them written into the folder of the server, until the server is gone. */
export async function handOver(handing: Handing): Promise<void> {
  const until = async (work: () => Promise<void>) => {
    while (!handing.signal.aborted) await work().catch(() => Bun.sleep(5)); // the server is killed
  };
  await Promise.all([
    until(() => take(handing)),
    until(() => take(handing)),
    until(() => writeIntoFolder(handing)),
  ]);
}

async function plan({ address, token, ids, signal }: Handing, name: string) {
  const response = await fetch(`${address}/app/deliveries`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ where: { ids }, profile: "store", name }),
    signal,
  });
  const { data } = (await response.json()) as { data: { id: string; path: string; sizeBytes: number } };
  return data;
}

async function take(handing: Handing): Promise<void> {
  const { id, path, sizeBytes } = await plan(handing, "Night");
  const upTo = Math.random() < GIVEN_UP ? Math.random() * sizeBytes * 0.5 : Number.POSITIVE_INFINITY;
  const got: Seen = { bytes: 0, isWhole: false, sums: "" };
  handing.seen.set(id, got);
  const response = await fetch(`${handing.address}${path}`, {
    headers: { authorization: `Bearer ${handing.token}` },
  });
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    got.bytes += chunk.length;
    if (got.bytes >= upTo) return;
  }
  if (got.bytes !== sizeBytes) return;
  const sums = unzipped(Buffer.concat(chunks)).find(({ name }) => name.endsWith("/SHA256SUMS"));
  got.sums = createHash("sha256")
    .update(sums?.content ?? "")
    .digest("hex");
  got.isWhole = true;
}

async function writeIntoFolder(handing: Handing): Promise<void> {
  const { id } = await plan(handing, "Walk");
  await fetch(`${handing.address}/app/deliveries/${id}/folder`, {
    method: "POST",
    headers: { authorization: `Bearer ${handing.token}`, "content-type": "application/json" },
    body: "{}",
    signal: handing.signal,
  });
}
