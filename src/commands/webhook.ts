import { Webhook } from "standardwebhooks";
import { type Command, type CommandContext, UsageError } from "./command.ts";
import {
  type BorrowedWebhook,
  borrowFromLibrary,
  borrowFromServer,
  type ServerDoor,
} from "./webhook/borrow.ts";

/** How many events are remembered to recognise repeated ones. */
const REMEMBERED = 10_000;
/** How long answers under way may take when the command is stopped. */
const ANSWERS_MS = 1000;

/**
 * `webhook listen`: receives deliveries on this machine, verifies them and prints them, one JSON object per line.
 * With `--key` it replaces the key's receiver while it runs. Only `--key` without `--url` opens the library. A server is
 * asked with the key itself, or with a session and the key's id.
 */
export const listenToWebhook: Command<"webhook listen"> = async (context) => {
  const { options: given } = context;
  if ((given.secret === undefined) === (given.key === undefined))
    throw new UsageError("Give --secret or --key, and not both");
  if (given.token !== undefined && given.url === undefined)
    throw new UsageError("--token is for the server of --url: give both, or neither");
  const key = given.key === undefined ? undefined : keyIn(given.key);
  if (given.url !== undefined && given.token === undefined && key?.whole === undefined)
    throw new UsageError("With --url, --key is the whole key, with what follows its point");

  // A library that cannot be opened is refused before anything listens.
  if (given.key !== undefined && given.url === undefined) context.open();

  const receive = createReceiver(context);
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: given.port,
    fetch: (request) => receive.take(request),
  });
  const address = `http://127.0.0.1:${server.port}/`;
  try {
    if (given.secret !== undefined) receive.trust(given.secret);
    await listen(context, { ...given, key }, { address, trust: receive.trust });
  } finally {
    // A printed event is answered too, or its sender would count a failure.
    await Promise.race([server.stop(), Bun.sleep(ANSWERS_MS)]);
    await server.stop(true);
  }
};

/** A key by its id, or the whole key: `<id>.<secret>`. */
type Key = { id: string; whole: string | undefined };

function keyIn(text: string): Key {
  const [id = "", secret] = text.split(".");
  return { id, whole: secret === undefined ? undefined : text };
}

type Given = { key: Key | undefined; url: string | undefined; token: string | undefined };

async function listen(
  context: Pick<CommandContext, "open" | "say" | "untilStopped">,
  { key, url, token }: Given,
  { address, trust }: { address: string; trust: (secret: string) => void },
): Promise<void> {
  const { say, untilStopped } = context;
  say(`Listening at ${address}   Stop with Ctrl-C.`);
  if (key === undefined) {
    say(
      `Set this address as a key's webhook. The server must allow it: NETWORK_ALLOW=${new URL(address).host}`,
    );
    await untilStopped();
    return;
  }
  const borrowed: BorrowedWebhook =
    url === undefined
      ? await borrowFromLibrary(context, key.id, address)
      : await borrowFromServer(doorOf(url, key, token), address);
  trust(borrowed.secret);
  say(
    `The webhook of ${key.id} leads here until this stops. The server must allow it: NETWORK_ALLOW=${new URL(address).host}`,
  );
  say("Send a test: POST /api/v1/webhook/test with the key");
  try {
    await untilStopped();
  } finally {
    say(await borrowed.giveBack());
  }
}

/** Returns where a server answers about the key's webhook, and what to send along. */
function doorOf(url: string, { id, whole = "" }: Key, token: string | undefined): ServerDoor {
  return token === undefined
    ? { url, path: "/api/v1/webhook", headers: { "x-api-key": whole } }
    : {
        url,
        path: `/integration/api-keys/${encodeURIComponent(id)}/webhook`,
        headers: { authorization: `Bearer ${token}` },
      };
}

/** Verifies and prints deliveries. Until it has a secret, it asks senders to try again. */
function createReceiver({ print, say }: Pick<CommandContext, "print" | "say">) {
  let webhook: Webhook | undefined;
  const seen = new Set<string>();

  const take = async (request: Request): Promise<Response> => {
    if (request.method !== "POST") return new Response("Deliveries are POSTed here\n", { status: 405 });
    if (!webhook) return new Response(null, { status: 503 });
    const text = await request.text();
    const deliveryId = request.headers.get("x-service-delivery-id");
    try {
      const event = webhook.verify(text, Object.fromEntries(request.headers)) as { id: string };
      print({ verified: true, repeated: seen.has(event.id), deliveryId, event });
      seen.add(event.id);
      const [first] = seen;
      if (seen.size > REMEMBERED && first !== undefined) seen.delete(first);
      return new Response(null, { status: 204 });
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error);
      say(`A request could not be verified: ${words}`);
      print({ verified: false, error: words, deliveryId });
      return new Response("The signature is not right\n", { status: 400 });
    }
  };
  return {
    take,
    trust: (secret: string) => {
      webhook = secretOf(secret);
    },
  };
}

function secretOf(secret: string): Webhook {
  try {
    return new Webhook(secret);
  } catch {
    throw new UsageError("The secret must be whsec_ followed by base64");
  }
}
