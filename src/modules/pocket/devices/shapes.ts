import { type Static, Type } from "@sinclair/typebox";
import { nullable, shape, Timestamp } from "../../../http/envelope.ts";
import { DAY_MS } from "../../../kernel/time.ts";
import { MadeBy } from "../../people/people/shapes.ts";
import { MAX_COMMENT, MAX_POSITION_SEC } from "../../sharing/comments/shapes.ts";

/** The most devices of one person that keep music of a library. */
export const MAX_DEVICES = 20;
/** The most playlists and tracks that a device is to keep. */
export const MAX_WANTS = 200;
/** The most tracks that it has with them. */
export const MAX_KEPT_TRACKS = 5000;
const MAX_SENT = 100;
/** How long a device may play what it keeps without reaching the server. */
export const LEASE_MS = 30 * DAY_MS;
/** How long a device whose copies were withdrawn is known, so that it learns of it. */
export const WITHDRAWN_KEPT_DAYS = 120;
/** How long it is known that something was sent. */
export const SENT_KEPT_DAYS = 90;
const MAX_ID = 100;
const MAX_DEVICE_NAME = 60;
const MAX_ETAG = 100;
const MAX_ACCEPT = 500;

const Id = (description: string) => Type.String({ maxLength: MAX_ID, description });
const VersionId = Id("The version");
const TrackId = Id("The track");
const Name = Type.String({
  minLength: 1,
  maxLength: MAX_DEVICE_NAME,
  description: "The device, as its person calls it",
  examples: ["Pixel 9"],
});
const ETag = Type.String({
  maxLength: MAX_ETAG,
  description: "Its entity tag: another one is another file",
  examples: ['"m3Jw0cXn5Qy1bT8kZr2VfA"'],
});

export const DeviceParams = Type.Object({ id: Type.String() });
export const CreateDevice = shape(
  "CreateDevice",
  { name: Name },
  { description: "A device that is to keep music" },
);
const Token = Type.String({
  maxLength: MAX_ID,
  description: "What the device asks with whether its copies were withdrawn; shown only once",
  examples: ["9f0c1YbJm3Jw0cXn5Qy1bT8kZr2VfA7uQe4sLd6hKpE"],
});
export const CreatedDevice = shape(
  "CreatedDevice",
  { id: Type.String(), token: Token },
  { description: "A new device" },
);
export type CreatedDevice = Static<typeof CreatedDevice>;

export const Device = shape(
  "Device",
  {
    id: Type.String(),
    name: Name,
    tracks: Type.Integer({ minimum: 0, description: "How many tracks it has" }),
    bytes: Type.Integer({ minimum: 0, description: "How much room they take" }),
    createdAt: Timestamp,
    syncedAt: nullable(
      Type.String({ format: "date-time", description: "When it last reached the server; null: not yet" }),
    ),
    withdrawnAt: nullable(
      Type.String({
        format: "date-time",
        description: "Since when its copies are withdrawn; null: they are not",
      }),
    ),
    madeBy: MadeBy,
  },
  { description: "A device that keeps music" },
);
export type Device = Static<typeof Device>;

const Want = Type.Object(
  {
    entity: Type.Union([Type.Literal("track"), Type.Literal("playlist")], {
      description: "`track`, or `playlist`, which an album is too",
    }),
    id: Id("Which one"),
  },
  { description: "Something to keep" },
);
export const SyncDevice = shape(
  "SyncDevice",
  {
    wants: Type.Array(Want, { maxItems: MAX_WANTS, description: "What the device is to keep" }),
    has: Type.Array(
      Type.Object(
        { versionId: VersionId, etag: Type.Optional(ETag) },
        { description: "A version that it has; with the tag of its file, no address is made for that" },
      ),
      { maxItems: 2 * MAX_KEPT_TRACKS, description: "What it has whole" },
    ),
    bytes: Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: "How much room that takes",
    }),
  },
  { description: "What a device has, and what it is to keep" },
);
export type SyncDevice = Static<typeof SyncDevice>;
export const SyncQuery = Type.Object({
  accept: Type.Optional(
    Type.String({
      maxLength: MAX_ACCEPT,
      description:
        "The media types that the device plays, separated by commas, such as `audio/ogg,audio/mp4`",
    }),
  ),
});

