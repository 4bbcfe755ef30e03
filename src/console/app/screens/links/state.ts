import type { Data } from "../../api/routes.ts";

/** A link of the list. */
export type Link = Data<"GET /app/links/{id}">;

/** Whether a link opens its page, in a word. */
export type LinkState = "Live" | "Not open yet" | "Not shared" | "Off" | "Expired" | "Revoked" | "Used up";

/** Returns the state of a link. `active` is the server's word: its clock counts. */
export function stateOf(link: Link): LinkState {
  const { active, turned, revokedAt, maxUses, uses, notBefore, expiresAt } = link;
  if (revokedAt !== null) return "Revoked";
  if (turned !== "on") return turned === "off" ? "Off" : "Not shared";
  if (active) return "Live";
  if (maxUses !== null && uses >= maxUses) return "Used up";
  const now = Date.now();
  if (notBefore === null || (expiresAt !== null && Date.parse(expiresAt) <= now)) return "Expired";
  // Nothing tells the console when a link opens.
  return Date.parse(notBefore) > now ? "Not open yet" : "Live";
}

/** Returns the class of a state's word. */
export const stateClass = (state: LinkState): string =>
  `state state-${state.toLowerCase().replaceAll(" ", "-")}`;
