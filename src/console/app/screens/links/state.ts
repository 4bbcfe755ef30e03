import type { Data } from "../../api/routes.ts";

/** A link of the list. */
export type Link = Data<"GET /app/links/{id}">;

/** Whether a link opens its page, in a word. */
export type LinkState = "Live" | "Not shared" | "Off" | "Expired" | "Revoked" | "Used up";

/** Returns the state of a link. `active` is the server's word: its clock counts. */
export function stateOf({ active, turned, revokedAt, maxUses, uses }: Link): LinkState {
  if (revokedAt !== null) return "Revoked";
  if (turned !== "on") return turned === "off" ? "Off" : "Not shared";
  if (active) return "Live";
  return maxUses !== null && uses >= maxUses ? "Used up" : "Expired";
}
