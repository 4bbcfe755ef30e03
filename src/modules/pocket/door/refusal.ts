/** The error codes of the protocol that are used here. 41 and 42 are not. */
export const CODES = {
  generic: 0,
  missing: 10,
  clientTooOld: 20,
  serverTooOld: 30,
  wrongPassword: 40,
  conflicting: 43,
  wrongKey: 44,
  notAllowed: 50,
  notFound: 70,
} as const;

/** A refusal in the words of the protocol. Its message is fit for a stranger. */
export class Refusal extends Error {
  readonly code: number;
  /** True where a person can mend it in the settings of music apps. */
  readonly isAboutAccess: boolean;

  constructor(code: keyof typeof CODES, message: string) {
    super(message);
    this.code = CODES[code];
    this.isAboutAccess = code === "wrongPassword" || code === "wrongKey";
  }
}

/** The refusal for what is not in the library, or not for this player. */
export const notThere = (what: string) => new Refusal("notFound", `There is no such ${what}`);
