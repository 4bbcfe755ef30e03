import { choice, duration, list, publicAddress, SettingError } from "./setting-values.ts";
import type { ProviderSettings, Settings } from "./settings.ts";
import { DAY_MS, HOUR_MS } from "./time.ts";

type Name =
  | "OIDC_ISSUER"
  | "OIDC_CLIENT_ID"
  | "OIDC_CLIENT_SECRET"
  | "OIDC_NAME"
  | "OIDC_JOIN"
  | "OIDC_SESSION"
  | "NETWORK_ALLOW";
type Read = (name: Name) => string | undefined;

/**
 * Reads whether people may have passkeys. One is bound to the host name of the pages, and browsers make one only where nobody can
 * read along.
 *
 * @throws SettingError where the address does not allow it.
 */
export function passkeys(isOn: boolean, publicUrl: string | undefined): boolean {
  const { protocol, hostname } = new URL(publicUrl ?? "http://127.0.0.1");
  const isName = !/^[\d.]+$|^\[/.test(hostname);
  if (!isOn || hostname === "localhost" || (protocol === "https:" && isName)) return isOn;
  throw new SettingError(
    "PASSKEYS needs a PUBLIC_URL that is https with a host name, or http://localhost: a passkey is bound to that name",
  );
}

const MAX_PROVIDED_MS = 90 * DAY_MS;

/**
 * Reads the house's own provider. Name, join and session are checked even where no issuer is set: a typing error should not wait
 * for it.
 *
 * @throws SettingError for values that are wrong, or wrong together.
 */
export function provider(read: Read): ProviderSettings | undefined {
  const joins = choice("OIDC_JOIN", read("OIDC_JOIN") ?? "invited", ["invited", "email"]);
  const sessionMs = duration("OIDC_SESSION", read("OIDC_SESSION") ?? "24h", HOUR_MS, MAX_PROVIDED_MS);
  const [issuer, clientId] = [read("OIDC_ISSUER"), read("OIDC_CLIENT_ID")];
  if (issuer === undefined) {
    if (clientId !== undefined) throw new SettingError("OIDC_CLIENT_ID needs OIDC_ISSUER");
    return undefined;
  }
  if (clientId === undefined)
    throw new SettingError("OIDC_ISSUER needs OIDC_CLIENT_ID: what this server is called at the provider");
  publicAddress("OIDC_ISSUER", issuer);
  const { protocol, host, hostname, search, hash } = new URL(issuer);
  const allowed = list(read("NETWORK_ALLOW"));
  if (search || hash || (protocol !== "https:" && !allowed.includes(host) && !allowed.includes(hostname)))
    throw new SettingError(
      "OIDC_ISSUER must be https, or http at a host in NETWORK_ALLOW, and have no query",
    );
  const clientSecret = read("OIDC_CLIENT_SECRET");
  return { issuer, clientId, clientSecret, name: read("OIDC_NAME") ?? host, joins, sessionMs };
}

/** People who have no password need another way in. @throws SettingError where there is none. */
export function checkWaysIn({ passwords, passkeys, provider: house, registrationOpen }: Settings): void {
  if (passwords) return;
  if (!passkeys && !house) throw new SettingError("PASSWORDS=off needs PASSKEYS=on or OIDC_ISSUER");
  if (registrationOpen)
    throw new SettingError("PASSWORDS=off needs REGISTRATION=closed: whoever registers chooses a password");
}