const KeptAudio = Type.Object(
  {
    url: Type.Optional(
      Type.String({
        description: "Where it is for an hour; left out where the device has this file already",
      }),
    ),
    mediaType: Type.String({ description: "What it is", examples: ["audio/mp4"] }),
    sizeBytes: Type.Integer({ minimum: 0, description: "How long it is" }),
    etag: ETag,
  },
  { description: "The file to keep" },
);
export type KeptAudio = Static<typeof KeptAudio>;
const KeptTrack = Type.Object(
  {
    trackId: TrackId,
    versionId: VersionId,
    title: Type.String({ description: "Its title" }),
    artist: nullable(Type.String({ description: "Its artist" })),
    label: Type.String({ description: "What the version is called", examples: ["v3"] }),
    cover: nullable(Type.String({ description: "The address of its cover" })),
    durationSec: nullable(Type.Number({ minimum: 0, description: "Its length" })),
    gainDb: Type.Number({ description: "What brings it to the common loudness" }),
    hasOutline: Type.Boolean({
      description: "True once there is an outline of the version to be kept with it",
    }),
    audio: nullable(KeptAudio),
    retryAfterSec: nullable(
      Type.Integer({ minimum: 1, description: "When to ask again: what is to be kept is being made" }),
    ),
  },
  { description: "A track to keep" },
);
const KeptList = Type.Object(
  {
    id: Id("The playlist or album"),
    name: Type.String({ description: "Its name" }),
    trackIds: Type.Array(Type.String(), { description: "Its tracks in order" }),
  },
  { description: "A playlist or an album to keep" },
);
export const Synced = shape(
  "SyncedDevice",
  {
    leaseUntil: Type.String({
      format: "date-time",
      description: "Until when it may play what it keeps without reaching the server again",
    }),
    lists: Type.Array(KeptList, { description: "The playlists and albums that are wanted and there" }),
    tracks: Type.Array(KeptTrack, { description: "Everything to keep, each track once" }),
    hidden: Type.Array(
      Type.Object(
        { trackId: TrackId, title: Type.String({ description: "Its title" }) },
        { description: "A hidden track" },
      ),
      { description: "Tracks of what is wanted that are not kept, because they are hidden" },
    ),
    gone: Type.Array(Type.String(), {
      description: "Versions to delete",
      examples: [["ver_0198c0ffee0000000000000000000001"]],
    }),
  },
  { description: "What a device is to keep from now on" },
);
export type Synced = Static<typeof Synced>;

const sent = {
  id: Type.String({
    pattern: "^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$",
    description: "The device's own: a UUID. The same thing has the same one, however often it is sent",
    examples: ["2f1c9a58-6a1b-4f0e-9d0a-0c5b7a1e3d42"],
  }),
  trackId: TrackId,
  at: Type.String({ format: "date-time", description: "When it was, by the device's clock" }),
};
const OutboxItem = Type.Union(
  [
    Type.Object(
      {
        ...sent,
        kind: Type.Literal("listen", { description: "Something was heard" }),
        versionId: VersionId,
        heardSec: nullable(
          Type.Number({ minimum: 0, maximum: 1e6, description: "How much of it; null: not known" }),
        ),
      },
      { description: "Something was heard" },
    ),
    Type.Object(
      {
        ...sent,
        kind: Type.Literal("comment", { description: "Something was said" }),
        text: Type.String({ minLength: 1, maxLength: MAX_COMMENT, description: "What was said" }),
        positionSec: Type.Optional(
          Type.Number({ minimum: 0, maximum: MAX_POSITION_SEC, description: "At which moment" }),
        ),
      },
      { description: "Something was said" },
    ),
  ],
  { description: "Something that waited for a connection" },
);
export type OutboxItem = Static<typeof OutboxItem>;
export const SendOutbox = shape(
  "SendOutbox",
  { items: Type.Array(OutboxItem, { minItems: 1, maxItems: MAX_SENT, description: "Oldest first" }) },
  { description: "What a device kept to send later" },
);
const OutboxResult = Type.Object(
  {
    id: Type.String({ description: "The item's" }),
    outcome: Type.Union([Type.Literal("stored"), Type.Literal("known"), Type.Literal("refused")], {
      description: "`stored`; `known` from before; or `refused`, and why",
    }),
    code: nullable(Type.String({ description: "Why it was refused", examples: ["track_not_found"] })),
  },
  { description: "What became of an item" },
);
export type OutboxResult = Static<typeof OutboxResult>;
export const OutboxResults = shape(
  "OutboxResults",
  { results: Type.Array(OutboxResult, { description: "In the order of the items" }) },
  { description: "What became of each item" },
);

export const AskState = shape(
  "AskDeviceState",
  { id: Id("The device"), token: Token },
  { description: "Which device asks" },
);
export const DeviceState = shape(
  "DeviceState",
  {
    state: Type.Union([Type.Literal("live"), Type.Literal("withdrawn")], {
      description: "`live`, or `withdrawn`: it deletes what it keeps",
    }),
  },
  { description: "Whether a device may go on with its copies" },
);
