import { root } from "../first-data.ts";
import { confirmFinal } from "../ui/dialog.tsx";
import { counted } from "../ui/numbers.ts";
import { dropShared, readShared } from "./shared.ts";

/**
 * Asks before signing out whether to discard what other apps shared and nobody has added: whoever signs in next would see it.
 * Returns whether to go on.
 */
export async function discardShared(): Promise<boolean> {
  const rows = await readShared(root);
  if (rows.length === 0) return true;
  const question = `Sign out and discard ${counted(rows.length, "shared file")}?`;
  const explanation = "Other apps shared them with Dubplate. They are not in your library yet.";
  const isSure = await confirmFinal(question, "Sign out and discard", explanation);
  if (isSure) await dropShared(rows);
  return isSure;
}
