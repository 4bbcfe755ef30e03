import { publicUrlOf, type Settings } from "../../../kernel/settings.ts";

/** Returns the address of a submission page: a brief's public one or a personal one. */
export function submitLink(settings: Settings, token: string): string {
  return `${publicUrlOf(settings)}/submit/${token}`;
}
