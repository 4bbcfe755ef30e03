import { transact } from "../../../../db/client.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { invalidField } from "../../../kernel/errors.ts";
import { toIpi, toIsni } from "../../../kernel/identifiers.ts";
import { answerSupply, type OpenSupply, type Supplied } from "../../library/composers/service.ts";
import {
  MAX_EMAIL,
  MAX_SUPPLY_NOTE,
  MAX_WORDS,
  SUPPLIED,
  type SuppliedField,
} from "../../library/composers/shapes.ts";
import { notify } from "../../people/notifications/service.ts";
import { shareField } from "./form-names.ts";

export { findSupply, type OpenSupply } from "../../library/composers/service.ts";

/** What is wrong with a field that was sent, as the end of a sentence; undefined: nothing. */
const CHECKS: Partial<Readonly<Record<SuppliedField, (text: string) => string | undefined>>> = {
  email: (text) => (/^[^@\s]+@[^@\s]+$/.test(text) ? undefined : "must be an address"),
  ipi: (text) =>
    toIpi(text) ? undefined : "has check digits that do not fit: compare it with your society's",
  isni: (text) => (toIsni(text) ? undefined : "has a last character that does not fit"),
};

/**
 * Reads what a composer sent. Fields that they left empty say nothing.
 *
 * @throws DomainError `validation_failed` for a number whose check digits do not fit, what is no address, and what is too long.
 */
export function readSupplied({ shares }: OpenSupply, form: URLSearchParams): Supplied {
  const fields = SUPPLIED.flatMap((field) => {
    const text = readField(field, form.get(field) ?? "");
    return text === undefined ? [] : [[field, text] as const];
  });
  const note = (form.get("note") ?? "").toWellFormed().trim();
  if (note.length > MAX_SUPPLY_NOTE)
    throw invalidField("note", "too_long", `must have at most ${MAX_SUPPLY_NOTE} characters`);
  return {
    fields: Object.fromEntries(fields),
    shares: shares.map(({ trackId, role, share }, at) => {
      const said = form.get(shareField(at));
      return { trackId, role, share, isRight: said === "yes" ? true : said === "no" ? false : null };
    }),
    note: note || null,
  };
}

function readField(field: SuppliedField, sent: string): string | undefined {
  const text = sent
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim();
  if (text === "") return undefined;
  const most = field === "email" ? MAX_EMAIL : MAX_WORDS;
  if (text.length > most) throw invalidField(field, "too_long", `must have at most ${most} characters`);
  const wrong = CHECKS[field]?.(text);
  if (wrong !== undefined) throw invalidField(field, "invalid", wrong);
  return field === "email" ? text.toLowerCase() : text;
}

/** Keeps what a composer sent as a suggestion, and tells the library of it. */
export function keepSupplied(
  { db, now }: Pick<Deps, "db" | "now">,
  { request, composer }: OpenSupply,
  supplied: Supplied,
): void {
  const at = now();
  transact(db, (tx) => {
    answerSupply(tx, request.id, supplied, at);
    if (request.answeredAt !== null) return;
    const about = { entityKey: "composer", entityId: composer.id } as const;
    const title = `${composer.fullName} sent their details`;
    notify(tx, { accountId: request.ownerId, kind: "composer.supplied", title, ...about }, at);
  });
}
