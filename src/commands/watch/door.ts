import { getAccountByEmail } from "../../modules/people/accounts/service.ts";
import type { Door } from "../../watch/door.ts";
import { localDoor } from "../../watch/local-door.ts";
import { type Remote, remoteDoor } from "../../watch/remote-door.ts";
import { type CommandContext, RefusedError, UsageError } from "../command.ts";

/** Options of commands that put files into a library here or on a server. */
export const DOOR_OPTIONS = {
  email: { type: "string" },
  url: { type: "string" },
  key: { type: "string" },
} as const;

type Values = Readonly<Record<string, unknown>>;

/**
 * Returns the library that the options name: the account's in this data folder, or the one that a key opens on a server. Without
 * `--url` and `--key`, `DUBPLATE_URL` and `DUBPLATE_API_KEY` say which server.
 *
 * @param tries How often a server that does not answer is asked.
 * @throws UsageError when both are named, or neither; RefusedError for an address that is not valid.
 */
export function openDoor(
  { open, remote }: CommandContext,
  values: Values,
  usage: string,
  tries: number,
): Door {
  const text = (name: string) => (typeof values[name] === "string" ? values[name] : undefined);
  const [email, givenUrl] = [text("email"), text("url")];
  if (email !== undefined) {
    if (givenUrl !== undefined || text("key") !== undefined) throw new UsageError(usage);
    const deps = open();
    return localDoor(deps, getAccountByEmail(deps, email).id);
  }
  const set = remote();
  const url = givenUrl ?? serverOf(set);
  const key = text("key") ?? set.apiKey;
  if (url === undefined || key === undefined) throw new UsageError(usage);
  return remoteDoor({ url: addressOf(url, "--url"), key, tries } satisfies Remote);
}

/** Returns the server that the environment names. */
export const serverOf = ({ url }: ReturnType<CommandContext["remote"]>) => url?.replace(/\/mcp$/, "");

/** Returns an address without slashes at its end. @throws RefusedError, which names the `option`, for another text. */
export function addressOf(text: string, option: string): string {
  const url = text.replace(/\/+$/, "");
  if (/^https?:\/\//.test(url) && URL.canParse(url)) return url;
  throw new RefusedError(`${option} must be an address that starts with http:// or https://`);
}
