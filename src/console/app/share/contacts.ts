import { query, useQuery } from "../api/queries.ts";
import type { Data } from "../api/routes.ts";

/** Someone whom the account has sent a link. */
export type Contact = Data<"GET /app/contacts">[number];

const MAX_CONTACTS = 500;
const MAX_OPTIONS = 8;

/** Returns the people who were sent links, those with the latest activity first; empty until they are known. */
export function useContacts(): readonly Contact[] {
  const { data } = useQuery(
    query("/app/contacts", { query: { limit: MAX_CONTACTS } }, { shares: "all", activity: "all" }),
  );
  return data?.data ?? [];
}

/** Returns what a combobox offers for a typed name. */
export function optionsOf(
  contacts: readonly Contact[],
  typed: string,
  hintOf?: (contact: Contact) => string,
) {
  const wanted = typed.trim().toLowerCase();
  return contacts
    .filter(({ name }) => name.toLowerCase().includes(wanted))
    .slice(0, MAX_OPTIONS)
    .map((contact) => ({
      id: contact.name.replace(/\W/g, (sign) => `_${sign.charCodeAt(0)}`),
      text: contact.name,
      ...(hintOf && { hint: hintOf(contact) }),
    }));
}
