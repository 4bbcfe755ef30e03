import { type Static, Type } from "@sinclair/typebox";
import { described, nullable, shape, Timestamp } from "../../../http/envelope.ts";
import { MAX_EMAIL, MAX_PASSWORD } from "../people/shapes.ts";

/** How many a person may have. */
export const MAX_PASSKEYS = 20;
/** The most characters of the name of a passkey. */
export const MAX_PASSKEY_NAME = 100;
/** How long what a browser was asked for may take. */
export const CHALLENGE_MINUTES = 5;
/** How many recovery codes are made at once, and the most characters of one as people write it. */
export const RECOVERY_CODES = 10;
export const MAX_RECOVERY_CODE = 40;
/** How long a sign-in by the provider may take. */
export const PROVIDER_FLOW_MINUTES = 10;
/** The most characters of one part of what a device answers, of a credential's id and of a flow's token. */
const MAX_PART = 16_384;
const MAX_ID = 1400;
const MAX_FLOW = 100;
/** The ways in which a browser reaches a device, and the characters of one. */
const MAX_TRANSPORTS = 10;
const MAX_TRANSPORT = 30;

/** Browsers add fields over the years. */
const open = { additionalProperties: true } as const;

const Part = Type.String({
  maxLength: MAX_PART,
  pattern: "^[\\w-]+$",
  description: "Bytes as base64url",
  examples: ["eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0"],
});
const Id = Type.String({
  maxLength: MAX_ID,
  pattern: "^[\\w-]+$",
  description: "Id of the passkey, base64url",
  examples: ["WEYeUKQxYVunDlbwmzXUzO90twfQbwGxlNl3z5Di7os"],
});
const FlowToken = Type.String({
  maxLength: MAX_FLOW,
  description: "The attempt: as it came with the options. It works once, for five minutes",
  examples: ["mJ2xY7kQwT9vB4nR8sL1cF6hD3pZ0aGeUiOyXtWqVrE"],
});

const common = {
  id: Id,
  rawId: Id,
  type: Type.Literal("public-key", { description: "What kind of credential it is" }),
};

/** What a device signs a person in with, as `PublicKeyCredential.toJSON()` writes it. */
const Assertion = shape(
  "PasskeyAssertion",
  {
    ...common,
    response: Type.Object(
      {
        clientDataJSON: Part,
        authenticatorData: Part,
        signature: Part,
        userHandle: Type.Optional(described(nullable(Part), "Whose passkey it is, as the device says")),
      },
      { ...open, description: "What the device signed" },
    ),
  },
  { ...open, description: "`PublicKeyCredential.toJSON()` of `navigator.credentials.get()`" },
);
export type Assertion = Static<typeof Assertion>;

/** A new passkey, as `PublicKeyCredential.toJSON()` writes it. */
const Attestation = shape(
  "PasskeyAttestation",
  {
    ...common,
    response: Type.Object(
      {
        clientDataJSON: Part,
        attestationObject: Part,
        transports: Type.Optional(
          Type.Array(Type.String({ maxLength: MAX_TRANSPORT }), {
            maxItems: MAX_TRANSPORTS,
            description: "How browsers reach the device",
            examples: [["internal"]],
          }),
        ),
      },
      { ...open, description: "What the device made" },
    ),
  },
  { ...open, description: "`PublicKeyCredential.toJSON()` of `navigator.credentials.create()`" },
);
export type Attestation = Static<typeof Attestation>;

export const PasskeyOptions = shape(
  "PasskeyOptions",
  {
    flow: FlowToken,
    options: Type.Record(Type.String(), Type.Unknown(), {
      description:
        "For `navigator.credentials`; `PublicKeyCredential.parseCreationOptionsFromJSON()` and its like read it",
      examples: [{ challenge: "q4J8fPzvG2mJk7cT1xYwB9nR5sL0dE3hA6uKoViZtXc", rpId: "music.example" }],
    }),
  },
  { description: "What a browser asks the devices of a person for" },
);
export type PasskeyOptions = Static<typeof PasskeyOptions>;

export const PasskeySignIn = shape(
  "PasskeySignIn",
  { flow: FlowToken, credential: Assertion },
  { description: "What a device answered" },
);
export type PasskeySignIn = Static<typeof PasskeySignIn>;

