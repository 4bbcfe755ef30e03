import { rateLimitKey } from "../../../http/front/client-ip.ts";
import { op } from "../../../http/operation.ts";
import { stateOf } from "../../../http/request-state.ts";
import type { Visitors } from "../../../pages/visitor.ts";
import type { AccountLimits } from "../people/service.ts";
import { type Joining, join } from "./service.ts";
import { Join, Joined } from "./shapes.ts";

export type JoinParts = { visitors: Visitors; limits: AccountLimits };

/** Returns who asks to join. */
export function joiningOf(request: Request, { visitors, limits }: JoinParts): Joining {
  const { ip } = stateOf(request);
  return {
    session: visitors.personOf(request),
    client: { ip, userAgent: request.headers.get("user-agent") },
    links: limits.reset("", rateLimitKey(ip)),
    passwords: (email) => limits.signIn(email, rateLimitKey(ip)),
  };
}

export const joinOperation = (parts: JoinParts) =>
  op({
    at: "POST /auth/join",
    id: "join",
    isSecret: true,
    input: { body: Join },
    tag: "Sign-in",
    summary: "Join a library by an invitation",
    description:
      "Somebody new sends a name and a password, which are their sign-in from then on. Somebody who has a sign-in sends the request in a " +
      "session (then the answer is only `ok`), or with their password. The invitation is for its address only.",
    answer: Joined,
    refusals: [
      "invalid_link",
      "invalid_credentials",
      "invalid_transition",
      "password_sign_in_off",
      "team_full",
    ],
    run: async (deps, { body, request }) =>
      (await join(deps, body, joiningOf(request, parts))) ?? { ok: true as const },
  });
