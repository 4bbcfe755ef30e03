import { join } from "node:path";
import { openReadOnly } from "../../../db/client.ts";
import { DATABASE } from "../../backup/manifest.ts";
import { listPeople } from "../../modules/people/accounts/service.ts";

/**
 * Returns lines about who is in the libraries of a restored data folder: those of the day of the backup, so somebody who was
 * removed since then is back.
 *
 * @param createdAt When the backup was made, ISO 8601.
 */
export function linesOfMembers(dataDir: string, createdAt: string): string[] {
  const db = openReadOnly(join(dataDir, DATABASE));
  try {
    const places = listPeople({ db }).flatMap(({ libraries, name, email, active }) =>
      libraries.map((library) => ({ library, who: `${plain(name)} <${plain(email)}>`, active })),
    );
    const libraries = [...Map.groupBy(places, ({ library }) => library.id)];
    if (libraries.length === 0) return [];
    return [
      "Who is in the libraries:",
      ...libraries.flatMap(([id, members]) => [
        `  ${plain(members[0]?.library.name ?? "")} (${id})`,
        ...members
          .toSorted((a, b) => Number(b.library.role === "owner") - Number(a.library.role === "owner"))
          .map(
            ({ library, who, active }) => `    ${library.role.padEnd(8)} ${who}${active ? "" : ", blocked"}`,
          ),
      ]),
      `Remove again whoever left since ${createdAt.slice(0, 10)} (dubplate team remove), and end the keys and links that were ended since then.`,
    ];
  } finally {
    db.$client.close();
  }
}

/** Names are printed on a terminal. */
export const plain = (text: string) => text.replace(/[\p{Cc}\p{Cf}]+/gu, " ").slice(0, 100);
