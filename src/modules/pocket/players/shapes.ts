import { type Static, Type } from "@sinclair/typebox";
import { nullable, shape, Timestamp } from "../../../http/envelope.ts";
import { MadeBy } from "../../people/people/shapes.ts";

/** The most music apps of one person in a library. */
export const MAX_PLAYERS = 20;
/** Characters. */
export const MAX_PLAYER_NAME = 60;

const Name = Type.String({
  minLength: 1,
  maxLength: MAX_PLAYER_NAME,
  description: "Where it plays, in your words",
  examples: ["Car"],
});
const Sound = Type.Union([Type.Literal("small"), Type.Literal("original")], {
  description: "What it is sent: `small` renditions that play everywhere, or `original` files",
});
const Username = Type.String({ description: "Its user name", examples: ["car-kz4m"] });
const Server = Type.String({
  description: "The address to type into an app",
  examples: ["https://music.example"],
});

export const CreatePlayer = shape(
  "CreatePlayer",
  { name: Name, sound: Type.Optional(Sound) },
  { description: "A music app to let in" },
);
export type CreatePlayer = Static<typeof CreatePlayer>;
export const ChangePlayer = shape(
  "ChangePlayer",
  { name: Type.Optional(Name), sound: Type.Optional(Sound) },
  { description: "What to change of a music app" },
);
export type ChangePlayer = Static<typeof ChangePlayer>;
export const LetMusicApps = shape(
  "LetMusicApps",
  { isOn: Type.Boolean({ description: "Music apps get in" }) },
  { description: "Whether music apps get into the library" },
);
export const PlayerParams = Type.Object({ id: Type.String() });

const passwordFields = {
  username: Username,
  password: Type.String({ description: "Its password", examples: ["6b0qk2ctn94hv7m3xjrd"] }),
  apiKey: Type.String({
    description: "`<USER_NAME>.<PASSWORD>`, for apps that take an API key",
    examples: ["car-kz4m.6b0qk2ctn94hv7m3xjrd"],
  }),
};
export const PlayerPassword = shape("PlayerPassword", passwordFields, {
  description: "What a music app signs in with",
});
export type PlayerPassword = Static<typeof PlayerPassword>;
export const CreatedPlayer = shape(
  "CreatedPlayer",
  { id: Type.String(), server: Server, ...passwordFields },
  { description: "A new music app, and what it signs in with" },
);
export type CreatedPlayer = Static<typeof CreatedPlayer>;

const ListedPlayer = shape(
  "Player",
  {
    id: Type.String(),
    name: Name,
    username: Username,
    sound: Sound,
    client: nullable(
      Type.String({ description: "What the app that called last says it is", examples: ["Amperfy"] }),
    ),
    createdAt: Timestamp,
    lastUsedAt: nullable(Timestamp),
    madeBy: MadeBy,
    isOwn: Type.Boolean({ description: "Yours: nobody sees the password of somebody else" }),
  },
  { description: "A music app of a member" },
);
export type ListedPlayer = Static<typeof ListedPlayer>;
export const Players = shape(
  "Players",
  {
    isOn: Type.Boolean({ description: "Music apps get in" }),
    canReveal: Type.Boolean({ description: "Passwords can be shown again" }),
    server: Server,
    items: Type.Array(ListedPlayer, { description: "Newest first" }),
  },
  { description: "The music apps of a library" },
);
