import { setPassword as set } from "../../modules/people/accounts/service.ts";
import { type Command, type CommandContext, RefusedError } from "../command.ts";

const MIN_CHARACTERS = 8;
/** The same limits as on the pages, because the sign-in form must accept the password. */
const MAX_CHARACTERS = 200;

/** `account password`: sets a new password, and ends every session of the account. */
export const setPassword: Command<"account password"> = async ({ open, options, print, ask }) => {
  const password = await readPassword(undefined, ask);
  print(await set(open(), options.email, password));
};

/** Returns the given password, or asks for one. @throws RefusedError when it is too short or too long. */
export async function readPassword(given: string | undefined, ask: CommandContext["ask"]): Promise<string> {
  const password = given ?? (await ask("Password: "));
  if (password.length < MIN_CHARACTERS)
    throw new RefusedError(`A password needs at least ${MIN_CHARACTERS} characters`);
  if (password.length > MAX_CHARACTERS)
    throw new RefusedError(`A password has at most ${MAX_CHARACTERS} characters`);
  return password;
}
