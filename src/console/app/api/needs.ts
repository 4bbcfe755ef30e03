import { GUEST_SCREENS, type Match, matchScreen, SCREENS } from "../../shared/addresses.ts";
import { can, isGuest, type Need } from "./library.ts";

// Screens are shared with the server's part of the console, which may not know the scopes.
SCREENS satisfies readonly { id: string; need?: Need }[];

/** True when the role allows what a screen shows. */
export const canSee = ({ id, need }: Match): boolean =>
  (!isGuest() || GUEST_SCREENS.includes(id)) && (need === undefined || can(need as Need));

/** True when the role allows what an address leads to, so that the way there is worth offering. */
export function canOpen(path: string): boolean {
  const match = matchScreen(path.replace(/\?.*$/, ""));
  return match === undefined || canSee(match);
}
