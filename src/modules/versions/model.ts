import { type Static, Type } from "@sinclair/typebox";
import { nullable, Timestamp } from "../../http/envelope.ts";

export const VersionParams = Type.Object({ trackId: Type.String(), versionId: Type.String() });
export const VersionListParams = Type.Object({ trackId: Type.String() });

/** One audio file of a track (specification section 2, "Version object"). */
export const Version = Type.Object({
  id: Type.String(),
  trackId: Type.String(),
  label: nullable(Type.String()),
  name: Type.String(),
  order: Type.Integer({ minimum: 0, description: "0 is the original upload" }),
  active: Type.Boolean(),
  visible: Type.Boolean(),
  type: Type.String({ description: "Media type" }),
  size: Type.Integer({ minimum: 0, description: "Bytes" }),
  cid: Type.Optional(Type.String({ description: "SHA-256 of the bytes; absent until analysed" })),
  createdAt: Timestamp,
  downloadUrl: Type.String({ format: "uri", description: "Good for one hour: fetch it fresh" }),
});
export type Version = Static<typeof Version>;

export const VersionList = Type.Object({
  trackId: Type.String(),
  activeVersionId: Type.String(),
  count: Type.Integer({ minimum: 1 }),
  versions: Type.Array(Version, { description: "Oldest first" }),
});
export type VersionList = Static<typeof VersionList>;
