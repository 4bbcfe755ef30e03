import type { CurrentLibrary } from "../../../modules/people/people/shapes.ts";
import { library, readRole } from "../api/library.ts";
import { readAll } from "../api/live.ts";
import { onChanged } from "../api/queries.ts";
import { toast } from "../ui/toast.tsx";

/** Follows the person's role: with another one, everything that shows is read again, and what it does not allow goes. */
export function followRole(): void {
  onChanged((topic) => topic === "team" && void readRole());
  let before = library.peek();
  library.subscribe((now) => {
    const said = changeOf(before, now);
    before = now;
    if (said === undefined) return;
    readAll();
    toast(said);
  });
}

function changeOf(
  before: CurrentLibrary,
  { name, role, scopes, powers }: CurrentLibrary,
): string | undefined {
  if (role !== before.role) return `You are ${ROLES[role]} in ${name} now`;
  const isSame = String([scopes, powers]) === String([before.scopes, before.powers]);
  return isSame ? undefined : `What you see in ${name} has changed`;
}

const ROLES: Readonly<Record<CurrentLibrary["role"], string>> = {
  owner: "the owner",
  manager: "a manager",
  producer: "a producer",
  artist: "an artist",
  listener: "a listener",
};
