import { type Static, Type } from "@sinclair/typebox";
import { nullable, shape, Timestamp } from "../../../http/envelope.ts";
import { Brand, ChangeBrand } from "../brand/shapes.ts";

/** The most characters that each may have. */
export const MAX_EMAIL = 254;
export const MAX_NAME = 200;
export const MAX_PASSWORD = 200;
export const MAX_SETUP_CODE = 40;
/** One of the sentences to senders. */
export const MAX_THANKS = 500;
export const MIN_PASSWORD = 8;

/** A session ends this long after its last use, and in any case this long after it began. */
export const SESSION_IDLE_DAYS = 30;
export const SESSION_LONGEST_DAYS = 90;
/** How long a link that sets a new password works. */
export const RESET_LINK_HOURS = 1;

export const Email = Type.String({
  minLength: 3,
  maxLength: MAX_EMAIL,
  pattern: "^\\s*[^@\\s]+@[^@\\s]+\\s*$",
  description: "E-mail address",
});
export const Password = Type.String({
  minLength: MIN_PASSWORD,
  maxLength: MAX_PASSWORD,
  description: `At least ${MIN_PASSWORD} characters`,
});

export const Register = shape("Register", {
  email: Email,
  password: Password,
  name: Type.String({ minLength: 1, maxLength: MAX_NAME }),
  setupCode: Type.Optional(
    Type.String({
      maxLength: MAX_SETUP_CODE,
      description: "The one-time code printed at the first start; needed only for the first account",
    }),
  ),
});
export type Register = Static<typeof Register>;

export const Login = shape("Login", {
  email: Type.String({ maxLength: MAX_EMAIL }),
  password: Type.String({ maxLength: MAX_PASSWORD }),
});
export type Login = Static<typeof Login>;

export const User = shape("User", { id: Type.String(), email: Type.String(), name: Type.String() });

export const SignedIn = shape("SignedIn", {
  token: Type.String({ description: "Session token: send it as `Authorization: Bearer <token>`" }),
  expiresAt: Timestamp,
  user: User,
});
export type SignedIn = Static<typeof SignedIn>;

export const CurrentSession = shape("CurrentSession", {
  id: Type.String(),
  expiresAt: Timestamp,
  user: User,
});

export const SessionRow = shape("Session", {
  id: Type.String(),
  current: Type.Boolean(),
  userAgent: nullable(Type.String()),
  ip: nullable(Type.String()),
  createdAt: Timestamp,
  lastUsedAt: Timestamp,
  expiresAt: Timestamp,
});
export type SessionRow = Static<typeof SessionRow>;

const sentence = nullable(
  Type.String({
    maxLength: MAX_THANKS,
    description: "`{title}` is the song; null or blank: the console's own",
  }),
);

/** What the account tells senders, by what was decided about their music. */
const Thanks = shape(
  "Thanks",
  { new: sentence, shortlisted: sentence, passed: sentence, kept: sentence },
  { description: "What the account tells senders, by what was decided about their music" },
);
export type Thanks = Static<typeof Thanks>;

/** An account, for its owner. */
export const Account = shape(
  "OwnAccount",
  {
    id: Type.String(),
    name: Type.String(),
    email: Type.String(),
    createdAt: Timestamp,
    isOperator: Type.Boolean({ description: "True for the account that may see and change the server" }),
    thanks: Thanks,
    brand: Brand,
  },
  { description: "An account, for the person whose it is" },
);
/** The account itself, without what its pages show. */
export type Account = Omit<Static<typeof Account>, "brand">;

export const ChangeAccount = shape(
  "ChangeAccount",
  {
    name: Type.Optional(Type.String({ minLength: 1, maxLength: MAX_NAME })),
    email: Type.Optional(Email),
    currentPassword: Type.Optional(
      Type.String({ maxLength: MAX_PASSWORD, description: "Your password; a new address needs it" }),
    ),
    thanks: Type.Optional(Type.Partial(Thanks, { description: "Sentences to change; the others stay" })),
    brand: Type.Optional(ChangeBrand),
  },
  { description: "What to change of your account" },
);
export type ChangeAccount = Omit<Static<typeof ChangeAccount>, "brand">;

export const ChangePassword = shape(
  "ChangePassword",
  {
    currentPassword: Type.String({ maxLength: MAX_PASSWORD, description: "The password until now" }),
    newPassword: Password,
  },
  { description: "A new password, and the one until now" },
);
export type ChangePassword = Static<typeof ChangePassword>;

export const RevokeSessionsQuery = Type.Object({
  id: Type.Optional(
    Type.String({ description: "The session to end; leave it out to end every session but this one" }),
  ),
});

export const Done = shape("Done", { ok: Type.Literal(true) });
export const Revoked = shape("Revoked", {
  ok: Type.Literal(true),
  revoked: Type.Integer({ minimum: 0 }),
});
