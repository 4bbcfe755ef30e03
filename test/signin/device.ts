import { createHash } from "node:crypto";

const b64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");
const sha = (data: Uint8Array | string) => createHash("sha256").update(data).digest();

/** CBOR of what a device sends. */
const head = (major: number, n: number) =>
  n < 24 ? [(major << 5) | n] : n < 256 ? [(major << 5) | 24, n] : [(major << 5) | 25, n >> 8, n & 255];
const cborBytes = (bytes: Uint8Array) => [...head(2, bytes.length), ...bytes];
const cborText = (text: string) => [...head(3, text.length), ...Buffer.from(text)];

/** What a device says that it should not. */
export type Wrong = {
  /** 0x05: somebody is there, and proved who they are. */
  flags?: number;
  counter?: number;
  origin?: string;
  rpId?: string;
  challenge?: string;
  type?: string;
  userHandle?: string;
  isSignatureChanged?: boolean;
  /** A certificate beside the statement of what made it. */
  hasCertificate?: boolean;
};

/** A device with one passkey, without a browser. */
export async function createDevice(origin: string) {
  const pair = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, [
    "sign",
    "verify",
  ]);
  const raw = new Uint8Array(await crypto.subtle.exportKey("raw", pair.publicKey));
  const point = [0x21, ...cborBytes(raw.slice(1, 33)), 0x22, ...cborBytes(raw.slice(33))];
  const cose = new Uint8Array([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, ...point]);
  const id = crypto.getRandomValues(new Uint8Array(32));
  let counter = 0;

  const authenticatorData = (wrong: Wrong, flags: number, attested: readonly number[] = []) => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(wrong.counter ?? counter);
    const rpId = wrong.rpId ?? new URL(origin).hostname;
    return new Uint8Array([...sha(rpId), wrong.flags ?? flags, ...count, ...attested]);
  };
  const clientData = (type: string, challenge: string, wrong: Wrong) =>
    Buffer.from(
      JSON.stringify({
        type: wrong.type ?? type,
        challenge: wrong.challenge ?? challenge,
        origin: wrong.origin ?? origin,
        crossOrigin: false,
      }),
    );
  const common = { id: b64(id), rawId: b64(id), type: "public-key", clientExtensionResults: {} };

  return {
    id: b64(id),
    /** Makes the passkey, for the options of the server. */
    create: (challenge: string, wrong: Wrong = {}) => {
      const made = authenticatorData(wrong, 0x45, [...new Uint8Array(16), 0, 32, ...id, ...cose]);
      const certificate = [0xa1, ...cborText("x5c"), 0x81, ...cborBytes(new Uint8Array(8))];
      const attestationObject = new Uint8Array([
        0xa3,
        ...[...cborText("fmt"), ...cborText(wrong.hasCertificate ? "packed" : "none")],
        ...[...cborText("attStmt"), ...(wrong.hasCertificate ? certificate : [0xa0])],
        ...[...cborText("authData"), ...cborBytes(made)],
      ]);
      const clientDataJSON = b64(clientData("webauthn.create", challenge, wrong));
      const transports = ["internal"];
      return {
        ...common,
        response: { clientDataJSON, attestationObject: b64(attestationObject), transports },
      };
    },
    /** Signs the challenge of the server. */
    sign: async (challenge: string, wrong: Wrong = {}) => {
      counter++;
      const data = authenticatorData(wrong, 0x05);
      const client = clientData("webauthn.get", challenge, wrong);
      const signed = await crypto.subtle.sign(
        { name: "ECDSA", hash: "SHA-256" },
        pair.privateKey,
        new Uint8Array([...data, ...sha(client)]),
      );
      const signature = derOf(new Uint8Array(signed));
      if (wrong.isSignatureChanged) signature[signature.length - 1] = (signature.at(-1) ?? 0) ^ 1;
      return {
        ...common,
        response: {
          clientDataJSON: b64(client),
          authenticatorData: b64(data),
          signature: b64(signature),
          ...(wrong.userHandle !== undefined && { userHandle: wrong.userHandle }),
        },
      };
    },
  };
}

function derOf(signature: Uint8Array): Uint8Array {
  const int = (part: Uint8Array) => {
    const from = part.findIndex((byte) => byte !== 0);
    const body = [...part.slice(from)];
    if ((body[0] ?? 0) > 127) body.unshift(0);
    return [2, body.length, ...body];
  };
  const both = [...int(signature.slice(0, 32)), ...int(signature.slice(32))];
  return new Uint8Array([0x30, both.length, ...both]);
}
