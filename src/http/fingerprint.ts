import type { PartHeaders } from "./body/part-headers.ts";

/** A hash of a form, made while the form is read. The boundary does not matter: equal forms give equal hashes. */
export type Fingerprint = {
  /** Passes on the bytes of the next part and adds the part to the hash at its end. */
  watch: (
    part: Pick<PartHeaders, "name" | "filename">,
    bytes: AsyncGenerator<Uint8Array, void>,
  ) => AsyncGenerator<Uint8Array, void>;
  /** Call this when the form was read to its end. */
  complete: () => void;
  /** SHA-256 of the names, values, file names and file hashes, in order; undefined until the form is complete. */
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
