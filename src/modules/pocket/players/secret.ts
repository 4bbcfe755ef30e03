import { randomLetters } from "../../../kernel/ids.ts";
import { fold } from "../../../kernel/text.ts";

/** Crockford's base32 in lower case: nothing in it is taken for something else when it is typed into a phone. */
const LETTERS = "0123456789abcdefghjkmnpqrstvwxyz";
/** 100 bits. */
const SECRET_LETTERS = 20;
const GROUP = 5;
const NAME_LETTERS = 20;

/** Returns a new password of a music app: 20 random characters. */
export const newSecret = (): string => randomLetters(SECRET_LETTERS, LETTERS);

/** Returns a secret in groups of five, as people read it. */
export function grouped(secret: string, between = "-"): string {
  return (secret.match(new RegExp(`.{1,${GROUP}}`, "g")) ?? []).join(between);
}

/** Returns a typed secret as it was made, without what groups it. */
export const ungrouped = (typed: string): string => typed.replace(/[-\s]/g, "").toLowerCase();

/** Returns a new user name that begins like the name of an app: `car-kz4m`. */
export function newUsername(name: string): string {
  const folded = fold(name).replace(/[^a-z0-9]+/g, "-");
  const start = folded.slice(0, NAME_LETTERS).replace(/^-|-$/g, "");
  return `${start || "app"}-${randomLetters(4, LETTERS)}`;
}
