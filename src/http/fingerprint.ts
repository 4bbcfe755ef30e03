import type { PartHeaders } from "./part-headers.ts";

/** What a form was, as a hash that is made while the form is read: whatever its boundary, the same form gives the same. */
export type Fingerprint = {
  /** Passes the bytes of the next part on, and takes note of the part at its end. */
  watch: (
    part: Pick<PartHeaders, "name" | "filename">,
    bytes: AsyncGenerator<Uint8Array, void>,
  ) => AsyncGenerator<Uint8Array, void>;
  /** Says that the form was read to its end. */
  complete: () => void;
  /** SHA-256 of the names, values, file names and hashes of files, in their order; undefined until the form is complete. */
  digest: () => Buffer | undefined;
};

/** Makes the fingerprint of a form that is sent to `target`. */
export function createFingerprint(target: string): Fingerprint {
  const form = new Bun.CryptoHasher("sha256").update(`${target}\n`);
  let digest: Buffer | undefined;
  return {
    async *watch({ name, filename }, bytes) {
      const content = new Bun.CryptoHasher("sha256");
      for await (const chunk of bytes) {
        content.update(chunk);
        yield chunk;
      }
      form.update(`${JSON.stringify([name, filename ?? null, content.digest("hex")])}\n`);
    },
    complete() {
      digest = form.digest();
    },
    digest: () => digest,
  };
}
