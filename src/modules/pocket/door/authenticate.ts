import type { AttemptLimit } from "../../../kernel/attempt-limit.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { type Player, provePlayer, type Shown } from "../players/service.ts";
import type { Parameters } from "./parameters.ts";
import { Refusal } from "./refusal.ts";

/** Shorter salts are no salts. */
const LEAST_SALT = 6;

/**
 * Returns the player that a call comes from. A player shows its user name with a token or the password, or its API key; nothing else in
 * the program opens this door, and this password opens nothing else.
 *
 * @throws Refusal 10, 40, 43, 44; DomainError `rate_limit_exceeded` after ten wrong attempts of a client at a user name.
 */
export function authenticate(
  deps: Pick<Deps, "db" | "now" | "secrets">,
  { find }: Pick<Parameters, "find">,
  { wrong, client }: { wrong: AttemptLimit; client: string },
): Player {
  const apiKey = find("apiKey");
  if (apiKey !== undefined) {
    if (["u", "p", "t", "s"].some((name) => find(name) !== undefined))
      throw new Refusal("conflicting", "Send an API key alone, without a user name, password or token");
    const [username = "", secret = ""] = apiKey.split(".", 2);
    const player = prove(username, { secret });
    if (player) return player;
    throw new Refusal("wrongKey", "This API key is not valid");
  }
  const username = find("u");
  if (username === undefined) throw new Refusal("missing", "The parameter u is missing: the user name");
  const player = username.includes("@") ? undefined : prove(username, shownBy(find));
  if (player) return player;
  throw new Refusal(
    "wrongPassword",
    username.includes("@")
      ? "Use the user name and password of this app from Settings > Devices"
      : "Wrong user name or password",
  );

  function prove(username: string, shown: Shown | undefined): Player | undefined {
    const attempts = wrong(username.slice(0, 100), client);
    attempts.check();
    const player = shown && provePlayer(deps, username, shown);
    if (player) attempts.clear();
    else attempts.count();
    return player;
  }
}

/** @throws Refusal 10 when there is neither a token nor a password. */
function shownBy(find: Parameters["find"]): Shown | undefined {
  const [token, salt, password] = [find("t"), find("s"), find("p")];
  if (token !== undefined) {
    if (salt === undefined) throw new Refusal("missing", "The parameter s is missing: the salt of the token");
    return salt.length < LEAST_SALT ? undefined : { token, salt };
  }
  if (password === undefined)
    throw new Refusal("missing", "Send a token (t and s), a password (p) or an API key");
  return { secret: password.startsWith("enc:") ? fromHex(password.slice(4)) : password };
}

const fromHex = (hex: string): string =>
  /^([0-9a-f]{2})*$/i.test(hex) ? Buffer.from(hex, "hex").toString() : "";
