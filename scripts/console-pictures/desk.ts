import { mixPiece } from "../../src/demo/mix.ts";
import { DEMO_PIECES } from "../../src/demo/pieces.ts";
import { encodeWav } from "../../src/demo/wav.ts";
import { DAY_MS } from "../../src/kernel/time.ts";
import { type Client, call } from "../backup/items.ts";

const SENDERS = [
  {
    piece: 3,
    file: "Harbour Lights (no drums).wav",
    name: "Jonas Weir",
    message: "The quiet mix, as you asked.",
  },
  { piece: 7, file: "Slow Tide.wav", name: "Ida Berg", message: "Cut it wherever you need to." },
  { piece: 10, file: "Undertow v2.wav", name: "Tomas Lund", message: "A little darker than the last one." },
];

/** What an account's desk has: a brand, colleagues, briefs and pages that visitors see. */
export async function deskOf(client: Client, ownTrackId: string) {
  await call(client, "PATCH", "/app/account", {
    brand: { name: "Lind & Daughters", accent: "#2f8f5e", website: "https://example.com" },
  });
  for (const name of ["Jonas Weir", "Ida Berg"])
    await call(client, "POST", "/app/accounts", { name, email: `${name.split(" ")[0]}@example.com` });
  await call(client, "POST", "/app/composers", { fullName: "A. Berg", pro: "PRS" });
  const briefs = (await call(client, "GET", "/app/briefs")) as { id: string }[];
  const fullBriefId = briefs[0]?.id ?? "";
  const items = (await call(client, "GET", `/app/inbox?briefId=${fullBriefId}&limit=200`)) as {
    id: string;
  }[];
  const states = ["shortlisted", "kept", "passed"];
  for (const [at, { id }] of items.entries())
    if (at % 5 !== 4) await call(client, "PATCH", `/app/submissions/${id}`, { state: states[at % 3] });
  const { briefId, pages } = await briefWithMusic(client, ownTrackId);
  const share = async (body: object) =>
    (await call(client, "POST", "/app/shares", { trackId: ownTrackId, ...body })) as {
      id: string;
      url: string;
    };
  const [locked, over] = [await share({ password: "harbour town" }), await share({})];
  await call(client, "DELETE", `/app/shares/${over.id}`);
  const pathOf = (url: string) => new URL(url).pathname;
  return {
    briefId,
    fullBriefId,
    pages: {
      ...pages,
      password: pathOf(locked.url),
      ended: pathOf(over.url),
      unknown: "/track/nobody-has-it",
    },
  };
}

/** A receiver of webhooks that is out of order at its first event. */
export function failingOnce(): { url: string; port: number; stop: () => void } {
  let count = 0;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () =>
      ++count === 1 ? new Response("out of order", { status: 500 }) : new Response(null, { status: 204 }),
  });
  const port = server.port ?? 0;
  return { url: `http://127.0.0.1:${port}/dubplate`, port, stop: () => void server.stop(true) };
}

/** Has a receiver get a test event, which it refuses, and the same once more. */
export async function deliver(client: Client, url: string): Promise<void> {
  const key = (await call(client, "POST", "/integration/api-keys", { name: "Studio desk lamp" })) as {
    id: string;
  };
  const path = `/integration/api-keys/${key.id}/webhook`;
  await call(client, "POST", path, { url, active: true });
  await call(client, "POST", `${path}/test`);
  const first = async () =>
    ((await call(client, "GET", `${path}/deliveries`)) as { id: string; responseStatus: number | null }[])[0];
  while ((await first())?.responseStatus !== 500) await Bun.sleep(100);
  await call(client, "POST", `${path}/deliveries/${(await first())?.id}/redeliver`);
  while ((await first())?.responseStatus !== 204) await Bun.sleep(100);
  await call(client, "POST", `${path}/test`);
  while ((await first())?.responseStatus !== 204) await Bun.sleep(100);
}

/** Opens a brief, which somebody is asked for and three people send music to, of which one piece is shortlisted. */
async function briefWithMusic(client: Client, ownTrackId: string) {
  const { id } = (await call(client, "POST", "/app/briefs", {
    name: "Night drive, opening titles",
    description:
      "Dark and slow, synths rather than strings, no vocals. Around two minutes, with a place to fade.",
    contactEmail: "mara@example.com",
    status: "open",
  })) as { id: string };
  const { publicUrl } = (await call(client, "PATCH", `/app/briefs/${id}`, {
    publicPage: true,
    deadline: new Date(Date.now() + 3 * DAY_MS).toISOString(),
  })) as { publicUrl: string };
  await call(client, "POST", `/app/briefs/${id}/requests`, { name: "Ada Holm", email: "ada@example.com" });
  const submission = new URL(publicUrl).pathname;
  let thanks = "";
  for (const sender of SENDERS) thanks = await submit(`${client.address}${submission}`, sender);
  const { id: ownId } = (await call(client, "POST", `/app/briefs/${id}/submissions`, {
    trackId: ownTrackId,
  })) as { id: string };
  await call(client, "PATCH", `/app/submissions/${ownId}`, { state: "shortlisted" });
  const page = await (await fetch(new URL(thanks, client.address))).text();
  const receipt = /href="([^"]*\/submit\/receipt\/[^"]+)"/.exec(page)?.[1] ?? "";
  const draft = { name: "Summer adverts", status: "open", publicPage: true };
  const shut = (await call(client, "POST", "/app/briefs", draft)) as { id: string; publicUrl: string };
  await call(client, "PATCH", `/app/briefs/${shut.id}`, { status: "closed" });
  const closed = new URL(shut.publicUrl).pathname;
  const pages = { submission, thanks, receipt: new URL(receipt, client.address).pathname, closed };
  return { briefId: id, pages };
}

/** Sends a piece through the page of a brief, as a browser without JavaScript does. Returns the path of the page that follows. */
async function submit(
  page: string,
  { piece: at, file, name, message }: (typeof SENDERS)[number],
): Promise<string> {
  const piece = DEMO_PIECES[at];
  if (!piece) throw new RangeError(`There is no piece ${at}`);
  const { left, right } = mixPiece(piece);
  const softer = (samples: Float32Array) => samples.map((sample) => 0.7 * sample);
  const bytes = encodeWav({ left: softer(left), right: softer(right) }, []) as Uint8Array<ArrayBuffer>;
  const form = new FormData();
  form.set("name", name);
  form.set("email", `${name.split(" ")[0]?.toLowerCase()}@example.com`);
  form.set("message", message);
  form.append("files", new File([bytes], file));
  const response = await fetch(page, { method: "POST", body: form, redirect: "manual" });
  if (response.status !== 303) throw new Error(`${page} answered ${response.status}`);
  return response.headers.get("location") ?? "";
}
