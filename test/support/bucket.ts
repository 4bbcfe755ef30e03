import type { BucketSettings } from "../../src/kernel/settings.ts";

/** Settings of a bucket on a service with path-style addresses. Each call returns another prefix. */
export function bucketAt(endpoint: string, name: string, [accessKeyId, secretAccessKey]: [string, string]) {
  const bucket: BucketSettings = {
    name,
    prefix: `${crypto.randomUUID()}/`,
    endpoint,
    region: undefined,
    accessKeyId,
    secretAccessKey,
    sessionToken: undefined,
    isRedirected: false,
  };
  return bucket;
}

/** Returns a bucket as the settings of a process; none without a bucket. */
export function settingsOf(bucket: BucketSettings | undefined): Record<string, string> {
  if (!bucket) return {};
  return {
    BLOB_STORE: `s3://${bucket.name}/${bucket.prefix.slice(0, -1)}`,
    S3_ENDPOINT: bucket.endpoint ?? "",
    S3_ACCESS_KEY_ID: bucket.accessKeyId,
    S3_SECRET_ACCESS_KEY: bucket.secretAccessKey,
  };
}

/**
 * Returns a new prefix of the bucket that `TEST_S3` names, so that the whole suite can run on a service:
 * `TEST_S3=http://ACCESS_KEY:SECRET@HOST:PORT/BUCKET`. Undefined, and originals in the data folder, when it is unset.
 */
export function testBucket(): BucketSettings | undefined {
  const text = process.env.TEST_S3;
  if (!text) return undefined;
  const { origin, pathname, username, password } = new URL(text);
  return bucketAt(origin, pathname.slice(1), [decodeURIComponent(username), decodeURIComponent(password)]);
}
