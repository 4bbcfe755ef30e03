import { invalidField } from "../../../../kernel/errors.ts";
import type { Span } from "../../../library/sounds/service.ts";

/** Less of a sound says nothing of it. */
const LEAST_SEC = 3;

/** @throws DomainError `validation_failed` for a part of a sound that is too short; `path` is of its fields. */
export function requireSpan({ fromSec, toSec }: Span, path = ""): void {
  if (toSec < fromSec + LEAST_SEC)
    throw invalidField(`${path}toSec`, "span", `must be at least ${LEAST_SEC} s after fromSec`);
}

/**
 * Returns the part of a sound that was asked for; undefined for the whole.
 *
 * @throws DomainError as {@link requireSpan} does, and when one of the two is missing.
 */
export function spanOf(fromSec: number | undefined, toSec: number | undefined): Span | undefined {
  if (fromSec === undefined && toSec === undefined) return undefined;
  if (fromSec === undefined) throw invalidField("fromSec", "required", "must be sent with toSec");
  if (toSec === undefined) throw invalidField("toSec", "required", "must be sent with fromSec");
  requireSpan({ fromSec, toSec });
  return { fromSec, toSec };
}
