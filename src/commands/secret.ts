import { withSentences } from "../library.ts";
import { resealAll } from "../sealed.ts";
import { rotateSecret } from "../store/rotation.ts";
import type { Command } from "./command.ts";

/** `secret rotate`: gives the library a new master secret. Audited. */
export const rotate: Command<"secret rotate"> = ({ open, print, say }) => {
  const deps = open();
  const sealed = withSentences(deps.settings, () => rotateSecret(deps, resealAll));
  print({ rotated: true, ...sealed });
  say(
    "Addresses of files that were signed before no longer work, and pages of links ask for their password again. " +
      "Earlier backups hold the earlier secret: make a new one. It also deletes master-secret.old.",
  );
};