const RecoveryCode = Type.String({
  maxLength: MAX_RECOVERY_CODE,
  description: "A recovery code: each works once",
  examples: ["K7QF-2M9X-TB4H-J2PW"],
});

export const Proof = shape(
  "Proof",
  {
    password: Type.Optional(Type.String({ maxLength: MAX_PASSWORD })),
    flow: Type.Optional(FlowToken),
    credential: Type.Optional(Assertion),
    recoveryCode: Type.Optional(RecoveryCode),
  },
  { description: "Your password, what a device with a passkey of yours answered, or a recovery code" },
);
export type Proof = Static<typeof Proof>;

export const RecoverySignIn = shape(
  "RecoverySignIn",
  { email: Type.String({ maxLength: MAX_EMAIL }), code: RecoveryCode },
  { description: "A recovery code in the place of a password" },
);
export type RecoverySignIn = Static<typeof RecoverySignIn>;

export const RecoveryCodes = shape(
  "RecoveryCodes",
  {
    left: Type.Integer({ minimum: 0, description: "How many have not been used" }),
    createdAt: nullable(Timestamp),
  },
  { description: "How many recovery codes a person has left" },
);
export type RecoveryCodes = Static<typeof RecoveryCodes>;

export const RecoveryCodesMade = shape(
  "RecoveryCodesMade",
  { codes: Type.Array(RecoveryCode, { description: "Shown this once" }) },
  { description: "New recovery codes, in the place of the earlier ones" },
);

/** The house's own provider, and whether the person uses it. */
const ProviderSignIn = shape(
  "ProviderSignIn",
  {
    name: Type.String({ description: "What people call the provider", examples: ["Example ID"] }),
    connected: nullable(
      Type.Object(
        {
          email: nullable(Type.String({ description: "As the provider said it last" })),
          createdAt: Timestamp,
          lastUsedAt: nullable(Timestamp),
        },
        { description: "The account there that signs the person in" },
      ),
    ),
  },
  { description: "The house's own sign-in provider" },
);
export type ProviderSignIn = Static<typeof ProviderSignIn>;

/** How a person may sign in. */
export const SignInState = shape(
  "SignInState",
  {
    hasPassword: Type.Boolean({ description: "The person has a password, and it counts on this server" }),
    mayHavePassword: Type.Boolean({
      description: "False where only the operator signs in with a password, and the person is not it",
    }),
    provider: described(nullable(ProviderSignIn), "Null where the operator has set none"),
  },
  { description: "How a person may sign in" },
);
export type SignInState = Static<typeof SignInState>;

const Name = Type.String({
  minLength: 1,
  maxLength: MAX_PASSKEY_NAME,
  description: "What you call it, such as its device",
  examples: ["Studio laptop"],
});

export const MadePasskey = shape(
  "MadePasskey",
  { flow: FlowToken, credential: Attestation, name: Type.Optional(Name) },
  { description: "A passkey that a device has made, to be kept. Without a name it has that of the browser" },
);
export type MadePasskey = Static<typeof MadePasskey>;

export const ChangePasskey = shape("ChangePasskey", { name: Name }, { description: "Another name for it" });

export const PasskeyParams = Type.Object({ id: Id });

export const Passkey = shape(
  "Passkey",
  {
    id: Id,
    name: Name,
    createdAt: Timestamp,
    lastUsedAt: nullable(Timestamp),
    backedUp: Type.Boolean({
      description: "True when an account of the device's maker keeps it, so that it survives the device",
    }),
  },
  { description: "A key in somebody's device, with which they sign in" },
);
export type Passkey = Static<typeof Passkey>;

/** How people may sign in on this server. */
export const SignInWays = shape(
  "SignInWays",
  { passkeys: Type.Boolean({ description: "True where people may sign in with a passkey" }) },
  { description: "How people may sign in on this server, beside a password" },
);

export const ProviderAddress = shape(
  "ProviderAddress",
  {
    url: Type.String({
      description: "Where the browser goes",
      examples: ["https://music.example/auth/provider"],
    }),
  },
  { description: "Where a browser goes to connect the provider" },
);
