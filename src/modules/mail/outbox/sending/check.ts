import type { MailSettings } from "../../../../kernel/settings.ts";
import { type Letter, openTransport, type Transport } from "./transport.ts";
import { wordsOf } from "./verdict.ts";

/** What a relay said to a test, in words. */
export type RelayTest = { ok: boolean; words: string };

/** Connects to the relay and signs in, and sends nothing. Returns in words what it found. */
export function checkRelay(relay: MailSettings): Promise<RelayTest> {
  return withRelay(relay, async (transport) => {
    await transport.verify();
    const secured = relay.isTls || relay.needsTls ? ", TLS is valid" : "";
    return ` answers${secured}${relay.user ? ", sign-in works" : ""}`;
  });
}

const NOTHING_TO_NOTE = { onOpen: () => undefined, onEnd: () => undefined };

/**
 * Hands one mail to the relay at once, beside the outbox: whoever asks for it waits for the answer, and nothing is lost when there
 * is none. Returns in words what the relay said.
 */
export function tryMail(relay: MailSettings, letter: Letter): Promise<RelayTest> {
  return withRelay(relay, async (transport) => {
    const bytes = await transport.build(letter);
    const { answer } = await transport.send({ id: letter.id, to: letter.to.email, bytes }, NOTHING_TO_NOTE);
    return ` took the mail: ${answer.replace(/\s+/g, " ").trim()}`;
  });
}

async function withRelay(
  relay: MailSettings,
  work: (transport: Transport) => Promise<string>,
): Promise<RelayTest> {
  const name = nameOf(relay);
  const transport = await openTransport(relay);
  try {
    return { ok: true, words: `${name}${await work(transport)}` };
  } catch (error) {
    return { ok: false, words: `${name}: ${wordsOf(error as Error)}` };
  } finally {
    transport.close();
  }
}

/** What a relay is called. Its address has a password, and is never shown. */
export const nameOf = ({ host, port }: Pick<MailSettings, "host" | "port">): string => `${host}:${port}`;
