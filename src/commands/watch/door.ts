import type { OptionsOf } from "../../command-line/commands.ts";
import { getAccountByEmail } from "../../modules/people/accounts/service.ts";
import type { Door } from "../../watch/door.ts";
import { localDoor } from "../../watch/local-door.ts";
import type { Remote } from "../../watch/remote.ts";
import { remoteDoor } from "../../watch/remote-door.ts";
import { type CommandContext, RefusedError, UsageError } from "../command.ts";

/** What `watch` and `send` say about the library that files go to. */
type Named = OptionsOf<"watch" | "send">;

/**
 * Returns the library that the options name: the account's in this data folder, or the one that a key opens on a server. Without
 * `--url` and `--key`, `DUBPLATE_URL` and `DUBPLATE_API_KEY` say which server.
 *
 * @param tries How often a server that does not answer is asked.
 * @throws UsageError when both are named, or neither; RefusedError for an address that is not valid.
 */
export function openDoor(
  { open, remote }: Pick<CommandContext, "open" | "remote">,
  { email, library, url: givenUrl, key: givenKey }: Pick<Named, "email" | "library" | "url" | "key">,
  tries: number,
): Door {
  if (email !== undefined) {
    if (givenUrl !== undefined || givenKey !== undefined)
      throw new UsageError(
        "--email is for the library here, --url and --key are for a server: leave one out",
      );
    const deps = open();
    return localDoor(deps, getAccountByEmail(deps, email, library).id);
  }
  const isNone = "Name the library: --email for the one here, or --url and --key for a server";
  return remoteDoor({ ...serverNamed({ remote }, { url: givenUrl, key: givenKey }, isNone), tries });
}

/**
 * Returns the server that the options name, or `DUBPLATE_URL` and `DUBPLATE_API_KEY`, without a slash at the end.
 *
 * @param isNone What to say when there is none.
 * @throws UsageError; RefusedError for an address that is not valid.
 */
export function serverNamed(
  { remote }: Pick<CommandContext, "remote">,
  given: { url?: string | undefined; key?: string | undefined },
  isNone = "Name the server: --url, or DUBPLATE_URL",
): Pick<Remote, "url" | "key"> {
  const set = remote();
  const url = given.url ?? serverOf(set);
  const key = given.key ?? set.apiKey;
  if (url === undefined) throw new UsageError(isNone);
  if (key === undefined) throw new UsageError("Name the key of the server: --key, or DUBPLATE_API_KEY");
  return { url: addressOf(url, "--url"), key };
}

/** Returns the server that the environment names. */
export const serverOf = ({ url }: ReturnType<CommandContext["remote"]>) => url?.replace(/\/mcp$/, "");

/** Returns an address without slashes at its end. @throws RefusedError, which names the `option`, for another text. */
export function addressOf(text: string, option: string): string {
  const url = text.replace(/\/+$/, "");
  if (/^https?:\/\//.test(url) && URL.canParse(url)) return url;
  throw new RefusedError(`${option} must be an address that starts with http:// or https://`);
}
