import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

/** Names of the first and last members of every backup. */
export const MANIFEST = "dubplate-backup.json";
export const SECRET = "master-secret";
export const DATABASE = "dubplate.db";
export const SUMS = "SHA256SUMS";

const Count = Type.Integer({ minimum: 0 });

/** The description of a backup, its first member. */
const Manifest = Type.Object({
  format: Type.Literal(1),
  /** `whole` holds every file. The files of a `snapshot` are in the folder around it. */
  kind: Type.Union([Type.Literal("whole"), Type.Literal("snapshot")]),
  program: Type.String(),
  schema: Count,
  storeId: Type.String(),
  generation: Count,
  /** ISO 8601, UTC. */
  createdAt: Type.String(),
  counts: Type.Object({ accounts: Count, tracks: Count, versions: Count, artwork: Count, audio: Count }),
  bytes: Type.Object({ database: Count, artwork: Count, audio: Count }),
  databaseSha256: Type.String({ pattern: "^[0-9a-f]{64}$" }),
});
export type Manifest = Static<typeof Manifest>;

/** Every manifest is smaller. */
export const MAX_MANIFEST_BYTES = 64 * 1024;

/** Returns the text of a manifest. */
export function formatManifest(manifest: Manifest): Buffer {
  return Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
}

/** Reads a manifest. Returns undefined for anything that {@link formatManifest} did not write. */
export function parseManifest(bytes: Buffer): Manifest | undefined {
  try {
    const manifest: unknown = JSON.parse(bytes.toString("utf8"));
    if (!Value.Check(Manifest, manifest)) return undefined;
    return formatManifest(manifest).equals(bytes) ? manifest : undefined;
  } catch {
    return undefined;
  }
}
