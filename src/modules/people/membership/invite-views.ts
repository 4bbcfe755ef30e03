import { dayOf } from "../../../kernel/dates.ts";
import { invitationLetter, type Words } from "../../mail/letters/service.ts";

/** Returns the mail that invites somebody into a library, or into a playlist of it. */
export function invitingLetter({
  until,
  ...invitation
}: Omit<Parameters<typeof invitationLetter>[0], "until"> & { until: number }): Words {
  return invitationLetter({ ...invitation, until: dayOf(until) });
}
