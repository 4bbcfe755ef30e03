import { createPlatformKey, listPlatformKeys, revokeKey } from "../modules/people/keys/service.ts";
import { byVerb, type Command, readArgument, readOptions, UsageError, wholeNumber } from "./command.ts";
import { listOf } from "./key.ts";

const CREATE = "dubplate platform-key create --name N --scopes a,b --days n";
/** Keys of partners always expire. */
const MAX_DAYS = 365;
const LIST = "dubplate platform-key list";
const REVOKE = "dubplate platform-key revoke ID";

const create: Command = ({ open, args, print }) => {
  const given = readOptions(args, CREATE, { required: ["name", "scopes", "days"] });
  const { name = "", scopes = "" } = given;
  const days = wholeNumber(given.days, CREATE);
  if (days < 1 || days > MAX_DAYS) throw new UsageError(`${CREATE}: 1 to ${MAX_DAYS} days`);
  print(createPlatformKey(open(), { name, scopes: listOf(scopes), days }));
};

const list: Command = ({ open, args, print }) => {
  readOptions(args, LIST, {});
  for (const row of listPlatformKeys(open())) print(row);
};

const revoke: Command = ({ open, args, print }) => {
  const { argument: id } = readArgument(args, REVOKE);
  print(revokeKey(open(), null, id));
};

/** `platform-key …`: keys of partners that read across accounts. Audited. */
export const platformKey = byVerb({
  create: { usage: CREATE, run: create },
  list: { usage: LIST, run: list },
  revoke: { usage: REVOKE, run: revoke },
});
