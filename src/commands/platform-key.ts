import { createPlatformKey, listPlatformKeys, revokeKey } from "../modules/keys/service.ts";
import { type Command, readOptions, UsageError, wholeNumber } from "./command.ts";
import { listOf } from "./key.ts";

const CREATE = "dubplate platform-key create --name N --scopes a,b --days n";
const LIST = "dubplate platform-key list";
const REVOKE = "dubplate platform-key revoke ID";

/** `platform-key create`, `list`, `revoke`: manages keys of partners that read across accounts. Audited. */
export const platformKey: Command = ({ open, args: [verb, ...args], print }) => {
  if (verb === "create") {
    const {
      name = "",
      scopes = "",
      days,
    } = readOptions(args, CREATE, { required: ["name", "scopes", "days"] });
    print(createPlatformKey(open(), { name, scopes: listOf(scopes), days: wholeNumber(days, CREATE) }));
    return;
  }
  if (verb === "list") {
    readOptions(args, LIST, {});
    for (const row of listPlatformKeys(open())) print(row);
    return;
  }
  const [id, ...rest] = args;
  if (verb !== "revoke" || id === undefined || rest.length > 0)
    throw new UsageError([CREATE, LIST, REVOKE].join("\n"));
  print(revokeKey(open(), null, id));
};
