import "reflect-metadata"; // before the library: one below it ends the compiled program without it
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import { decodeAttestationObject } from "@simplewebauthn/server/helpers";
import type { PasskeyRow } from "./queries.ts";
import type { Assertion, Attestation } from "./shapes.ts";

/** The server, as passkeys know it. */
export type Party = { rpId: string; origin: string };

type Transports = NonNullable<
  NonNullable<Parameters<typeof generateAuthenticationOptions>[0]["allowCredentials"]>[number]["transports"]
>;
type Owner = { id: string; email: string; name: string };

/** Returns what a browser makes a passkey from: one that needs no address, and that only its owner can use. */
export function creationOptions(
  { rpId }: Party,
  { id, email, name }: Owner,
  known: readonly Pick<PasskeyRow, "id" | "transports">[],
  timeout: number,
) {
  return generateRegistrationOptions({
    rpName: "Dubplate",
    rpID: rpId,
    userID: new TextEncoder().encode(id),
    userName: email,
    userDisplayName: name,
    timeout,
    attestationType: "none",
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    excludeCredentials: known.map((each) => ({ id: each.id, transports: each.transports as Transports })),
  });
}

export const requestOptions = ({ rpId }: Party, timeout: number) =>
  generateAuthenticationOptions({ rpID: rpId, userVerification: "required", timeout });

/** Returns a new passkey; undefined when the answer is not one that was made here, for this challenge. */
export async function readCreated(
  { rpId, origin }: Party,
  challenge: string,
  { id, rawId, response }: Attestation,
) {
  try {
    // The library would ask the address in a certificate whether that is still valid. We ask for none, and read none.
    const statement = decodeAttestationObject(bytesOf(response.attestationObject)).get("attStmt");
    if (statement.get("x5c") !== undefined) return undefined;
    const { clientDataJSON, attestationObject, transports = [] } = response;
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        id,
        rawId,
        type: "public-key",
        clientExtensionResults: {},
        response: { clientDataJSON, attestationObject, transports: transports as Transports },
      },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
    });
    if (!verified || !registrationInfo) return undefined;
    const { credential, credentialBackedUp } = registrationInfo;
    const { publicKey, counter } = credential;
    return {
      id: credential.id,
      publicKey: Buffer.from(publicKey),
      counter,
      transports,
      backedUp: credentialBackedUp,
    };
  } catch {
    return undefined; // the library throws for whatever is wrong
  }
}

/** Returns what the device says after signing in; undefined when it does not prove who uses it. */
export async function readUsed(
  { rpId, origin }: Party,
  challenge: string,
  { id, rawId, response }: Assertion,
  passkey: PasskeyRow,
) {
  try {
    const { clientDataJSON, authenticatorData, signature } = response;
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id,
        rawId,
        type: "public-key",
        clientExtensionResults: {},
        response: { clientDataJSON, authenticatorData, signature },
      },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
      credential: { id: passkey.id, publicKey: new Uint8Array(passkey.publicKey), counter: passkey.counter },
    });
    if (!verified) return undefined;
    const { newCounter, credentialBackedUp } = authenticationInfo;
    return { id: passkey.id, counter: newCounter, backedUp: credentialBackedUp };
  } catch {
    return undefined;
  }
}

const bytesOf = (base64url: string) => new Uint8Array(Buffer.from(base64url, "base64url"));
