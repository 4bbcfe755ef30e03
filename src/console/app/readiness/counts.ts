import { counted } from "../ui/numbers.ts";
import type { Readiness } from "./queries.ts";

/** Returns "2 must be mended, 3 should be, 1 note". */
export function countsInWords({ stop, warn, note }: Readiness["counts"]): string {
  if (stop + warn + note === 0) return "Nothing is missing.";
  const parts = [
    stop > 0 && `${stop} must be mended`,
    warn > 0 && (stop > 0 ? `${warn} should be` : `${warn} should be mended`),
    note > 0 && counted(note, "note"),
  ];
  return parts.filter(Boolean).join(", ");
}
