import type { MailSettings } from "../../../../kernel/settings.ts";
import { openTransport } from "./transport.ts";
import { wordsOf } from "./verdict.ts";

/** Connects to the relay and signs in, and sends nothing. Returns in words what it found. */
export async function checkRelay(relay: MailSettings): Promise<{ ok: boolean; words: string }> {
  const name = `${relay.host}:${relay.port}`;
  const transport = await openTransport(relay);
  try {
    await transport.verify();
    const secured = relay.isTls || relay.needsTls ? ", TLS is valid" : "";
    return { ok: true, words: `${name} answers${secured}${relay.user ? ", sign-in works" : ""}` };
  } catch (error) {
    return { ok: false, words: `${name}: ${wordsOf(error as Error)}` };
  } finally {
    transport.close();
  }
}
