import { mixPiece } from "../../src/demo/mix.ts";
import { DEMO_PIECES } from "../../src/demo/pieces.ts";
import { encodeWav } from "../../src/demo/wav.ts";
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

/** Opens a brief, which somebody is asked for and three people send music to, of which one piece is shortlisted. */
export async function briefWithMusic(client: Client, ownTrackId: string): Promise<string> {
  const { id } = (await call(client, "POST", "/app/briefs", {
    name: "Night drive, opening titles",
    description:
      "Dark and slow, synths rather than strings, no vocals. Around two minutes, with a place to fade.",
    contactEmail: "mara@example.com",
    status: "open",
  })) as { id: string };
  const { publicUrl } = (await call(client, "PATCH", `/app/briefs/${id}`, {
    publicPage: true,
    deadline: "2099-12-24",
  })) as { publicUrl: string };
  await call(client, "POST", `/app/briefs/${id}/requests`, { name: "Ada Holm", email: "ada@example.com" });
  for (const sender of SENDERS) await submit(`${client.address}${new URL(publicUrl).pathname}`, sender);
  const { id: ownId } = (await call(client, "POST", `/app/briefs/${id}/submissions`, {
    trackId: ownTrackId,
  })) as { id: string };
  await call(client, "PATCH", `/app/submissions/${ownId}`, { state: "shortlisted" });
  return id;
}

/** Sends a piece through the page of a brief, as a browser without JavaScript does. */
async function submit(
  page: string,
  { piece: at, file, name, message }: (typeof SENDERS)[number],
): Promise<void> {
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
}
