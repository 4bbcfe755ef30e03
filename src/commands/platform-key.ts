import { createPlatformKey, listPlatformKeys, revokeKey } from "../modules/people/keys/service.ts";
import type { Command } from "./command.ts";
import { listOf } from "./key.ts";

/** `platform-key create`: a key of a partner that reads across accounts. Audited. */
export const createPlatformKeyHere: Command<"platform-key create"> = ({ open, options, print }) => {
  const { name, scopes, days } = options;
  print(createPlatformKey(open(), { name, scopes: listOf(scopes), days }));
};

export const listPlatformKeysHere: Command<"platform-key list"> = ({ open, print }) => {
  for (const row of listPlatformKeys(open())) print(row);
};

/** `platform-key revoke`. Audited. */
export const revokePlatformKeyHere: Command<"platform-key revoke"> = ({ open, words: [id = ""], print }) =>
  print(revokeKey(open(), null, id));
