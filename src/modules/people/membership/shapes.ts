import { type Static, Type } from "@sinclair/typebox";
import { nullable, shape, Timestamp, withDefault } from "../../../http/envelope.ts";
import { pageFields } from "../../../http/page-query.ts";
import { MAX_LIVE_KEYS } from "../keys/shapes.ts";
import { Done, MAX_NAME, MAX_PASSWORD, MIN_PASSWORD, SignedIn } from "../people/shapes.ts";

/** The most characters of a link's token that are looked at, and of an id. */
const MAX_TOKEN = 100;
const MAX_ID = 100;

export const MemberAccess = shape(
  "MemberAccess",
  {
    keys: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          name: Type.String(),
          lastUsedAt: nullable(Timestamp),
          canKeep: Type.Boolean({
            description: "True when you have every scope of the key, so that it can go on under your name",
          }),
        },
        { description: "A key that the member made" },
      ),
      { description: "The keys that the member made" },
    ),
    programs: Type.Integer({ minimum: 0, description: "Connected programs that the member let in" }),
    players: Type.Integer({ minimum: 0, description: "Music apps of the member" }),
    uploads: Type.Integer({ minimum: 0, description: "Uploads of the member that are not finished" }),
    invitations: Type.Integer({ minimum: 0, description: "Open invitations that the member made" }),
  },
  { description: "What a removal of a member ends" },
);
export type MemberAccess = Static<typeof MemberAccess>;

export const RemoveMember = shape(
  "RemoveMember",
  {
    keepKeys: withDefault(
      Type.Array(Type.String({ maxLength: MAX_ID }), {
        maxItems: MAX_LIVE_KEYS,
        description: "Ids of keys that go on working, under your name",
      }),
      [],
    ),
  },
  { description: "How to remove a member" },
);
export type RemoveMember = Static<typeof RemoveMember>;

const Ended = shape(
  "EndedAccess",
  {
    sessions: Type.Integer({ minimum: 0, description: "Sessions that ended" }),
    keys: Type.Integer({ minimum: 0, description: "API keys that ended" }),
    programs: Type.Integer({ minimum: 0, description: "Connected programs that ended" }),
    players: Type.Integer({ minimum: 0, description: "Music apps that ended" }),
    uploads: Type.Integer({ minimum: 0, description: "Unfinished uploads that ended" }),
    invitations: Type.Integer({ minimum: 0, description: "Open invitations that ended" }),
  },
  { description: "What ended with a membership" },
);
export type Ended = Static<typeof Ended>;

export const RemovedMember = shape(
  "RemovedMember",
  { ended: Ended },
  { description: "The member is removed" },
);

export const DeleteAccount = shape(
  "DeleteAccount",
  {
    currentPassword: Type.Optional(
      Type.String({
        maxLength: MAX_PASSWORD,
        description: "Your password. Without it, a proof of the last ten minutes is needed",
      }),
    ),
  },
  { description: "A proof that it is you" },
);

export const HandOver = shape(
  "HandOver",
  {
    memberId: Type.String({
      maxLength: MAX_ID,
      description: "The member who becomes the owner",
      examples: ["mem_5hT9wQ2a"],
    }),
    currentPassword: Type.Optional(
      Type.String({
        maxLength: MAX_PASSWORD,
        description: "Your password; left out: a proof of the last ten minutes counts",
      }),
    ),
  },
  { description: "To whom the library is handed over" },
);
export type HandOver = Static<typeof HandOver>;

export const Join = shape(
  "Join",
  {
    token: Type.String({ maxLength: MAX_TOKEN, description: "The token in the link of the invitation" }),
    name: Type.Optional(
      Type.String({ minLength: 1, maxLength: MAX_NAME, description: "Your name; for a new sign-in" }),
    ),
    password: Type.Optional(
      Type.String({
        maxLength: MAX_PASSWORD,
        description: `A new password of at least ${MIN_PASSWORD} characters; or yours, if you have a sign-in and no session`,
      }),
    ),
  },
  { description: "How to join a library" },
);
export type Join = Static<typeof Join>;

export const Joined = Type.Union([SignedIn, Done], {
  description: "A session, as after signing in; only `ok` when the request was made in one",
});

export const LogQuery = Type.Object(pageFields);
export type LogQuery = Static<typeof LogQuery>;

export const LogEntry = shape(
  "LogEntry",
  {
    id: Type.String(),
    at: Timestamp,
    by: nullable(
      Type.Object(
        { id: Type.String(), name: Type.String() },
        { description: "Who did it; null: nobody who is a person, such as the end of a membership" },
      ),
    ),
    action: Type.String({ description: "For example `team.invite`; an open set", examples: ["team.invite"] }),
    sentence: Type.String({ description: "What happened", examples: ["Ana removed Ben"] }),
  },
  { description: "Something that happened in a library" },
);
export type LogEntry = Static<typeof LogEntry>;
