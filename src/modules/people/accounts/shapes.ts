import { type Static, Type } from "@sinclair/typebox";
import { described, nullable, shape, Timestamp } from "../../../http/envelope.ts";
import { Brand, ChangeBrand } from "../brand/shapes.ts";
import { Email, MAX_NAME, MAX_PASSWORD, Password } from "../people/shapes.ts";
import { SignInWays } from "../signin/shapes.ts";

/** The most characters that it may have. */
export const MAX_SETUP_CODE = 40;
/** How long the link that confirms a new address works, and how long the old one may be told of it. */
export const ADDRESS_LINK_HOURS = 1;
export const ADDRESS_TOLD_HOURS = 24;
/** One of the sentences to senders. */
export const MAX_THANKS = 500;

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

export const ForgottenPassword = shape(
  "ForgottenPassword",
  { email: described(Email, "The address that the sign-in has") },
  { description: "Whose password is forgotten" },
);

/** An account, for its owner. */
const AssistantConfirm = Type.Union([Type.Literal("deletes"), Type.Literal("never")], {
  description:
    "`deletes`: before an assistant deletes something, its client asks the person, where it can; `never`: it is not asked to",
});

export const Account = shape(
  "OwnAccount",
  {
    id: Type.String(),
    name: Type.String(),
    email: Type.String(),
    newEmail: nullable(
      Type.String({
        description: "The address that counts once it is confirmed; null: none is awaited",
        examples: ["mara@label.example"],
      }),
    ),
    createdAt: Timestamp,
    isOperator: Type.Boolean({ description: "True for the account that may see and change the server" }),
    thanks: Thanks,
    assistantConfirm: AssistantConfirm,
    brand: Brand,
    signIn: SignInWays,
  },
  { description: "An account, as its owner sees it" },
);
/** The account itself, without what its pages show and what the server's settings say. */
export type Account = Omit<Static<typeof Account>, "brand" | "signIn">;

export const ChangeAccount = shape(
  "ChangeAccount",
  {
    name: Type.Optional(Type.String({ minLength: 1, maxLength: MAX_NAME })),
    email: Type.Optional(Email),
    currentPassword: Type.Optional(
      Type.String({
        maxLength: MAX_PASSWORD,
        description: "Your password. Without it, a new address needs a proof of the last ten minutes",
      }),
    ),
    thanks: Type.Optional(Type.Partial(Thanks, { description: "Sentences to change; the others stay" })),
    assistantConfirm: Type.Optional(AssistantConfirm),
    brand: Type.Optional(ChangeBrand),
  },
  { description: "What to change of your account" },
);
export type ChangeAccount = Omit<Static<typeof ChangeAccount>, "brand">;

export const ChangePassword = shape(
  "ChangePassword",
  {
    currentPassword: Type.Optional(
      Type.String({
        maxLength: MAX_PASSWORD,
        description: "The password until now. Without it, a proof of the last ten minutes is needed",
      }),
    ),
    newPassword: Password,
  },
  { description: "A new password, and the one until now" },
);
export type ChangePassword = Static<typeof ChangePassword>;

export const NewLibrary = shape(
  "NewLibrary",
  { name: Type.String({ minLength: 1, maxLength: MAX_NAME }) },
  { description: "A library to found, or the name that it is given" },
);
export const ChosenLibrary = shape(
  "ChosenLibrary",
  { id: Type.String() },
  { description: "The library to go on in" },
);
