import { type Static, Type } from "@sinclair/typebox";
import { described, nullable, shape, Timestamp } from "../../../http/envelope.ts";
import { spelt } from "../../../kernel/text.ts";
import { ReadinessCounts } from "../../library/readiness/shapes.ts";
import { MadeBy } from "../../people/people/shapes.ts";
import { PAPERS } from "../papers/shapes.ts";

/** The most tracks of one delivery. */
export const MAX_DELIVERED_TRACKS = 500;
/** Bytes of a manifest. */
export const MAX_MANIFEST_BYTES = 1_000_000;
/** Bytes of one name in a package, so that its path fits into what every system takes. */
export const MAX_NAME_BYTES = 150;
/** How long a planned package can be made. */
export const PLAN_MINUTES = 10;
/** Packages of one library that are made at once; others wait. */
export const DELIVERIES_AT_ONCE = 2;
/** The longest name of a package or of who gets it. */
export const MAX_DELIVERY_NAME = 200;
/** The longest path of a file in a package. */
const MAX_PATH = 2000;
const MAX_GAP_SEC = 10;

/** For whom a package is. */
export const PROFILES = ["store", "sync", "cd", "custom"] as const;
export type Profile = (typeof PROFILES)[number];
const Profile = Type.Union(
  PROFILES.map((profile) => Type.Literal(profile)),
  { description: "For whom the package is, which decides what goes in" },
);

/** Whose recipients get copies of their own. Stores and plants get masters as they are. */
export const MARKED_PROFILES: readonly Profile[] = ["sync", "custom"];

/** In which form the originals go in. */
const FORMATS = ["tagged", "untouched"] as const;

/** What can be in `papers/`. A registration is only there for those with a sender's code. */
const DELIVERED_PAPERS = [...PAPERS, "registration", "readiness.html"] as const;

const Options = Type.Object(
  {
    formats: Type.Optional(
      Type.Array(Type.Union(FORMATS.map((format) => Type.Literal(format))), {
        minItems: 1,
        maxItems: FORMATS.length,
        uniqueItems: true,
        description:
          "`tagged`: copies with what is known written into them; `untouched`: the originals bit for bit. Default: `tagged`",
      }),
    ),
    keepOtherTags: Type.Optional(
      Type.Boolean({
        description: "Keep what the old tags said besides, such as comments of a session; default false",
      }),
    ),
    papers: Type.Optional(
      Type.Array(Type.Union(DELIVERED_PAPERS.map((paper) => Type.Literal(paper))), {
        uniqueItems: true,
        maxItems: DELIVERED_PAPERS.length,
        description: "Which papers; default: all that the profile has",
      }),
    ),
    lyrics: Type.Optional(Type.Boolean({ description: "The words, where there are some; default true" })),
    proof: Type.Optional(
      Type.Boolean({
        description: "What the ledger proves of each version, and its verifier; default true",
      }),
    ),
    artwork: Type.Optional(Type.Boolean({ description: "The cover; default true" })),
    gapSec: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: MAX_GAP_SEC,
        description: "Silence between the songs of a CD; default 2",
      }),
    ),
  },
  { description: "What to do otherwise than the profile does" },
);
export type Options = Static<typeof Options>;

/** What to deliver. */
export const DeliveredWhere = Type.Union([
  Type.Object({
    ids: Type.Array(Type.String(), { minItems: 1, maxItems: MAX_DELIVERED_TRACKS }),
  }),
  Type.Object({ playlistId: Type.String({ description: "A playlist or an album" }) }),
  Type.Object({ familyOf: Type.String({ description: "A track: the whole set of its song" }) }),
]);
export type DeliveredWhere = Static<typeof DeliveredWhere>;

const Recipient = Type.String({
  minLength: 1,
  maxLength: MAX_DELIVERY_NAME,
  description: "Who gets it, by name",
});

export const DeliveryRequest = shape("PackageRequest", {
  where: DeliveredWhere,
  profile: Profile,
  name: Type.String({
    minLength: 1,
    maxLength: MAX_DELIVERY_NAME,
    description: "Of the release, and of its folder",
  }),
  recipient: Type.Optional(Recipient),
  isMarked: Type.Optional(
    Type.Boolean({
      description:
        "The sound tells whose copy it is: for agencies and people. Default: true for a recipient by name, where the server has ffmpeg",
    }),
  ),
  options: Type.Optional(Options),
});
export type DeliveryRequest = Static<typeof DeliveryRequest>;

export const PlannedDelivery = shape("PlannedPackage", {
  id: Type.String(),
  path: Type.String({
    description: `Where the archive is read, with the session, for ${spelt(PLAN_MINUTES)} minutes`,
  }),
  filename: Type.String(),
  sizeBytes: Type.Integer({ minimum: 0, description: "Of the archive" }),
  files: Type.Integer({ minimum: 1 }),
  tracks: Type.Integer({ minimum: 1 }),
  trackIds: Type.Array(Type.String(), { description: "What is delivered, in order" }),
  findings: ReadinessCounts,
  tree: Type.Array(
    Type.Object({
      path: Type.String({ description: "In the archive" }),
      sizeBytes: Type.Integer({ minimum: 0, description: "Of the file" }),
    }),
    { description: "What goes in, in order" },
  ),
  bucketBytes: Type.Integer({
    minimum: 0,
    description:
      "What is read from the bucket to make it, each original twice; 0 when they are on this machine",
  }),
  hasFolder: Type.Boolean({
    description: "It can be written into a folder of the server: only for its operator",
  }),
  isMarked: Type.Boolean({
    description:
      "The sound tells whose copy it is. Copies are made first, and sizes are known when they are: until then, they are those of the originals",
  }),
  missing: Type.Array(Type.Object({ trackId: Type.String(), title: Type.String() }), {
    description: "Tracks that are left out, because their files are not in the store",
  }),
});
export type PlannedDelivery = Static<typeof PlannedDelivery>;

