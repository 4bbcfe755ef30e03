import type { OptionsOf } from "../command-line/commands.ts";
import type { Deps } from "../kernel/deps.ts";
import { giveLibrary, removeMember } from "../modules/people/membership/service.ts";
import { normaliseEmail } from "../modules/people/people/service.ts";
import {
  changeMember,
  invite,
  listInvitations,
  listTeam,
  operatorIn,
  ownerOf,
  type TeamActor,
  withdrawInvitation,
} from "../modules/people/team/service.ts";
import type { ChangeMember, Invite, Member } from "../modules/people/team/shapes.ts";
import { type Command, RefusedError, UsageError } from "./command.ts";

/** `account owner`: makes somebody the owner of a library. */
export const giveAccount: Command<"account owner"> = ({ open, options: { library, email }, print }) => {
  const deps = open();
  operatorOf(deps, library);
  const owner = giveLibrary(deps, library, email);
  print({ library, name: owner.name, email: owner.email });
};

/** `team list`: who is in a library, and who is invited. */
export const listTeamHere: Command<"team list"> = ({ open, options: { library }, print }) => {
  const deps = open();
  const operator = operatorOf(deps, library);
  for (const member of listTeam(deps, operator)) print(rowOf(member));
  for (const { by, createdAt, expiresAt, ...invitation } of listInvitations(deps, operator))
    print({ ...invitation, invitedAt: createdAt, linkEnds: expiresAt });
};

/** `team invite`: prints a link with which somebody joins. */
export const inviteHere: Command<"team invite"> = ({ open, options, print }) => {
  const deps = open();
  const wanted: Invite = {
    email: addressOf(options.email),
    role: options.role as Invite["role"],
    seesSplits: false,
  };
  const made = invite(deps, operatorOf(deps, options.library), { ...wanted, ...sightOf(options) });
  print({ id: made.id, email: made.email, role: made.role, url: made.url, expiresAt: made.expiresAt });
};

/** `team role`: changes what a member may do and see, and until when. */
export const changeRole: Command<"team role"> = ({ open, options, print }) => {
  const change: ChangeMember = {
    ...(options.role !== undefined && { role: options.role as Invite["role"] }),
    ...sightOf(options),
  };
  if (Object.keys(change).length === 0)
    throw new UsageError("Say what to change: --role, --splits, --listening or --until");
  const deps = open();
  const operator = operatorOf(deps, options.library);
  print(rowOf(changeMember(deps, operator, memberOf(deps, operator, options.email).id, change)));
};

/** `team remove`: takes a member out of a library, or an invitation back. */
export const removeHere: Command<"team remove"> = ({ open, options, print }) => {
  const deps = open();
  const operator = operatorOf(deps, options.library);
  const email = normaliseEmail(options.email);
  const invited = listInvitations(deps, operator).find((each) => each.email === email);
  if (invited && !findMember(deps, operator, email)) {
    withdrawInvitation(deps, operator, invited.id);
    return print({ id: invited.id, email, withdrawn: true });
  }
  const { id } = memberOf(deps, operator, email);
  print({ id, email, ...removeMember(deps, operator, id, { keepKeys: [] }) });
};

/** @throws RefusedError for no such library. */
function operatorOf({ db }: Deps, library: string): TeamActor {
  if (ownerOf(db, library) === undefined)
    throw new RefusedError(`There is no library ${library}: account list has their ids`);
  return operatorIn(library);
}

const findMember = (deps: Deps, operator: TeamActor, email: string) =>
  listTeam(deps, operator).find(({ person }) => person.email === normaliseEmail(email));

function memberOf(deps: Deps, operator: TeamActor, email: string): Member {
  const member = findMember(deps, operator, email);
  if (member) return member;
  throw new RefusedError(`Nobody with the address ${normaliseEmail(email)} is in this library`);
}

function addressOf(email: string): string {
  if (!/^[^@\s]+@[^@\s]+$/.test(email.trim())) throw new RefusedError("This is not an e-mail address");
  return email;
}

type Sight = Pick<OptionsOf<"team role">, "splits" | "listening" | "until">;

/** What else a member sees, and until when; what was not said stays. */
function sightOf({ splits, listening, until }: Sight) {
  return {
    ...(splits !== undefined && { seesSplits: splits === "on" }),
    ...(listening !== undefined && { seesListening: listening === "on" }),
    ...(until !== undefined && { until: until === "none" ? null : until }),
  };
}

function rowOf({
  id,
  person: { name, email },
  role,
  seesSplits,
  seesListening,
  joinedAt,
  until,
  lastSeenAt,
}: Member) {
  return { id, name, email, role, seesSplits, seesListening, joinedAt, until, lastSeenAt };
}
