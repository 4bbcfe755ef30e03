import text from "./ledger-verify.mjs" with { type: "text" };
import type { Proof } from "./shapes.ts";

/** Name of the verifier, which goes along with proofs. */
export const VERIFIER_NAME = "ledger-verify.mjs";

/** The verifier's source: a program for Node and Bun that needs no packages. */
export const VERIFIER: string = text;

type Verifier = {
  /** @throws Error that names the first check which does not hold. */
  check: (proof: Proof, expected: { file?: string | undefined; key?: string | undefined }) => void;
  /** @throws SyntaxError for what is no JSON. */
  proofIn: (text: string) => Proof;
  hashFile: (path: string) => string;
  describe: (proof: Proof, file: string | undefined) => string;
};

/** Loads the verifier as a module, so that there is one only. */
export const loadVerifier = (): Promise<Verifier> =>
  import(`data:text/javascript;base64,${Buffer.from(VERIFIER).toString("base64")}`);
