/** Options or an answer of the Web Authentication API, as JSON. */
type Json = Record<string, unknown>;

/** True where the browser can have passkeys: not on plain http. */
export const hasPasskeys = (): boolean => "PublicKeyCredential" in globalThis;

/** Asks the person's devices to make a passkey. @throws DOMException `NotAllowedError` when the person would rather not. */
export async function createPasskey(options: Json): Promise<Json> {
  const publicKey = withBytes(options, ["user"], ["excludeCredentials"]);
  const made = await navigator.credentials.create({
    publicKey: publicKey as unknown as PublicKeyCredentialCreationOptions,
  });
  return asJson(made as PublicKeyCredential);
}

/** Asks the person's devices for a passkey of this server. @throws DOMException as {@link createPasskey}. */
export async function usePasskey(options: Json): Promise<Json> {
  const publicKey = withBytes(options, [], ["allowCredentials"]);
  const used = await navigator.credentials.get({
    publicKey: publicKey as unknown as PublicKeyCredentialRequestOptions,
  });
  return asJson(used as PublicKeyCredential);
}

/** True when the person closed the browser's dialog, or let it wait too long. */
export const isDismissed = (error: unknown): boolean =>
  error instanceof DOMException && (error.name === "NotAllowedError" || error.name === "AbortError");

/** `PublicKeyCredential.parseCreationOptionsFromJSON`, which browsers have only since 2025. */
function withBytes(options: Json, ids: readonly string[], lists: readonly string[]): Json {
  const withId = (each: unknown) => ({ ...(each as Json), id: bytesOf((each as { id: string }).id) });
  return {
    ...options,
    challenge: bytesOf(options.challenge as string),
    ...Object.fromEntries(ids.map((name) => [name, withId(options[name])])),
    ...Object.fromEntries(lists.map((name) => [name, ((options[name] ?? []) as unknown[]).map(withId)])),
  };
}

/** `PublicKeyCredential.toJSON`, which some password managers break. */
function asJson({ id, rawId, type, response }: PublicKeyCredential): Json {
  const { clientDataJSON } = response;
  const common = { clientDataJSON: textOf(clientDataJSON) };
  if (response instanceof AuthenticatorAttestationResponse) {
    const { attestationObject } = response;
    const transports = response.getTransports?.() ?? [];
    const made = { ...common, attestationObject: textOf(attestationObject), transports };
    return { id, rawId: textOf(rawId), type, response: made };
  }
  const { authenticatorData, signature, userHandle } = response as AuthenticatorAssertionResponse;
  const used = {
    ...common,
    authenticatorData: textOf(authenticatorData),
    signature: textOf(signature),
    userHandle: userHandle && textOf(userHandle),
  };
  return { id, rawId: textOf(rawId), type, response: used };
}

function bytesOf(base64url: string): Uint8Array {
  const binary = atob(base64url.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (char) => char.charCodeAt(0));
}

function textOf(bytes: ArrayBuffer): string {
  const binary = Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join("");
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
