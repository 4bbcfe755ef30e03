import * as oauth from "oauth4webapi";
import type { ProviderSettings } from "../../../kernel/settings.ts";
import { type Now, SECOND_MS } from "../../../kernel/time.ts";

/** What the provider says of itself. */
export type Described = oauth.AuthorizationServer;

/** The provider as this server uses it. */
export type House = {
  settings: ProviderSettings;
  redirectUri: string;
  now: Now;
  /** Sends a request through the outbound door. */
  request: (url: string, init: HouseRequest) => Promise<Response>;
};
export type HouseRequest = {
  method?: string;
  headers: Readonly<Record<string, string>>;
  body?: string | URLSearchParams | null | undefined;
};

/** What ties an answer to the browser that asked. */
export type Tie = { state: string; nonce: string; verifier: string };

/** Who the provider says has signed in. */
export type Claims = {
  subject: string;
  /** Null: it did not say, or said it in another form than JSON's `true`. */
  confirmedEmail: string | null;
  /** As it said it, confirmed or not. */
  email: string | null;
  name: string | null;
  /** Epoch milliseconds; null: it did not say. */
  authenticatedAt: number | null;
};

/** The provider did not let the person in, or they would rather not. */
export class DeclinedError extends Error {
  override readonly name = "DeclinedError";
}

const SCOPE = "openid email profile";
/** With an age, however long, providers must say when somebody signed in there. */
const OLDEST_SEC = 90 * 24 * 3600;

export const newTie = (): Tie => ({
  state: oauth.generateRandomState(),
  nonce: oauth.generateRandomNonce(),
  verifier: oauth.generateRandomCodeVerifier(),
});

/** Reads what the provider says of itself. @throws Error when it is another one, or nobody can sign in with what it says. */
export async function describe(house: House): Promise<Described> {
  const { issuer } = house.settings;
  const url = new URL(issuer);
  const described = await oauth.processDiscoveryResponse(
    url,
    await oauth.discoveryRequest(url, { algorithm: "oidc", ...optionsOf(house) }),
  );
  // The library compares addresses, for which a slash at the end makes no difference. A name must be the same text.
  if (described.issuer !== issuer)
    throw new Error(`It calls itself ${described.issuer.slice(0, 200)}, which is not OIDC_ISSUER`);
  const { protocol } = new URL(described.authorization_endpoint ?? "");
  if (protocol !== "https:" && protocol !== url.protocol)
    throw new Error("Its authorization endpoint is not https");
  return described;
}

/** Returns where the browser goes to sign in; with `isProof`, the person must do so anew. */
export async function authorizationUrl(
  { settings, redirectUri }: House,
  described: Described,
  { state, nonce, verifier }: Tie,
  isProof: boolean,
): Promise<string> {
  const url = new URL(described.authorization_endpoint ?? "");
  const parameters = {
    client_id: settings.clientId,
    redirect_uri: redirectUri,
    response_type: "code",
    scope: SCOPE,
    state,
    nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    max_age: String(isProof ? 0 : OLDEST_SEC),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/**
 * Returns who the provider's answer says has signed in, after every check of it: state, `iss`, code with its verifier, and of the
 * ID token claims, nonce and signature.
 *
 * @throws DeclinedError when the provider let nobody in; Error when anything is wrong.
 */
export async function redeem(
  house: House,
  described: Described,
  answer: URLSearchParams,
  { state, nonce, verifier }: Tie,
): Promise<Claims> {
  const client = clientOf(house);
  const options = optionsOf(house);
  const code = readCode(described, client, answer, state);
  const response = await oauth.authorizationCodeGrantRequest(
    described,
    client,
    clientAuthOf(house.settings, described),
    code,
    house.redirectUri,
    verifier,
    options,
  );
  const tokens = await oauth.processAuthorizationCodeResponse(described, client, response, {
    expectedNonce: nonce,
    requireIdToken: true,
  });
  await oauth.validateApplicationLevelSignature(described, response, options);
  const claims = oauth.getValidatedIdTokenClaims(tokens);
  if (!claims) throw new Error("It sent no ID token");
  const shown = claims.email === undefined ? await userInfo(house, described, tokens, claims.sub) : claims;
  return {
    subject: claims.sub,
    email: textOf(shown.email),
    confirmedEmail: shown.email_verified === true ? textOf(shown.email) : null,
    name: textOf(shown.name),
    authenticatedAt: claims.auth_time === undefined ? null : claims.auth_time * SECOND_MS,
  };
}

function readCode(described: Described, client: oauth.Client, answer: URLSearchParams, state: string) {
  try {
    return oauth.validateAuthResponse(described, client, answer, state);
  } catch (error) {
    if (!(error instanceof oauth.AuthorizationResponseError)) throw error;
    throw new DeclinedError(`It answered ${error.error.slice(0, 100)}`, { cause: error });
  }
}

/** Many providers keep the address out of the ID token. */
async function userInfo(
  house: House,
  described: Described,
  { access_token: token }: oauth.TokenEndpointResponse,
  subject: string,
): Promise<oauth.UserInfoResponse | Record<string, never>> {
  if (described.userinfo_endpoint === undefined) return {};
  const client = clientOf(house);
  const response = await oauth.userInfoRequest(described, client, token, optionsOf(house));
  return oauth.processUserInfoResponse(described, client, subject, response);
}

function clientOf({ settings, now }: House): oauth.Client {
  // The library reads the machine's clock.
  return { client_id: settings.clientId, [oauth.clockSkew]: Math.round((now() - Date.now()) / SECOND_MS) };
}

/** RFC 8414: a provider that does not say takes the secret in the header. */
function clientAuthOf({ clientSecret }: ProviderSettings, described: Described): oauth.ClientAuth {
  if (clientSecret === undefined) return oauth.None();
  const methods = described.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  return methods.includes("client_secret_basic")
    ? oauth.ClientSecretBasic(clientSecret)
    : oauth.ClientSecretPost(clientSecret);
}

function optionsOf({ settings, request }: House) {
  return {
    [oauth.customFetch]: (url: string, { method, headers, body }: HouseRequest) =>
      request(url, { headers, ...(method !== undefined && { method }), ...(body && { body }) }),
    // The outbound door decides which hosts may have plain http.
    [oauth.allowInsecureRequests]: settings.issuer.startsWith("http:"),
  };
}

const textOf = (claim: unknown) => (typeof claim === "string" && claim.trim() !== "" ? claim.trim() : null);