export const TagTable = shape("PackagedTags", {
  path: Type.String({ description: "Of the file in the archive" }),
  fields: Type.Array(
    Type.Object({
      field: Type.String({ description: "What people call it" }),
      now: nullable(Type.String({ description: "What the file says now" })),
      inPackage: nullable(Type.String({ description: "What its copy says" })),
      isChanged: Type.Boolean({ description: "Both are not the same" }),
      reason: nullable(
        Type.String({ description: "Why what is known is not in the copy, such as `format_without_tags`" }),
      ),
    }),
    { description: "Of those fields of which either says something" },
  ),
});
export type TagTable = Static<typeof TagTable>;
export const TagsQuery = Type.Object({
  path: Type.String({ minLength: 1, maxLength: MAX_PATH, description: "A file, as the plan names it" }),
});

export const DeliveryProgress = shape("PackageProgress", {
  state: Type.Union(
    (["planned", "marking", "waiting", "making", "made", "failed"] as const).map((state) =>
      Type.Literal(state),
    ),
    {
      description:
        "`planned`; `marking`: its copies are being marked; `waiting` until one of two other packages is done; `making`: it is being sent; `made`; or `failed`",
    },
  ),
  markedTracks: Type.Integer({ minimum: 0, description: "Of how many tracks the copies are made" }),
  sentBytes: Type.Integer({ minimum: 0, description: "Of the archive, as far as it was sent" }),
  sizeBytes: Type.Integer({ minimum: 0, description: "Of the archive" }),
  message: nullable(Type.String({ description: "Why it failed" })),
});
export type DeliveryProgress = Static<typeof DeliveryProgress>;

/** A package whose copies are being made. */
export const MarkedDelivery = shape(
  "MarkedPackage",
  {
    id: Type.String({ description: "The plan: of what was delivered before, a new one" }),
    path: Type.String({ description: "Where the archive is read when the copies are made" }),
  },
  { description: "A marked package, before its copies are made" },
);
export type MarkedDelivery = Static<typeof MarkedDelivery>;

const WAYS = ["zip", "folder", "link"] as const;

export const LinkedDelivery = shape("LinkedPackage", {
  id: Type.String({ description: "The delivery" }),
  shareId: Type.String({ description: "The link" }),
  url: Type.String({ description: "The page that it opens" }),
});
export type LinkedDelivery = Static<typeof LinkedDelivery>;

export const FolderDelivery = shape("PackageInFolder", {
  id: Type.String({ description: "The delivery" }),
  path: Type.String({ description: "The folder on the server" }),
});

/** What a delivery remembers, so that the same can be made again. */
export const DeliverySettings = Type.Object({
  where: DeliveredWhere,
  options: Options,
  way: Type.Union(WAYS.map((way) => Type.Literal(way))),
  /** Left out: no. */
  isMarked: Type.Optional(Type.Boolean()),
  /** In order. */
  versions: Type.Array(Type.Tuple([Type.String(), Type.String()]), { maxItems: MAX_DELIVERED_TRACKS }),
});
export type DeliverySettings = Static<typeof DeliverySettings>;

export const Delivery = shape("DeliveredPackage", {
  id: Type.String(),
  profile: Profile,
  name: Type.String(),
  recipient: nullable(Type.String()),
  tracks: Type.Integer({ minimum: 0 }),
  sizeBytes: Type.Integer({ minimum: 0, description: "Of all that went out" }),
  sha256: Type.String({
    description:
      "Of `SHA256SUMS`, which has the hash of every file; of a link, of the list of the originals that it gives, or gives marked copies of",
  }),
  way: Type.Union(
    WAYS.map((way) => Type.Literal(way)),
    { description: "How it went out: as an archive, into a folder of the server, or by a link" },
  ),
  shareId: nullable(Type.String({ description: "The link by which it went out" })),
  isMarked: Type.Boolean({ description: "The sound tells whose copy it is" }),
  madeAt: described(Timestamp, "When the last byte was taken"),
  madeBy: MadeBy,
  isErased: Type.Boolean({ description: "Nothing is known of it but its hash" }),
});
export type Delivery = Static<typeof Delivery>;

export const DeliveryWithManifest = shape("DeliveredManifest", {
  ...Delivery.properties,
  manifest: nullable(
    Type.Record(Type.String(), Type.Unknown(), {
      description: "What `manifest.json` in the package says; null: erased",
    }),
  ),
});
export type DeliveryWithManifest = Static<typeof DeliveryWithManifest>;

export const DeliveryParams = Type.Object({ deliveryId: Type.String() });
export const ErasedDelivery = shape("ErasedPackage", {
  id: Type.String(),
  erased: Type.Literal(true, { description: "It is erased" }),
});
