import { toIso, toIsoOrNull } from "../kernel/time.ts";
import { getPersonByEmail, listPeople, setPersonActive } from "../modules/people/accounts/service.ts";
import { deletePerson } from "../modules/people/membership/service.ts";
import { normaliseEmail } from "../modules/people/people/service.ts";
import { type Command, type CommandContext, RefusedError } from "./command.ts";

/** `person list`: everybody who signs in, and where they are. */
export const listPeopleHere: Command<"person list"> = ({ open, print }) => {
  for (const { operator, createdAt, lastSeenAt, ...person } of listPeople(open()))
    print({
      ...person,
      createdAt: toIso(createdAt),
      lastSeenAt: toIsoOrNull(lastSeenAt),
      ...(operator && { operator }),
    });
};

/** `person block`: no sign-in, key or program of the person opens anything. */
export const block: Command<"person block"> = (context) => setActive(context, false);

/** `person unblock`: the person may sign in again, and their keys and programs work. */
export const unblock: Command<"person unblock"> = (context) => setActive(context, true);

function setActive(
  {
    open,
    options,
    print,
  }: Pick<CommandContext<"person block" | "person unblock">, "open" | "options" | "print">,
  active: boolean,
): void {
  const deps = open();
  const { id, email } = getPersonByEmail(deps, options.email);
  setPersonActive(deps, id, active);
  print({ email, active });
}

/** `person delete`: deletes a person, after their address was typed. */
export const deleteHere: Command<"person delete"> = async ({ open, options, print, say, ask }) => {
  const deps = open();
  const { id, email, name } = getPersonByEmail(deps, options.email);
  if (!options.yes) {
    say(`This deletes ${name} (${email}). What they made in libraries stays.`);
    if (normaliseEmail(await ask("Type the e-mail address to go on: ")) !== email)
      throw new RefusedError("The address is another one: nobody was deleted");
  }
  deletePerson(deps, id);
  print({ id, email });
};
