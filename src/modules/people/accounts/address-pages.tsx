/** @jsxRuntime automatic @jsxImportSource preact */
import { rateLimitKey } from "../../../http/front/client-ip.ts";
import { stateOf } from "../../../http/request-state.ts";
import { type Route, route } from "../../../http/route.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { Button, ButtonLink } from "../../../pages/components.tsx";
import { formReader } from "../../../pages/form.ts";
import { asPage, messageResponse } from "../../../pages/message.tsx";
import { pageRootOf } from "../../../pages/paths.ts";
import { isFromOwnPage, type Visitors } from "../../../pages/visitor.ts";
import type { AccountLimits } from "../people/service.ts";
import { confirmAddress, getAddressChange } from "./address.ts";

const readConfirmation = formReader("token");

/**
 * `/confirm-address`: whoever reads the mail of a new address confirms it, in whatever browser. Opening the page changes nothing,
 * since programs open links.
 */
export const addressPages = (deps: Deps, visitors: Visitors, limits: AccountLimits): Route[] => {
  const root = pageRootOf(deps.settings);
  const attemptsOf = (request: Request) => limits.reset("", rateLimitKey(stateOf(request).ip));

  /** Shows the page of a link that does not work as such. */
  const answer = (handler: () => Response | Promise<Response>) =>
    asPage(root, async () => {
      try {
        return await handler();
      } catch (thrown) {
        if (!(thrown instanceof DomainError) || thrown.code !== "invalid_link") throw thrown;
        const lead = "It has been used or has expired. Change your address in the settings once more.";
        return messageResponse({ title: "This link does not work", lead, status: 410, root });
      }
    });

  return [
    route({
      at: "GET /confirm-address",
      run: ({ request }) =>
        answer(() => {
          const token = new URL(request.url).searchParams.get("token") ?? "";
          const { email } = getAddressChange(deps, token, attemptsOf(request));
          return messageResponse({
            title: "Is this your address?",
            lead: `Confirm that ${email} is yours. You sign in with it from then on.`,
            root,
            children: (
              <form method="post" action={`${root}/confirm-address`}>
                <input type="hidden" name="token" value={token} />
                <Button>Confirm this address</Button>
              </form>
            ),
          });
        }),
    }),
    route({
      at: "POST /confirm-address",
      run: ({ request }) =>
        answer(async () => {
          if (!isFromOwnPage(visitors, request))
            throw new DomainError("origin_not_allowed", "Please use the form on the page of this server");
          const token = (await readConfirmation(request)).get("token") ?? "";
          const { email } = confirmAddress(deps, token, attemptsOf(request));
          return messageResponse({
            title: "That is your address now",
            lead: `You sign in with ${email} from now on. Where you are signed in, you stay so.`,
            root,
            children: <ButtonLink href={`${root}/`}>Open the library</ButtonLink>,
          });
        }),
    }),
  ];
};
