import { setPassword as set } from "../../modules/people/accounts/service.ts";
import { MAX_PASSWORD, MIN_PASSWORD } from "../../modules/people/people/shapes.ts";
import { type Command, type CommandContext, RefusedError } from "../command.ts";

/** `account password`: sets a new password, and ends every session of the account. */
export const setPassword: Command<"account password"> = async ({ open, options, print, ask }) => {
  const password = await readPassword(undefined, ask);
  print(await set(open(), options.email, password));
};

/** Returns the given password, or asks for one. @throws RefusedError when it is too short or too long. */
export async function readPassword(given: string | undefined, ask: CommandContext["ask"]): Promise<string> {
  const password = given ?? (await ask("Password: "));
  if (password.length < MIN_PASSWORD)
    throw new RefusedError(`A password needs at least ${MIN_PASSWORD} characters`);
  if (password.length > MAX_PASSWORD)
    throw new RefusedError(`A password has at most ${MAX_PASSWORD} characters`);
  return password;
}
