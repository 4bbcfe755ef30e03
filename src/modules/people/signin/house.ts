import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { type ProviderSettings, publicUrlOf, type Settings } from "../../../kernel/settings.ts";
import { MINUTE_MS, SECOND_MS } from "../../../kernel/time.ts";
import { RequestError, type RequestOptions, requestOnce } from "../../../net/request.ts";
import type { Claims, Described, House, HouseRequest, Tie } from "./openid.ts";

/** Each request to the provider, and all that one sign-in takes together. */
const TIMEOUT_MS = 10 * SECOND_MS;
const TOGETHER_MS = 25 * SECOND_MS;
const MAX_ANSWER_BYTES = 2 ** 20;
/** The provider's description is asked for again after this long. */
const KEEP_MS = 10 * MINUTE_MS;

type HouseDeps = Pick<Deps, "now" | "log" | "settings">;

/** How requests go out; tests use their own. */
export type Outbound = Partial<Pick<RequestOptions, "ca" | "resolve">> & { timeoutMs?: number };

/** The house's own provider. */
export type Provider = {
  /** Returns where the browser goes to sign in, and what ties the answer to it. @throws as {@link Provider.redeem}. */
  begin: (isProof: boolean) => Promise<{ url: string; tie: Tie }>;
  /**
   * Returns who the provider's answer says has signed in.
   *
   * @throws DomainError `request_timeout` when the provider gives no answer; `invalid_credentials` for one that is not to be
   *   trusted, or with which it let nobody in.
   */
  redeem: (answer: URLSearchParams, tie: Tie) => Promise<Claims>;
};

/** @throws DomainError `not_found` where no provider is set. */
export function providerOf({ provider }: Settings): ProviderSettings {
  if (!provider) throw new DomainError("not_found", "This server does not use a sign-in provider");
  return provider;
}

/** Loaded when it is first needed: most servers use no provider. */
const library = () => import("./openid.ts");

/** Makes the provider of the settings. Nothing is asked of it before somebody signs in. */
export function createProvider(deps: HouseDeps, outbound: Outbound = {}): Provider {
  let known: { described: Promise<Described>; until: number } | undefined;

  /** Asks the provider once for all who come at the same time. */
  const describedBy = async (house: House): Promise<Described> => {
    if (!known || known.until <= deps.now()) {
      const described = library().then(({ describe }) => describe(house));
      known = { described, until: deps.now() + KEEP_MS };
      described.catch(() => {
        if (known?.described === described) known = undefined;
      });
    }
    return known.described;
  };

  const asked = async <Result>(
    ask: (house: House, described: Described, openid: Awaited<ReturnType<typeof library>>) => Promise<Result>,
  ): Promise<Result> => {
    const house = houseOf(deps, outbound);
    const openid = await library();
    try {
      return await ask(house, await describedBy(house), openid);
    } catch (error) {
      throw refusalOf(deps, house.settings, error, error instanceof openid.DeclinedError);
    }
  };

  return {
    begin: (isProof) =>
      asked(async (house, described, { newTie, authorizationUrl }) => {
        const tie = newTie();
        return { tie, url: await authorizationUrl(house, described, tie, isProof) };
      }),
    redeem: (answer, tie) => asked((house, described, { redeem }) => redeem(house, described, answer, tie)),
  };
}

function houseOf(deps: HouseDeps, { timeoutMs = TIMEOUT_MS, ...outbound }: Outbound): House {
  const signal = AbortSignal.timeout(TOGETHER_MS);
  return {
    settings: providerOf(deps.settings),
    redirectUri: `${publicUrlOf(deps.settings)}/auth/provider/callback`,
    now: deps.now,
    request: (url, { method, headers, body }: HouseRequest) =>
      requestOnce(deps, url, {
        method: method === "POST" ? "POST" : "GET",
        headers,
        ...(body && { body: String(body) }),
        timeoutMs,
        maxAnswerBytes: MAX_ANSWER_BYTES,
        signal,
        ...outbound,
      }),
  };
}

/** The log has what the operator needs; people get one sentence. */
function refusalOf(
  { log }: Pick<Deps, "log">,
  { name }: ProviderSettings,
  error: unknown,
  isDeclined: boolean,
): DomainError {
  const why = error instanceof Error ? error.message : String(error);
  if (isDeclined) {
    log("info", "The sign-in provider did not sign somebody in", { why });
    return refused(`${name} did not sign you in: try again, or sign in in another way`, error);
  }
  log("warn", "The answer of the sign-in provider was refused", { why });
  if (error instanceof RequestError || (error instanceof DOMException && error.name === "TimeoutError"))
    return new DomainError(
      "request_timeout",
      `${name} cannot be reached: try again later, or sign in in another way`,
      { cause: error },
    );
  return refused(`The answer of ${name} could not be verified: try again, or sign in in another way`, error);
}

const refused = (message: string, cause: unknown) =>
  new DomainError("invalid_credentials", message, { cause });
